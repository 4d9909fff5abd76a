//! Positive numbers of 48 bits with an exponent of their own, and their powers: what transfer functions are made of.
//!
//! A [`Scaled`] is a pair of f32 times a power of two. Its exponent is an integer beside it, so subnormal samples and results
//! beyond the range of f32 are ordinary numbers until they are rounded, once, at the end. Each function takes the same
//! steps as its namesake in `scaled.wgsl`. All floats that occur are finite, and zero or at least 2^−120 in magnitude: above
//! what drivers flush. Relative errors are stated with each function; a whole power stays below 2^−41 for the exponents of
//! transfer functions, so that its one rounding to f32 errs by less than 0.50001 units in the last place.

use isobit_exact::seal::{Pair, fast_two_sum, pair_add, pair_add_f32, pair_mul, pair_mul_f32, pair_sub, two_sum};

use crate::constants::{Constant, constants};

/// The WGSL side, which needs the chunk `seal` and the declarations of [`CONSTANTS`] and [`OCTAVES`].
pub(crate) const WGSL: &str = include_str!("scaled.wgsl");

constants! {
    /// 1.5·2^23: added to a number below 2^21 in magnitude, it rounds it to an integer, to even in a tie, and holds that in
    /// its low bits.
    ROUNDER = 12_582_912.0;
    /// √2, about the middle of an octave.
    SQRT_2 = std::f64::consts::SQRT_2;
    /// log2((1 + s)/(1 − s)) = s·(LOG_0 + LOG_1·s² + …) with LOG_k = 2/((2k + 1)·ln 2), here for |s| ≤ 0.1716: the first term
    /// left out is below 2^−50 of the sum.
    LOG_0: Pair = 2.0 * std::f64::consts::LOG2_E;
    LOG_1: Pair = 2.0 * std::f64::consts::LOG2_E / 3.0;
    LOG_2: Pair = 2.0 * std::f64::consts::LOG2_E / 5.0;
    LOG_3: Pair = 2.0 * std::f64::consts::LOG2_E / 7.0;
    LOG_4 = 2.0 * std::f64::consts::LOG2_E / 9.0;
    LOG_5 = 2.0 * std::f64::consts::LOG2_E / 11.0;
    LOG_6 = 2.0 * std::f64::consts::LOG2_E / 13.0;
    LOG_7 = 2.0 * std::f64::consts::LOG2_E / 15.0;
    LOG_8 = 2.0 * std::f64::consts::LOG2_E / 17.0;
    /// 2^r = 1 + EXP_1·r + EXP_2·r² + … with EXP_k = (ln 2)^k/k!, here for |r| ≤ 1/16: the first term left out is below 2^−50.
    EXP_1: Pair = std::f64::consts::LN_2;
    EXP_2: Pair = EXP[2];
    EXP_3: Pair = EXP[3];
    EXP_4 = EXP[4];
    EXP_5 = EXP[5];
    EXP_6 = EXP[6];
    EXP_7 = EXP[7];
    /// 2^(j/8).
    OCTAVE_0: Pair = 1.0;
    OCTAVE_1: Pair = 1.090_507_732_665_257_7;
    OCTAVE_2: Pair = 1.189_207_115_002_721;
    OCTAVE_3: Pair = 1.296_839_554_651_009_7;
    OCTAVE_4: Pair = std::f64::consts::SQRT_2;
    OCTAVE_5: Pair = 1.542_210_825_407_940_7;
    OCTAVE_6: Pair = 1.681_792_830_507_429;
    OCTAVE_7: Pair = 1.834_008_086_409_342_4;
}

/// (ln 2)^k/k!.
const EXP: [f64; 8] = {
    let mut terms = [1.0; 8];
    let mut k = 1;
    while k < terms.len() {
        terms[k] = terms[k - 1] * std::f64::consts::LN_2 / k as f64;
        k += 1;
    }
    terms
};

const OCTAVES: [Pair; 8] = [
    OCTAVE_0, OCTAVE_1, OCTAVE_2, OCTAVE_3, OCTAVE_4, OCTAVE_5, OCTAVE_6, OCTAVE_7,
];

/// The constants of the WGSL side.
pub(crate) const fn constants() -> &'static [Constant] {
    CONSTANTS
}

/// The bits of infinity.
const INFINITY: u32 = 0x7f80_0000;

/// The positive number significand · 2^exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    /// A pair whose high part is a normal f32.
    pub significand: Pair,
    /// The power of two.
    pub exponent: i32,
}

impl Scaled {
    /// 1.
    pub const ONE: Self = Self {
        significand: [1.0, 0.0],
        exponent: 0,
    };
}

