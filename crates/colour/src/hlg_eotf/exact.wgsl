// The bits of the scene light of a positive HLG signal. Follows reference.rs.
fn hlg_inverse_oetf(signal: Scaled) -> u32 {
    if !at_least(signal, HLG_BRANCH) {
        let square = scaled_pair(pair_mul(signal.significand, signal.significand));
        return rounded(Scaled(pair_mul(square.significand, HLG_THIRD), square.exponent + 2 * signal.exponent));
    }
    let exponent = pair_mul(pair_sub(value(signal), HLG_C), HLG_INVERSE_SCALE);
    let significand = pair_mul(pair_add(value(exp2_scaled(exponent)), HLG_B), HLG_TWELFTH);
    return rounded(Scaled(significand, 0));
}
