// The bits of the HLG signal of positive scene light. Follows reference.rs.
fn hlg_oetf(light: Scaled) -> u32 {
    if !at_least(light, HLG_BRANCH) {
        let triple = scaled_pair(pair_mul_f32(light.significand, 3.0));
        return rounded(power(Scaled(triple.significand, triple.exponent + light.exponent), HLG_HALF));
    }
    let argument = pair_sub(pair_mul_f32(value(light), 12.0), HLG_B);
    let significand = pair_add(pair_mul(log2_scaled(scaled_pair(argument)), HLG_SCALE), HLG_C);
    return rounded(Scaled(significand, 0));
}
