// Running sums in the order of a reference: one invocation a row, then one over the sums of rows. Follows ordered.rs.

// An f32 sum and its next term.
fn ordered_add(sum: f32, term: f32) -> f32 {
    return seal_add(sum, term);
}

// An f64 sum, as bits, and its next term, an f32.
fn ordered_add_f64(sum: vec2<u32>, term: f32) -> vec2<u32> {
    return soft64_add(sum, soft64_from_f32(bitcast<u32>(term)));
}

// The exponent field of a positive normal number; zero for all others.
fn ordered_binade(sum: vec2<u32>) -> u32 {
    let field = sum.y >> 20u;
    return select(0u, field, field < 2047u);
}

// What a term, an f64 as bits, adds to a sum in that binade: an integer in xy, or z = 1 if it is refused.
fn ordered_increment(binade: u32, term: vec2<u32>) -> vec3<u32> {
    let refused = vec3<u32>(0u, 0u, 1u);
    let magnitude = vec2<u32>(term.x, term.y & 0x7fffffffu);
    let negative = term.y >= 0x80000000u && (magnitude.x | magnitude.y) != 0u;
    let field = magnitude.y >> 20u;
    let exponent = max(field, 1u);
    if negative || exponent >= binade {
        return refused;
    }
    let below = binade - exponent;
    // Less than half a unit.
    if below > 53u {
        return vec3<u32>(0u);
    }
    let significand = vec2<u32>(term.x, (magnitude.y & 0xfffffu) | select(0u, 0x100000u, field != 0u));
    let kept = wide_shift_right(significand, below);
    let rest = wide_sub(significand, wide_shift_left(kept, below));
    let half = wide_shift_left(vec2<u32>(1u, 0u), below - 1u);
    if wide_equal(rest, half) {
        return refused;
    }
    return vec3<u32>(wide_add_u32(kept, select(0u, 1u, wide_less(half, rest))), 0u);
}

// What two blocks of terms add together, in the form of ordered_increment.
fn ordered_join(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
    let units = wide_add(a.xy, b.xy);
    let refused = (a.z | b.z) != 0u || units.y >= 0x100000u;
    return select(vec3<u32>(units, 0u), vec3<u32>(0u, 0u, 1u), refused);
}

// The sum after a block whose increment was formed for that binade, as bits in xy; or the sum itself and z = 1 if the
// terms of the block have to be added one by one.
fn ordered_advance(sum: vec2<u32>, binade: u32, increment: vec3<u32>) -> vec3<u32> {
    let after = wide_add(sum, increment.xy);
    let taken = increment.z == 0u && binade != 0u && ordered_binade(sum) == binade && ordered_binade(after) == binade;
    return select(vec3<u32>(sum, 1u), vec3<u32>(after, 0u), taken);
}
