//! Holds both sRGB references to exact rational arithmetic, and to the properties that the definition promises.

use colour::linear_to_srgb::{self, linear_to_srgb};
use colour::srgb_to_linear::{self, srgb_to_linear};
use isobit::format::Depth;
use num_bigint::BigInt;
use proptest::prelude::*;

/// An exact fraction with a positive denominator.
#[derive(Clone)]
struct Fraction {
    numerator: BigInt,
    denominator: BigInt,
}

impl Fraction {
    fn new(numerator: i64, denominator: i64) -> Self {
        Self {
            numerator: numerator.into(),
            denominator: denominator.into(),
        }
    }

    /// A finite double, exactly.
    fn from_f64(value: f64) -> Self {
        let bits = value.abs().to_bits();
        let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let significand = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        // value = significand · 2^power
        let power = exponent.max(1) - 1075;
        let signed = BigInt::from(significand) * if value < 0.0 { -1 } else { 1 };
        Self {
            numerator: signed << power.max(0),
            denominator: BigInt::from(1) << (-power).max(0),
        }
    }

    /// `(self · scale) + offset`
    fn affine(&self, scale: &Self, offset: &Self) -> Self {
        let scaled = &self.numerator * &scale.numerator;
        let denominator = &self.denominator * &scale.denominator;
        Self {
            numerator: scaled * &offset.denominator + &offset.numerator * &denominator,
            denominator: denominator * &offset.denominator,
        }
    }

    fn pow(&self, exponent: u32) -> Self {
        Self {
            numerator: self.numerator.pow(exponent),
            denominator: self.denominator.pow(exponent),
        }
    }

    fn at_most(&self, other: &Self) -> bool {
        &self.numerator * &other.denominator <= &other.numerator * &self.denominator
    }
}

/// Whether `candidate` ≤ the linear light of `encoded`, both not negative. x^2.4 ≥ y just where x^12 ≥ y^5.
fn at_most_linear(candidate: &Fraction, encoded: &Fraction) -> bool {
    if encoded.at_most(&Fraction::new(4045, 100_000)) {
        return candidate.at_most(&encoded.affine(&Fraction::new(100, 1292), &Fraction::new(0, 1)));
    }
    let base = encoded.affine(&Fraction::new(1000, 1055), &Fraction::new(55, 1055));
    candidate.pow(5).at_most(&base.pow(12))
}

/// Whether `candidate` ≤ the sRGB value of `linear`, both not negative.
fn at_most_encoded(candidate: &Fraction, linear: &Fraction) -> bool {
    if linear.at_most(&Fraction::new(31_308, 10_000_000)) {
        return candidate.at_most(&linear.affine(&Fraction::new(1292, 100), &Fraction::new(0, 1)));
    }
    let base = candidate.affine(&Fraction::new(1000, 1055), &Fraction::new(55, 1055));
    base.pow(12).at_most(&linear.pow(5))
}

/// Whether `rounded` is the f32 nearest to the exact value that `at_most` compares with. The halfway points between
/// neighbouring f32 are exact in f64.
fn is_nearest(rounded: f32, at_most: impl Fn(&Fraction) -> bool) -> bool {
    let halfway = |neighbour: f32| Fraction::from_f64((f64::from(rounded) + f64::from(neighbour)) / 2.0);
    let above_lower = rounded == 0.0 || at_most(&halfway(rounded.next_down()));
    above_lower && !at_most(&halfway(rounded.next_up()))
}

fn codes() -> impl Iterator<Item = (u32, u32)> {
    let maxima = Depth::INTEGER.into_iter().filter_map(Depth::max_code);
    maxima.flat_map(|max| (0..=max).map(move |code| (code, max)))
}

#[test]
fn every_code_of_every_depth_is_decoded_to_the_nearest_f32() {
    for (code, max) in codes() {
        let rounded = srgb_to_linear::TRANSFER.of_code(code, max);
        let exact = Fraction::new(code.into(), max.into());
        assert!(
            is_nearest(rounded, |c| at_most_linear(c, &exact)),
            "{code} of {max}: {rounded}"
        );
    }
}