/// The positive finite f32 of these bits, exactly; the significand from 1 to below 2.
pub fn scaled_bits(bits: u32) -> Scaled {
    let shift = if bits < 0x0080_0000 {
        bits.leading_zeros() - 8
    } else {
        0
    };
    let normal = bits << shift;
    let field = if shift == 0 {
        (normal >> 23) as i32
    } else {
        1 - shift as i32
    };
    Scaled {
        significand: [f32::from_bits(0x3f80_0000 | (normal & 0x007f_ffff)), 0.0],
        exponent: field - 127,
    }
}

/// A pair of normal high part, its significand from 1 to below 2.
pub fn scaled_pair(pair: Pair) -> Scaled {
    let exponent = (pair[0].to_bits() >> 23) as i32 - 127;
    Scaled {
        significand: pair.map(|part| times_power_of_two(part, -exponent)),
        exponent,
    }
}

/// `code` / `max`, neither zero, with an error below 2^−44; exact where the quotient is 1.
pub fn scaled_code(code: u32, max: u32) -> Scaled {
    scaled_pair(ratio([code as f32, 0.0], [max as f32, 0.0]))
}

/// Whether `x`, rounded to f32, is at least `bound`.
pub fn at_least(x: Scaled, bound: f32) -> bool {
    let bound = scaled_pair([bound, 0.0]);
    let above = x.exponent == bound.exponent && x.significand[0] >= bound.significand[0];
    x.exponent > bound.exponent || above
}

/// `x` · 2^`exponent`, exact in the range of normal numbers; the exponent from −252 to 254.
fn times_power_of_two(x: f32, exponent: i32) -> f32 {
    let half = exponent >> 1;
    let power = |exponent: i32| f32::from_bits(((exponent + 127) << 23) as u32);
    x * power(half) * power(exponent - half)
}

/// `x` as a pair, for exponents far from the ends of the range of f32.
pub fn value(x: Scaled) -> Pair {
    x.significand.map(|part| times_power_of_two(part, x.exponent))
}

/// `x` rounded to f32, once, with a subnormal or infinite result where it lies there; the significand normalised.
pub fn rounded(x: Scaled) -> f32 {
    let [high, low] = x.significand;
    let bits = high.to_bits();
    let field = (bits >> 23) as i32 + x.exponent;
    if field >= 255 {
        return f32::from_bits(INFINITY);
    }
    if field >= 1 {
        return f32::from_bits((bits as i32 + (x.exponent << 23)) as u32);
    }
    if field < -23 {
        return 0.0;
    }
    // The significand in units of the least subnormal is an integer and a fraction of `shift` bits.
    let shift = (1 - field) as u32;
    let significand = 0x0080_0000 | (bits & 0x007f_ffff);
    let whole = significand >> shift;
    let fraction = significand & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    let low_magnitude = low.to_bits() & 0x7fff_ffff;
    let low_negative = low.to_bits() >> 31 == 1;
    let tie_up = if low_magnitude == 0 {
        whole & 1 == 1
    } else {
        !low_negative
    };
    let up = fraction > half || (fraction == half && tie_up);
    f32::from_bits(whole + u32::from(up))
}

/// About 1/x for a normal positive `x`, with an error below 2^−22: a guess by the bits, and four steps of Newton's.
fn reciprocal(x: f32) -> f32 {
    let mut guess = f32::from_bits(0x7ef3_11c3 - x.to_bits());
    for _ in 0..4 {
        guess += guess * (1.0 - x * guess);
    }
    guess
}

/// `a` / `b` of pairs, `b` positive: relative error below 2^−44.
pub fn ratio(a: Pair, b: Pair) -> Pair {
    let inverse = reciprocal(b[0]);
    let quotient = a[0] * inverse;
    let rest = pair_sub(a, pair_mul_f32(b, quotient));
    fast_two_sum(quotient, rest[0] * inverse)
}

/// log2 of `x`, whose significand is from 1 to below 2: error below 2^−43 of it.
pub fn log2(x: Scaled) -> Pair {
    // m from √½ to √2, so that logarithms of numbers near 1 lose nothing to the exponent.
    let high = x.significand[0] >= SQRT_2;
    let scale = if high { 0.5 } else { 1.0 };
    let exponent = x.exponent + i32::from(high);
    let m = x.significand.map(|part| part * scale);
    // s = (m − 1)/(m + 1), and log2 m = log2((1 + s)/(1 − s)).
    let s = ratio(pair_add_f32(m, -1.0), pair_add_f32(m, 1.0));
    // Beside 1, the square of anything smaller is nothing, and its parts would run into the subnormals.
    let large = s[0].abs() >= 1.0 / (1u64 << 36) as f32;
    let square = if large { pair_mul(s, s) } else { [0.0, 0.0] };
    let mut tail = LOG_8 * square[0] + LOG_7;
    tail = tail * square[0] + LOG_6;
    tail = tail * square[0] + LOG_5;
    tail = tail * square[0] + LOG_4;
    let mut sum = pair_add(LOG_3, pair_mul_f32(square, tail));
    sum = pair_add(LOG_2, pair_mul(square, sum));
    sum = pair_add(LOG_1, pair_mul(square, sum));
    sum = pair_add(LOG_0, pair_mul(square, sum));
    pair_add_f32(pair_mul(s, sum), exponent as f32)
}

