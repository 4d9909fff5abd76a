//! The cosine.

use super::core::{INFINITY, NAN, SIGN};
use super::turn::{Turn, sine, turn};
use crate::chunk::Chunk;

/// `math_cos`.
pub const CHUNK: Chunk = Chunk {
    name: "math_cos",
    needs: &["math_turn"],
    source: include_str!("cos.wgsl"),
};

/// The cosine of `x` radians; error at most 0.777 ULP, measured over all inputs.
pub const fn cos(x: f32) -> f32 {
    let bits = x.to_bits();
    if bits & !SIGN >= INFINITY {
        return f32::from_bits(NAN);
    }
    let angle = turn(bits);
    sine(Turn {
        quarters: angle.quarters.wrapping_add(1),
        ..angle
    })
}
