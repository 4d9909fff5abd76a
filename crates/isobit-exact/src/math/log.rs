//! ln x.

use super::core::{INFINITY, LN2, LN2_HIGH, LN2_LOW, NAN, SIGN, log2_parts, rebase};
use crate::chunk::Chunk;

/// `math_log`.
pub const CHUNK: Chunk = Chunk {
    name: "math_log",
    needs: &["math_core"],
    source: include_str!("log.wgsl"),
};

/// ln of `x`; error at most 0.504 ULP, measured over all inputs.
pub const fn log(x: f32) -> f32 {
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
    rebase(log2_parts(bits), LN2, LN2_HIGH, LN2_LOW)
}