#[test]
fn every_code_of_every_depth_is_encoded_to_the_nearest_f32() {
    for (code, max) in codes() {
        let rounded = linear_to_srgb::TRANSFER.of_code(code, max);
        let exact = Fraction::new(code.into(), max.into());
        assert!(
            is_nearest(rounded, |c| at_most_encoded(c, &exact)),
            "{code} of {max}: {rounded}"
        );
    }
}

#[test]
fn both_sides_of_each_branch_point_are_the_nearest_f32() {
    for (branch, function, at_most) in [
        (
            0.04045f32,
            srgb_to_linear as fn(f32) -> f32,
            at_most_linear as fn(&Fraction, &Fraction) -> bool,
        ),
        (0.003_130_8, linear_to_srgb, at_most_encoded),
    ] {
        for value in [branch.next_down(), branch, branch.next_up()] {
            let exact = Fraction::from_f64(value.into());
            let rounded = function(value);
            assert!(is_nearest(rounded, |c| at_most(c, &exact)), "{value}: {rounded}");
        }
    }
}

#[test]
fn special_values_are_kept() {
    for function in [srgb_to_linear, linear_to_srgb] {
        for kept in [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, 1.0, -1.0] {
            assert_eq!(function(kept).to_bits(), f32::to_bits(kept), "{kept}");
        }
        assert!(function(f32::NAN).is_nan());
    }
}

/// Any f32 that is a number.
fn numbers() -> impl Strategy<Value = f32> {
    prop_oneof![any::<f32>(), -2.0f32..2.0, 0.0f32..0.05].prop_filter("a number", |v| !v.is_nan())
}

/// The formulas over f64 with `libm::pow`, as an independent evaluation for numbers far from those that codes stand for.
fn decoded(encoded: f64) -> f64 {
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        libm::pow((encoded + 0.055) / 1.055, 2.4)
    }
}

fn encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
    }
}

/// Whether `rounded` is within 0.50001 units in the last place of `exact`: it is the nearest f32, or `exact` lies so close to
/// the middle of two that 1e-5 units decide.
fn is_nearly_nearest(rounded: f32, exact: f64) -> bool {
    let nearest = exact as f32;
    let slack = exact.abs() * 1e-5 * f64::from(f32::EPSILON);
    rounded == nearest || rounded == (exact - slack) as f32 || rounded == (exact + slack) as f32
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn every_number_is_mapped_to_the_nearest_f32_or_nearly(value in numbers()) {
        let magnitude = f64::from(value.abs());
        prop_assert!(is_nearly_nearest(srgb_to_linear(value.abs()), decoded(magnitude)));
        prop_assert!(is_nearly_nearest(linear_to_srgb(value.abs()), encoded(magnitude)));
    }

    #[test]
    fn both_are_odd(value in numbers()) {
        for function in [srgb_to_linear, linear_to_srgb] {
            prop_assert_eq!(function(-value).to_bits(), (-function(value)).to_bits());
        }
    }

    #[test]
    fn both_never_fall(a in numbers(), b in numbers()) {
        for function in [srgb_to_linear, linear_to_srgb] {
            let (low, high) = (a.min(b), a.max(b));
            prop_assert!(function(low) <= function(high));
        }
    }

    #[test]
    fn a_round_trip_returns_within_the_gap_of_the_branch_points(value in -2.0f32..2.0) {
        // The standard's two branches meet only to its printed digits: at the branch points they are up to 1e-7 apart.
        let bound = f64::from(value.abs()) * 4.0 * f64::from(f32::EPSILON) + 1e-7;
        prop_assert!((f64::from(linear_to_srgb(srgb_to_linear(value))) - f64::from(value)).abs() <= bound);
        prop_assert!((f64::from(srgb_to_linear(linear_to_srgb(value))) - f64::from(value)).abs() <= bound);
    }
}
