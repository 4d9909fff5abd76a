//! 2^x.

use super::core::{INFINITY, NAN, SIGN, exp2_parts};
use crate::chunk::Chunk;

/// `math_exp2`.
pub const CHUNK: Chunk = Chunk {
    name: "math_exp2",
    needs: &["math_core"],
    source: include_str!("exp2.wgsl"),
};

/// 2^`x`; error at most 0.613 ULP, measured over all inputs.
pub const fn exp2(x: f32) -> f32 {
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    if magnitude > INFINITY {
        return f32::from_bits(NAN);
    }
    // Below 2^−30 the result is 1; what is smaller still would run into the subnormals.
    let x = if magnitude < 0x3080_0000 { 0.0 } else { x };
    f32::from_bits(exp2_parts(x, 0.0))
}
