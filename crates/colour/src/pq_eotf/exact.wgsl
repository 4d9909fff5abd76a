// The bits of the display light of a positive PQ signal. Follows reference.rs.
fn pq_eotf(signal: Scaled) -> u32 {
    let root = value(power(signal, PQ_INVERSE_M2));
    let numerator = pair_add_f32(root, -PQ_C1);
    if numerator.x <= 0.0 {
        return 0u;
    }
    let denominator = pair_sub(PQ_C2, pair_mul_f32(root, PQ_C3));
    return rounded(power(scaled_pair(ratio(numerator, denominator)), PQ_INVERSE_M1));
}