/// 2^`x`, |x| below 2^18: relative error below 2^−44.
pub fn exp2(x: Pair) -> Scaled {
    // x = n/8 + r with |r| ≤ 1/16.
    let eighths = x[0] * 8.0 + ROUNDER;
    let n = eighths.to_bits() as i32 - ROUNDER.to_bits() as i32;
    let r = two_sum(x[0] - (eighths - ROUNDER) * 0.125, x[1]);
    let mut tail = EXP_7 * r[0] + EXP_6;
    tail = tail * r[0] + EXP_5;
    tail = tail * r[0] + EXP_4;
    let mut sum = pair_add(EXP_3, pair_mul_f32(r, tail));
    sum = pair_add(EXP_2, pair_mul(r, sum));
    sum = pair_add(EXP_1, pair_mul(r, sum));
    // 2^r − 1, and 2^(j/8) times 2^r.
    let less_one = pair_mul(r, sum);
    let octave = OCTAVES[(n & 7) as usize];
    Scaled {
        significand: pair_add(octave, pair_mul(octave, less_one)),
        exponent: n >> 3,
    }
}

/// `x`^`exponent`; the significand of `x` from 1 to below 2.
pub fn power(x: Scaled, exponent: Pair) -> Scaled {
    exp2(pair_mul(log2(x), exponent))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn as_f64(x: Scaled) -> f64 {
        let [high, low] = x.significand.map(f64::from);
        (high + low) * 2f64.powi(x.exponent)
    }

    fn positive() -> impl Strategy<Value = f32> {
        (1..INFINITY).prop_map(f32::from_bits)
    }

    proptest! {
        #[test]
        fn an_f32_is_taken_apart_and_put_together(x in positive()) {
            let scaled = scaled_bits(x.to_bits());
            prop_assert!((1.0..2.0).contains(&scaled.significand[0]));
            prop_assert_eq!(as_f64(scaled), f64::from(x));
            prop_assert_eq!(rounded(scaled), x);
        }

        #[test]
        fn rounding_is_that_of_f64_to_f32(high in 1.0f32..2.0, low in -0.49f32..0.49, exponent in -160..130) {
            let significand = fast_two_sum(high, low * f32::EPSILON * 0.5);
            let x = Scaled { significand, exponent };
            prop_assert_eq!(rounded(x), as_f64(x) as f32);
            let tie = Scaled { significand: [high, 0.0], exponent };
            prop_assert_eq!(rounded(tie), as_f64(tie) as f32);
        }

        #[test]
        fn quotients_keep_their_bound(a in 1.0f32..2.0, b in 1e-3f32..1e3) {
            let [high, low] = ratio([a, 0.0], [b, 0.0]).map(f64::from);
            let exact = f64::from(a) / f64::from(b);
            prop_assert!(((high + low) / exact - 1.0).abs() < 2f64.powi(-44));
        }

        #[test]
        fn logarithms_keep_their_bound(x in prop_oneof![positive(), 0.5f32..2.0, 0.999f32..1.001]) {
            let [high, low] = log2(scaled_bits(x.to_bits())).map(f64::from);
            let exact = libm::log2(f64::from(x));
            prop_assert!((high + low - exact).abs() <= exact.abs() * 2f64.powi(-43), "{high} {low} {exact}");
        }

        #[test]
        fn powers_of_two_keep_their_bound(x in -200.0f32..200.0, low in -0.49f32..0.49) {
            let pair = fast_two_sum(x, low * x * f32::EPSILON * 0.5);
            let exact = libm::exp2(f64::from(pair[0]) + f64::from(pair[1]));
            prop_assert!((as_f64(exp2(pair)) / exact - 1.0).abs() < 2f64.powi(-44));
        }
    }

    #[test]
    fn the_octaves_are_powers_of_two() {
        for (j, octave) in (0..8).zip(OCTAVES) {
            let [high, low] = octave.map(f64::from);
            assert!(
                (high + low - libm::exp2(f64::from(j) / 8.0)).abs() < 2f64.powi(-48),
                "{j}"
            );
        }
    }

    #[test]
    fn powers_of_one_are_one() {
        assert_eq!(power(Scaled::ONE, [2.4, 1e-9]), Scaled::ONE);
        for max in [255, 1023, 4095, 65_535] {
            assert_eq!(scaled_code(max, max), Scaled::ONE);
        }
    }
}
