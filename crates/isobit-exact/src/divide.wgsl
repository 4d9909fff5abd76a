// Correctly rounded f32 division: a quotient of any driver's quality, repaired by its exact remainder. Follows divide.rs.

// a / b, rounded once.
fn divide(a: f32, b: f32) -> f32 {
    let x = bitcast<u32>(a);
    let y = bitcast<u32>(b);
    let x_field = (x >> 23u) & 0xffu;
    let y_field = (y >> 23u) & 0xffu;
    let p = (x & 0x7fffffu) | 0x800000u;
    let q = (y & 0x7fffffu) | 0x800000u;
    let below_one = p < q;
    let exponent = i32(x_field) - i32(y_field) + select(127, 126, below_one);
    // Fields from 1 to 254: neither zero nor subnormal, neither infinite nor NaN.
    if max(x_field - 1u, y_field - 1u) < 254u && exponent >= 1 && exponent <= 254 {
        // Both from 1 up to 2, so that no driver meets a number that it treats in a way of its own.
        let estimate = bitcast<u32>(bitcast<f32>(p + 0x3f000000u) / bitcast<f32>(q + 0x3f000000u));
        // The quotient as an integer of 24 bits, made too small on purpose. The terms of the remainder wrap around, their
        // difference does not.
        var quotient = estimate - select(0x3f000000u, 0x3e800000u, below_one) - 4u;
        var rest = (p << select(23u, 24u, below_one)) - quotient * q;
        let by_four = rest >= 4u * q;
        quotient += select(0u, 4u, by_four);
        rest -= select(0u, 4u * q, by_four);
        let by_two = rest >= 2u * q;
        quotient += select(0u, 2u, by_two);
        rest -= select(0u, 2u * q, by_two);
        let by_one = rest >= q;
        quotient += select(0u, 1u, by_one);
        rest -= select(0u, q, by_one);
        if rest < q {
            let rounded = quotient + select(0u, 1u, 2u * rest > q);
            return bitcast<f32>(((x ^ y) & 0x80000000u) | ((u32(exponent - 1) << 23u) + rounded));
        }
    }
    return bitcast<f32>(soft_div(x, y));
}
