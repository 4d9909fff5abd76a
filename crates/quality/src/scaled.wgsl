
// The square of a scaled code as f32 rounds it, in units of 1/scale²: to 24 significant bits, ties to even. Follows scaled.rs.
fn square(code: u32) -> u32 {
    let exact = code * code;
    let excess = 8u - min(countLeadingZeros(exact), 8u);
    if excess == 0u {
        return exact;
    }
    let unit = 1u << excess;
    let odd = (exact >> excess) & 1u;
    return (exact + unit / 2u - 1u + odd) & ~(unit - 1u);
}
