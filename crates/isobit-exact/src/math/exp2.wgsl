// 2^x. Follows exp2.rs.

fn math_exp2(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let magnitude = bits & ~MATH_SIGN;
    // Below 2^-30 the result is 1; what is smaller still would run into the subnormals.
    let clamped = bitcast<f32>(select(bits, 0u, magnitude < 0x30800000u));
    return bitcast<f32>(select(math_exp2_parts(clamped, 0.0), MATH_NAN, magnitude > MATH_INFINITY));
}
