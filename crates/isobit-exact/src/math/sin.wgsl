// The sine. Follows sin.rs.

fn math_sin(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let magnitude = bits & ~MATH_SIGN;
    let result = select(bitcast<u32>(math_sine(math_turn(bits))), bits, magnitude < MATH_TINY);
    return bitcast<f32>(select(result, MATH_NAN, magnitude >= MATH_INFINITY));
}
