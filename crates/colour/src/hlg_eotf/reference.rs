//! The specification of `hlg_eotf`.

use isobit_exact::seal::{pair_add, pair_mul, pair_mul_f32, pair_sub};

use crate::constants::constants;
use crate::scaled::{Scaled, at_least, exp2, power, rounded, scaled_bits, scaled_pair, value};
use crate::transfer::{Extension, Transfer};

constants! {
    HLG_BRANCH = 0.5f32.next_up() as f64;
    HLG_THIRD: Pair = 1.0 / 3.0;
    HLG_TWELFTH: Pair = 1.0 / 12.0;
    /// log2(e)/a: the standard's exponential is natural.
    HLG_INVERSE_SCALE: Pair = std::f64::consts::LOG2_E / 0.178_832_77;
    /// b = 1 − 4a.
    HLG_B: Pair = 0.284_668_92;
    /// c = 0.5 − a·ln 4a.
    HLG_C: Pair = 0.559_910_729_529_562;
    /// γ − 1 for a display of 1,000 cd/m².
    HLG_GAMMA_LESS_1: Pair = 0.2;
    /// Luminance of the primaries of BT.2020.
    HLG_RED = 0.2627;
    HLG_GREEN = 0.6780;
    HLG_BLUE = 0.0593;
    /// Scene light below this, 2^−90 of the white, counts as none.
    HLG_LEAST = 1.0 / (1u128 << 90) as f64;
}

/// The inverse of the opto-electronic transfer function of ARIB STD-B67, clipped to signals from 0 to 1.
pub const INVERSE_OETF: Transfer = Transfer {
    positive,
    at_zero: 0.0,
    extension: Extension::Clipped,
    wgsl: include_str!("exact.wgsl"),
    name: "hlg_inverse_oetf",
    constants: CONSTANTS,
};

fn positive(signal: Scaled) -> f32 {
    if !at_least(signal, HLG_BRANCH) {
        let square = scaled_pair(pair_mul(signal.significand, signal.significand));
        return rounded(Scaled {
            significand: pair_mul(square.significand, HLG_THIRD),
            exponent: square.exponent + 2 * signal.exponent,
        });
    }
    let exponent = pair_mul(pair_sub(value(signal), HLG_C), HLG_INVERSE_SCALE);
    let significand = pair_mul(pair_add(value(exp2(exponent)), HLG_B), HLG_TWELFTH);
    rounded(Scaled {
        significand,
        exponent: 0,
    })
}

/// Display light of an HLG pixel, R, G and B from 0 to 1 in units of 1,000 cd/m².
///
/// ITU-R BT.2100, table 5: the inverse of the opto-electronic transfer function, then the opto-optical one of a display whose
/// nominal peak is 1,000 cd/m², hence a system gamma of 1.2, and whose black is 0. Each component is multiplied by the
/// luminance of the scene light to the power of 0.2. Signals below 0 count as 0, those above 1 as 1; a component that is NaN
/// makes all three NaN. The error is below 2 units in the last place.
pub fn hlg_eotf(signal: [f32; 3]) -> [f32; 3] {
    display(signal.map(|component| INVERSE_OETF.of_f32(component)))
}

/// The opto-optical transfer function.
pub(super) fn display(scene: [f32; 3]) -> [f32; 3] {
    if scene.iter().any(|light| light.is_nan()) {
        return [f32::NAN; 3];
    }
    let scene = scene.map(|light| if light < HLG_LEAST { 0.0 } else { light });
    let luminance = HLG_RED * scene[0] + HLG_GREEN * scene[1] + HLG_BLUE * scene[2];
    if luminance == 0.0 {
        return [0.0; 3];
    }
    let gain = power(scaled_bits(luminance.to_bits()), HLG_GAMMA_LESS_1);
    scene.map(|light| {
        if light == 0.0 {
            return 0.0;
        }
        let scaled = scaled_bits(light.to_bits());
        rounded(Scaled {
            significand: pair_mul_f32(gain.significand, scaled.significand[0]),
            exponent: gain.exponent + scaled.exponent,
        })
    })
}
