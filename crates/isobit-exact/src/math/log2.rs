//! log2 x.

use super::core::{INFINITY, NAN, SIGN, log2_parts};
use crate::chunk::Chunk;

/// `math_log2`.
pub const CHUNK: Chunk = Chunk {
    name: "math_log2",
    needs: &["math_core"],
    source: include_str!("log2.wgsl"),
};

/// log2 of `x`; error at most 0.503 ULP, measured over all inputs.
pub const fn log2(x: f32) -> f32 {
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
    let [main, rest] = log2_parts(bits);
    main + rest
}
