// The bits of the PQ signal of positive display light. Follows reference.rs.
fn pq_inverse_eotf(light: Scaled) -> u32 {
    let root = value(power(light, PQ_M1));
    let numerator = pair_add_f32(pair_mul_f32(root, PQ_C2), PQ_C1);
    let denominator = pair_add_f32(pair_mul_f32(root, PQ_C3), 1.0);
    return rounded(power(scaled_pair(ratio(numerator, denominator)), PQ_M2));
}
