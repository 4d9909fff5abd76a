//! The specification of `srgb_to_linear`.

use isobit_exact::seal::{pair_add, pair_mul};

use crate::constants::constants;
use crate::scaled::{Scaled, at_least, power, rounded, scaled_pair, value};
use crate::transfer::{Extension, Transfer};

constants! {
    /// The f32 next above 0.04045, the branch point, which no f32 equals.
    SRGB_BRANCH = 0.04045f32.next_up() as f64;
    /// 1/12.92.
    SRGB_SLOPE: Pair = 1.0 / 12.92;
    SRGB_OFFSET: Pair = 0.055;
    /// 1/1.055.
    SRGB_SCALE: Pair = 1.0 / 1.055;
    SRGB_GAMMA: Pair = 2.4;
}

/// IEC 61966-2-1, extended oddly below zero and unchanged beyond 1.
pub const TRANSFER: Transfer = Transfer {
    positive,
    at_zero: 0.0,
    extension: Extension::Odd,
    wgsl: include_str!("exact.wgsl"),
    name: "srgb_to_linear",
    constants: CONSTANTS,
};

/// Linear light of an sRGB value; 1.0 is the white of both.
///
/// IEC 61966-2-1, extended oddly below zero and unchanged beyond 1. NaN stays NaN; zeros and infinities are kept, sign
/// included. The error is below 0.50001 units in the last place, and the linear branch is rounded correctly.
pub fn srgb_to_linear(encoded: f32) -> f32 {
    TRANSFER.of_f32(encoded)
}

fn positive(encoded: Scaled) -> f32 {
    if !at_least(encoded, SRGB_BRANCH) {
        let significand = pair_mul(encoded.significand, SRGB_SLOPE);
        return rounded(Scaled { significand, ..encoded });
    }
    let base = pair_mul(pair_add(value(encoded), SRGB_OFFSET), SRGB_SCALE);
    rounded(power(scaled_pair(base), SRGB_GAMMA))
}
