//! How far an f32 lies from what it stands for.

use crate::functions::CANONICAL_F32;

/// The distance of `actual` from `exact` in units in the last place of an f32 of that size, an infinity being 2^128; infinite
/// where the sign differs or only one is NaN, and where a NaN is not the canonical one.
pub fn error_in_ulp(actual: f32, exact: f64) -> f64 {
    if exact.is_nan() || actual.is_nan() {
        let same = exact.is_nan() && actual.to_bits() == CANONICAL_F32;
        return if same { 0.0 } else { f64::INFINITY };
    }
    if actual.is_sign_negative() != exact.is_sign_negative() {
        return f64::INFINITY;
    }
    let power = |exponent: u64| f64::from_bits((1023 + exponent) << 52);
    let end = power(128);
    let bounded = |value: f64| value.clamp(-end, end);
    let binade = f64::from_bits(exact.to_bits() & 0x7ff0_0000_0000_0000);
    let ulp = binade.clamp(1.0 / power(126), power(127)) / power(23);
    (bounded(actual.into()) - bounded(exact)).abs() / ulp
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_in_units_of_the_exact_value() {
        let ulp = f64::from(f32::EPSILON);
        assert_eq!(error_in_ulp(1.0, 1.0 + ulp / 4.0), 0.25);
        assert_eq!(error_in_ulp(2.0, 2.0 - ulp), 1.0);
        assert_eq!(error_in_ulp(f32::from_bits(1), 2f64.powi(-150)), 0.5);
        assert_eq!(error_in_ulp(f32::INFINITY, 1e300), 0.0);
        assert_eq!(error_in_ulp(f32::MAX, f64::INFINITY), 1.0);
        assert_eq!(error_in_ulp(0.0, -0.0), f64::INFINITY);
        assert_eq!(error_in_ulp(f32::from_bits(CANONICAL_F32), f64::NAN), 0.0);
        assert_eq!(error_in_ulp(f32::from_bits(0xffc0_0000), f64::NAN), f64::INFINITY);
        assert_eq!(error_in_ulp(1.0, f64::NAN), f64::INFINITY);
    }
}
