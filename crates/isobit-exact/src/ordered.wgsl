// Running sums in the order of a reference: one invocation a row, then one over the sums of rows. Follows ordered.rs.

// An f32 sum and its next term.
fn ordered_add(sum: f32, term: f32) -> f32 {
    return seal_add(sum, term);
}

// An f64 sum, as bits, and its next term, an f32.
fn ordered_add_f64(sum: vec2<u32>, term: f32) -> vec2<u32> {
    return soft64_add(sum, soft64_from_f32(bitcast<u32>(term)));
}
