//! The specification of `pq_inverse_eotf`.

use isobit_exact::seal::{pair_add_f32, pair_mul_f32};

use crate::constants::constants;
use crate::scaled::{Scaled, power, ratio, rounded, scaled_pair, value};
use crate::transfer::{Extension, Transfer};

constants! {
    /// Exact, as are all that follow.
    PQ_M1: Pair = 2610.0 / 16384.0;
    PQ_M2: Pair = 2523.0 / 4096.0 * 128.0;
    PQ_C1 = 3424.0 / 4096.0;
    PQ_C2 = 2413.0 / 4096.0 * 32.0;
    PQ_C3 = 2392.0 / 4096.0 * 32.0;
}

/// The inverse of the electro-optical transfer function of SMPTE ST 2084, clipped to light from 0 to 10,000 cd/m².
pub const TRANSFER: Transfer = Transfer {
    positive,
    // c1^m2, rounded once.
    at_zero: 7.309_559e-7,
    extension: Extension::Clipped,
    wgsl: include_str!("exact.wgsl"),
    name: "pq_inverse_eotf",
    constants: CONSTANTS,
};

/// The PQ signal of display light in units of 10,000 cd/m²; from 7.3e-7 to 1.
///
/// SMPTE ST 2084, table 4 of ITU-R BT.2100. Light below 0 counts as 0, that above 1 as 1; NaN stays NaN. The error is below
/// 0.501 units in the last place.
pub fn pq_inverse_eotf(light: f32) -> f32 {
    TRANSFER.of_f32(light)
}

fn positive(light: Scaled) -> f32 {
    let root = value(power(light, PQ_M1));
    let numerator = pair_add_f32(pair_mul_f32(root, PQ_C2), PQ_C1);
    let denominator = pair_add_f32(pair_mul_f32(root, PQ_C3), 1.0);
    rounded(power(scaled_pair(ratio(numerator, denominator)), PQ_M2))
}
