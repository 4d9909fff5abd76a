// ln x. Follows log.rs.

fn math_log(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return math_log_result(bits, math_rebase(math_log2_parts(bits), MATH_LN2, MATH_LN2_HIGH, MATH_LN2_LOW));
}
