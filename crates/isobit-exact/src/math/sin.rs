//! The sine.

use super::core::{INFINITY, NAN, SIGN};
use super::turn::{TINY, sine, turn};
use crate::chunk::Chunk;

/// `math_sin`.
pub const CHUNK: Chunk = Chunk {
    name: "math_sin",
    needs: &["math_turn"],
    source: include_str!("sin.wgsl"),
};

/// The sine of `x` radians; error at most 0.772 ULP, measured over all inputs.
pub const fn sin(x: f32) -> f32 {
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    if magnitude >= INFINITY {
        return f32::from_bits(NAN);
    }
    if magnitude < TINY {
        return x;
    }
    sine(turn(bits))
}
