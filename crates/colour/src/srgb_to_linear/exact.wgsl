// The bits of the linear light of a positive sRGB value. Follows reference.rs.
fn srgb_to_linear(encoded: Scaled) -> u32 {
    if !at_least(encoded, SRGB_BRANCH) {
        return rounded(Scaled(pair_mul(encoded.significand, SRGB_SLOPE), encoded.exponent));
    }
    let base = pair_mul(pair_add(value(encoded), SRGB_OFFSET), SRGB_SCALE);
    return rounded(power(scaled_pair(base), SRGB_GAMMA));
}
