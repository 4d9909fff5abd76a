// The bits of the sRGB value of positive linear light. Follows reference.rs.
fn linear_to_srgb(linear: Scaled) -> u32 {
    if !at_least(linear, SRGB_BRANCH) {
        return rounded(Scaled(pair_mul(linear.significand, SRGB_SLOPE), linear.exponent));
    }
    let curve = value(power(linear, SRGB_GAMMA));
    let significand = pair_sub(pair_mul(curve, SRGB_SCALE), SRGB_OFFSET);
    return rounded(Scaled(significand, 0));
}
