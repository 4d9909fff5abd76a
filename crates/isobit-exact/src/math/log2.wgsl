// log2 x. Follows log2.rs.

fn math_log2(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let parts = math_log2_parts(bits);
    return math_log_result(bits, seal(parts.x + parts.y));
}
