//! The specification of `linear_to_srgb`.

use isobit_exact::seal::{pair_mul, pair_sub};

use crate::constants::constants;
use crate::scaled::{Scaled, at_least, power, rounded, value};
use crate::transfer::{Extension, Transfer};

constants! {
    /// The f32 nearest to the branch point; it lies above it.
    SRGB_BRANCH = 0.003_130_8;
    SRGB_SLOPE: Pair = 12.92;
    SRGB_OFFSET: Pair = 0.055;
    SRGB_SCALE: Pair = 1.055;
    SRGB_GAMMA: Pair = 1.0 / 2.4;
}

/// The inverse of IEC 61966-2-1, extended oddly below zero and unchanged beyond 1.
pub const TRANSFER: Transfer = Transfer {
    positive,
    at_zero: 0.0,
    extension: Extension::Odd,
    wgsl: include_str!("exact.wgsl"),
    name: "linear_to_srgb",
    constants: CONSTANTS,
};

/// The sRGB value of linear light; 1.0 is the white of both.
///
/// IEC 61966-2-1, extended oddly below zero and unchanged beyond 1. NaN stays NaN; zeros and infinities are kept, sign
/// included. The error is below 0.50001 units in the last place, and the linear branch is rounded correctly.
pub fn linear_to_srgb(linear: f32) -> f32 {
    TRANSFER.of_f32(linear)
}

fn positive(linear: Scaled) -> f32 {
    if !at_least(linear, SRGB_BRANCH) {
        let significand = pair_mul(linear.significand, SRGB_SLOPE);
        return rounded(Scaled { significand, ..linear });
    }
    let curve = value(power(linear, SRGB_GAMMA));
    let significand = pair_sub(pair_mul(curve, SRGB_SCALE), SRGB_OFFSET);
    rounded(Scaled {
        significand,
        exponent: 0,
    })
}
