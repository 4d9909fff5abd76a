//! e^x.

use super::core::{INFINITY, LOG2E, LOG2E_HIGH, LOG2E_LOW, NAN, SIGN, exp2_parts, high};
use crate::chunk::Chunk;

/// `math_exp`.
pub const CHUNK: Chunk = Chunk {
    name: "math_exp",
    needs: &["math_core"],
    source: include_str!("exp.wgsl"),
};

/// e^`x`; error at most 0.668 ULP, measured over all inputs.
pub const fn exp(x: f32) -> f32 {
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    if magnitude > INFINITY {
        return f32::from_bits(NAN);
    }
    // Below 2^−30 the result is 1; from 256 on it is infinite or zero.
    let x = if magnitude < 0x3080_0000 { 0.0 } else { x };
    let x = if magnitude >= 0x4380_0000 {
        f32::from_bits(bits & SIGN | 0x4380_0000)
    } else {
        x
    };
    let x_high = high(x);
    let rest = (x - x_high) * LOG2E + x_high * LOG2E_LOW;
    f32::from_bits(exp2_parts(x_high * LOG2E_HIGH, rest))
}
