// The cosine. Follows cos.rs.

fn math_cos(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    var angle = math_turn(bits);
    angle.quarters += 1u;
    let result = bitcast<u32>(math_sine(angle));
    return bitcast<f32>(select(result, MATH_NAN, (bits & ~MATH_SIGN) >= MATH_INFINITY));
}
