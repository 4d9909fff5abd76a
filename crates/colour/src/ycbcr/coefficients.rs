//! Both matrices in fixed point, rounded once from exact fractions.
//!
//! A coefficient has 29 fractional bits and is applied to samples in eighths of a code, so that the upper word of a 64-bit
//! sum is a code. A coefficient, and what the coefficients of a row add up to, is off by at most 2^−30. That puts a sum within
//! 2^(d−28) code of the exact value, and the result is the nearest code unless the exact value is as close as that to the
//! middle between two codes. The magnitudes of a sum stay below 2^53, even for words that hold codes beyond their depth.

use super::{Variant, max_code};

/// Fractional bits of a coefficient.
pub const FRACTION_BITS: u32 = 29;

/// What is added to a sum before its upper word is taken: half a code.
pub(crate) const HALF: i64 = 1 << 31;

/// From Y'CbCr to R'G'B' codes of the full range; all are magnitudes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToRgb {
    /// Luma in all three.
    pub luma: u32,
    /// Cr in red.
    pub cr_in_red: u32,
    /// Cb in green, subtracted.
    pub cb_in_green: u32,
    /// Cr in green, subtracted.
    pub cr_in_green: u32,
    /// Cb in blue.
    pub cb_in_blue: u32,
}

/// From R'G'B' codes of the full range to Y'CbCr: red, green and blue, as magnitudes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FromRgb {
    /// Luma.
    pub luma: [u32; 3],
    /// Cb: blue less red and green.
    pub cb: [u32; 3],
    /// Cr: red less green and blue.
    pub cr: [u32; 3],
}

impl ToRgb {
    /// The coefficients at depth `bits`, 8 to 16.
    pub const fn new(variant: Variant, bits: u32) -> Self {
        let [red, green, blue] = weights(variant);
        let max = max_code(bits) as i128;
        let (luma, chroma) = (variant.luma_span(bits) as i128, variant.chroma_span(bits) as i128);
        Self {
            luma: fixed(max, luma),
            cr_in_red: fixed(2 * (ONE - red) * max, ONE * chroma),
            cb_in_green: fixed(2 * blue * (ONE - blue) * max, ONE * green * chroma),
            cr_in_green: fixed(2 * red * (ONE - red) * max, ONE * green * chroma),
            cb_in_blue: fixed(2 * (ONE - blue) * max, ONE * chroma),
        }
    }
}

impl FromRgb {
    /// The coefficients at depth `bits`, 8 to 16.
    ///
    /// Green is what the others leave, so that white is white and grey has no chroma.
    pub const fn new(variant: Variant, bits: u32) -> Self {
        let [red, _, blue] = weights(variant);
        let max = max_code(bits) as i128;
        let (luma, chroma) = (variant.luma_span(bits) as i128, variant.chroma_span(bits) as i128);
        let (luma_red, luma_blue) = (fixed(red * luma, ONE * max), fixed(blue * luma, ONE * max));
        let half = fixed(chroma, 2 * max);
        let red_in_cb = fixed(red * chroma, 2 * (ONE - blue) * max);
        let blue_in_cr = fixed(blue * chroma, 2 * (ONE - red) * max);
        Self {
            luma: [luma_red, fixed(luma, max) - luma_red - luma_blue, luma_blue],
            cb: [red_in_cb, half - red_in_cb, half],
            cr: [half, half - blue_in_cr, blue_in_cr],
        }
    }
}

/// The denominator of [`super::Weights`].
const ONE: i128 = 10_000;

/// K_R, K_G and K_B in units of 1 / [`ONE`].
const fn weights(variant: Variant) -> [i128; 3] {
    let (red, blue) = (variant.weights.red as i128, variant.weights.blue as i128);
    [red, ONE - red - blue, blue]
}

/// The fixed-point number nearest to a fraction that is not negative.
const fn fixed(numerator: i128, denominator: i128) -> u32 {
    (((numerator << (FRACTION_BITS + 1)) + denominator) / (2 * denominator)) as u32
}

#[cfg(test)]
mod tests {
    use super::super::VARIANTS;
    use super::*;

    #[test]
    fn a_sum_of_any_words_fits_64_bits() {
        let samples = (i128::from(u16::MAX) << 3) * 3;
        for variant in VARIANTS {
            for bits in [8, 10, 12, 16] {
                let to = ToRgb::new(variant, bits);
                let from = FromRgb::new(variant, bits);
                let all = [to.luma, to.cr_in_red, to.cb_in_green, to.cr_in_green, to.cb_in_blue];
                let largest = all
                    .into_iter()
                    .chain([from.luma, from.cb, from.cr].concat())
                    .max()
                    .unwrap();
                assert!(samples * i128::from(largest) < 1 << 53);
                // A device converts no number of 2^31 or more to float with every bit.
                assert!(largest < 1 << 31);
            }
        }
    }

    #[test]
    fn the_matrices_are_inverse_to_each_other() {
        let one = f64::from(1u32 << FRACTION_BITS);
        for variant in VARIANTS {
            for bits in [8, 10, 12, 16] {
                let to = ToRgb::new(variant, bits);
                let from = FromRgb::new(variant, bits);
                let f = |v: u32| f64::from(v) / one;
                let to = [
                    [f(to.luma), 0.0, f(to.cr_in_red)],
                    [f(to.luma), -f(to.cb_in_green), -f(to.cr_in_green)],
                    [f(to.luma), f(to.cb_in_blue), 0.0],
                ];
                let [y, cb, cr] = [from.luma, from.cb, from.cr].map(|row| row.map(f));
                let from = [y, [-cb[0], -cb[1], cb[2]], [cr[0], -cr[1], -cr[2]]];
                for (i, row) in to.iter().enumerate() {
                    for j in 0..3 {
                        let entry: f64 = row.iter().zip(&from).map(|(a, b)| a * b[j]).sum();
                        let identity = f64::from(u8::from(i == j));
                        assert!(
                            (entry - identity).abs() < 2e-8,
                            "{variant:?} {bits} [{i}][{j}]: {entry}"
                        );
                    }
                }
            }
        }
    }
}
