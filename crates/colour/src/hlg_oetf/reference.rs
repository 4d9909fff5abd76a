//! The specification of `hlg_oetf`.

use isobit_exact::seal::{pair_add, pair_mul, pair_mul_f32, pair_sub};

use crate::constants::constants;
use crate::scaled::{Scaled, at_least, log2, power, rounded, scaled_pair, value};
use crate::transfer::{Extension, Transfer};

constants! {
    /// The f32 nearest to the branch point; it lies above it.
    HLG_BRANCH = 1.0 / 12.0;
    HLG_HALF: Pair = 0.5;
    /// a·ln 2: the standard's logarithm is natural.
    HLG_SCALE: Pair = 0.178_832_77 * std::f64::consts::LN_2;
    /// b = 1 − 4a.
    HLG_B: Pair = 0.284_668_92;
    /// c = 0.5 − a·ln 4a.
    HLG_C: Pair = 0.559_910_729_529_562;
}

/// The opto-electronic transfer function of ARIB STD-B67, clipped to light from 0 to 1.
pub const TRANSFER: Transfer = Transfer {
    positive,
    at_zero: 0.0,
    extension: Extension::Clipped,
    wgsl: include_str!("exact.wgsl"),
    name: "hlg_oetf",
    constants: CONSTANTS,
};

/// The HLG signal of scene light, both from 0 to 1.
///
/// ARIB STD-B67, table 5 of ITU-R BT.2100. Light below 0 counts as 0, that above 1 as 1; NaN stays NaN. The error is below
/// 0.501 units in the last place.
pub fn hlg_oetf(light: f32) -> f32 {
    TRANSFER.of_f32(light)
}

fn positive(light: Scaled) -> f32 {
    if !at_least(light, HLG_BRANCH) {
        let triple = scaled_pair(pair_mul_f32(light.significand, 3.0));
        let exponent = triple.exponent + light.exponent;
        return rounded(power(Scaled { exponent, ..triple }, HLG_HALF));
    }
    let argument = pair_sub(pair_mul_f32(value(light), 12.0), HLG_B);
    let significand = pair_add(pair_mul(log2(scaled_pair(argument)), HLG_SCALE), HLG_C);
    rounded(Scaled {
        significand,
        exponent: 0,
    })
}
