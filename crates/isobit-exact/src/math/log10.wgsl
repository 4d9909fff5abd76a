// log10 x. Follows log10.rs.

const MATH_LOG10_2: f32 = 0.30103;
const MATH_LOG10_2_HIGH: f32 = 0.3010254;
const MATH_LOG10_2_LOW: f32 = 4.605039e-6;

fn math_log10(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return math_log_result(bits, math_rebase(math_log2_parts(bits), MATH_LOG10_2, MATH_LOG10_2_HIGH, MATH_LOG10_2_LOW));
}
