
// The square of a scaled code as f32 rounds it, in units of 1/scale²: to 24 significant bits, ties to even. A tie is always one
// to be rounded down: a square is an odd one, which is 1 modulo 8, times a power of four, so what a tie keeps is even. Follows
// scaled.rs.
fn square(code: u32) -> u32 {
    let exact = code * code;
    let excess = 8u - min(countLeadingZeros(exact), 8u);
    if excess == 0u {
        return exact;
    }
    let unit = 1u << excess;
    return (exact + unit / 2u - 1u) & ~(unit - 1u);
}
