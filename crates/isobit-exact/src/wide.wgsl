// Unsigned 64-bit integers as vec2<u32>, the low word in x. Follows wide.rs step by step.

// a + b, modulo 2^64.
fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    // The low word wrapped exactly if it came out below either term.
    let carry = select(0u, 1u, low < a.x);
    return vec2<u32>(low, a.y + b.y + carry);
}

// a + b, modulo 2^64.
fn wide_add_u32(a: vec2<u32>, b: u32) -> vec2<u32> {
    return wide_add(a, vec2<u32>(b, 0u));
}

// a · b, whole.
fn wide_mul(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    // At most (2^16 - 1)^2 + 2^16 - 1, below 2^32; so is the next line, whose carry is below 2^16 too.
    let middle = a_high * b_low + (low >> 16u);
    let cross = a_low * b_high + (middle & 0xffffu);
    let high = a_high * b_high + (middle >> 16u) + (cross >> 16u);
    return vec2<u32>((cross << 16u) | (low & 0xffffu), high);
}
