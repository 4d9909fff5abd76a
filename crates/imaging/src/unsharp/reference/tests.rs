//! The unsharp mask against its formula in f64.

use proptest::prelude::*;

use super::*;

const fn settings(radius: f32, amount: f32, threshold: f32) -> Settings {
    Settings {
        radius,
        amount,
        threshold,
    }
}

/// The sharpened sample in column `x` of row `y`, without a threshold.
fn oracle(raster: &Raster, settings: &Settings, x: u32, y: u32) -> f64 {
    let sigma = f64::from(settings.radius);
    let reach = (3.0 * sigma).ceil() as i64;
    let weight = |distance: i64| (-(distance * distance) as f64 / (2.0 * sigma * sigma)).exp();
    let (mut sum, mut weights) = (0.0, 0.0);
    for (i, j) in (-reach..=reach).flat_map(|i| (-reach..=reach).map(move |j| (i, j))) {
        let weight = weight(i) * weight(j);
        sum += weight * f64::from(raster.clamped(i64::from(x) + i, i64::from(y) + j));
        weights += weight;
    }
    let sample = f64::from(raster.at(x, y));
    sample + f64::from(settings.amount) * (sample - sum / weights)
}

proptest! {
    #[test]
    fn samples_are_those_of_the_formula(samples in prop::collection::vec(0.0f32..1.0, 63), radius in 0.2f32..4.0, amount in 0.0f32..3.0) {
        let raster = Raster { width: 9, height: 7, samples: samples.into_iter().map(held).collect() };
        let settings = settings(radius, amount, 0.0);
        let sharpened = apply(&raster, &settings);
        for (x, y) in (0..9).flat_map(|x| (0..7).map(move |y| (x, y))) {
            let expected = oracle(&raster, &settings, x, y);
            prop_assert!((f64::from(sharpened.at(x, y)) - expected).abs() < 3e-6, "{} {}", sharpened.at(x, y), expected);
        }
    }

    #[test]
    fn a_flat_field_stays_flat(level in -2.0f32..2.0, radius in 0.2f32..20.0, amount in 0.0f32..10.0) {
        let flat = Raster::of(6, 5, |_, _| held(level));
        prop_assert_eq!(&apply(&flat, &settings(radius, amount, 0.0)), &flat);
    }
}

#[test]
fn no_amount_changes_nothing() {
    let raster = Raster::of(8, 8, |x, y| (x * y) as f32 / 64.0);
    assert_eq!(apply(&raster, &settings(2.0, 0.0, 0.0)), raster);
}

#[test]
fn a_difference_counts_from_the_threshold_on() {
    let at = |threshold| sharpened(0.75, 0.5, &settings(1.0, 2.0, threshold));
    assert_eq!(at(0.0), 1.25);
    assert_eq!(at(0.25), 1.25);
    assert_eq!(at(0.25f32.next_up()), 0.75);
    assert_eq!(sharpened(0.25, 0.5, &settings(1.0, 2.0, 0.25)), -0.25);
}

#[test]
fn a_difference_that_equals_the_threshold_counts() {
    // The matrix has a variant with this threshold: what the blur leaves diagonally next to a point of 1.
    let threshold = 0.058581535f32;
    let point = Raster::of(15, 15, |x, y| f32::from(u8::from((x, y) == (7, 7))));
    let beside = |threshold: f32| apply(&point, &settings(1.0, 2.0, threshold)).at(8, 6);
    assert_eq!(beside(threshold), -2.0 * threshold);
    assert_eq!(beside(threshold.next_up()), 0.0);
}
