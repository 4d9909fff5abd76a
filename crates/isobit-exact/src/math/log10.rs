//! log10 x.

use super::core::{INFINITY, NAN, SIGN, log2_parts, rebase};
use crate::chunk::Chunk;

/// `math_log10`.
pub const CHUNK: Chunk = Chunk {
    name: "math_log10",
    needs: &["math_core"],
    source: include_str!("log10.wgsl"),
};

super::constants! {
    /// log10 2 to 24 bits.
    LOG10_2 = std::f32::consts::LOG10_2,
    /// log10 2 to 12 bits.
    LOG10_2_HIGH = 0.3010254,
    /// log10 2 less its first 12 bits.
    LOG10_2_LOW = 4.605039e-6,
}

/// log10 of `x`; error at most 0.504 ULP, measured over all inputs.
pub const fn log10(x: f32) -> f32 {
    let bits = x.to_bits();
    if bits & !SIGN == 0 {
        return f32::from_bits(SIGN | INFINITY);
    }
    if bits == INFINITY {
        return x;
    }
    // Negative or NaN.
    if bits > INFINITY {
        return f32::from_bits(NAN);
    }
    rebase(log2_parts(bits), LOG10_2, LOG10_2_HIGH, LOG10_2_LOW)
}
