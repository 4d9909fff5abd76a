// Correctly rounded f32 square root: a root of any driver's quality, repaired by its exact remainder. Follows
// square_root.rs.

// The square root of a, rounded once.
fn square_root(a: f32) -> f32 {
    let x = bitcast<u32>(a);
    let field = x >> 23u;
    // Fields from 1 to 254 without a sign: neither negative nor zero nor subnormal, neither infinite nor NaN.
    if field - 1u < 254u {
        // From 1 up to 4, its exponent even: the exponent of the root is half of the rest.
        let odd = (field + 1u) & 1u;
        let p = ((x & 0x7fffffu) | 0x800000u) << odd;
        let estimate = bitcast<u32>(sqrt(bitcast<f32>((x & 0x7fffffu) | ((127u + odd) << 23u))));
        // The root as an integer of 24 bits, made too small on purpose. The terms of the remainder wrap around, their
        // difference does not.
        var root = estimate - 0x3f000000u - 4u;
        var rest = (p << 23u) - root * root;
        let by_four = rest >= 8u * root + 16u;
        rest -= select(0u, 8u * root + 16u, by_four);
        root += select(0u, 4u, by_four);
        let by_two = rest >= 4u * root + 4u;
        rest -= select(0u, 4u * root + 4u, by_two);
        root += select(0u, 2u, by_two);
        let by_one = rest >= 2u * root + 1u;
        rest -= select(0u, 2u * root + 1u, by_one);
        root += select(0u, 1u, by_one);
        if rest <= 2u * root {
            let exponent = (field + 127u - odd) >> 1u;
            return bitcast<f32>(((exponent - 1u) << 23u) + root + select(0u, 1u, rest > root));
        }
    }
    return bitcast<f32>(soft_sqrt(x));
}
