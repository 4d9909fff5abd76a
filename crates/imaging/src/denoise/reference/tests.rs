//! Denoising against what it promises: flat fields, noise of a known strength, and an edge.

use proptest::prelude::*;

use super::*;

const DEFAULT: Settings = Settings {
    strength: 3.0,
    layers: 4,
    noise: None,
};

/// Numbers of a standard normal distribution, by twelve uniform ones of a linear congruential generator each.
fn noise(count: usize) -> Vec<f32> {
    let mut state = 1u64;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / 16_777_216.0
    };
    (0..count)
        .map(|_| (0..12).map(|_| uniform()).sum::<f32>() - 6.0)
        .collect()
}

/// A raster of `level` by column with noise of `sigma`.
fn noisy(level: impl Fn(u32) -> f32, sigma: f32) -> Raster {
    let noise = noise(96 * 96);
    Raster::of(96, 96, |x, y| held(level(x) + sigma * noise[(y * 96 + x) as usize]))
}

fn variance(raster: &Raster, level: f32) -> f64 {
    let squares = raster.samples.iter().map(|sample| f64::from(sample - level).powi(2));
    squares.sum::<f64>() / raster.samples.len() as f64
}

#[test]
fn white_noise_spreads_over_the_layers_as_stated() {
    const PLACES: usize = 512;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut fine = vec![0.0; PLACES];
    fine[PLACES / 2] = 1.0;
    for (layer, spread) in SPREAD.into_iter().enumerate() {
        let mut smooth = vec![0.0; PLACES];
        for (place, value) in smooth.iter_mut().enumerate() {
            for (tap, weight) in [1.0, 4.0, 6.0, 4.0, 1.0].into_iter().enumerate() {
                *value += weight / 16.0 * fine[(place + PLACES + 2 * (1 << layer) - tap * (1 << layer)) % PLACES];
            }
        }
        // The squared norm of the outer product of one profile with itself less that of the other.
        let norm = dot(&fine, &fine).powi(2) - 2.0 * dot(&fine, &smooth).powi(2) + dot(&smooth, &smooth).powi(2);
        assert!(
            (norm.sqrt() / f64::from(spread) - 1.0).abs() < 1e-6,
            "layer {layer}: {}",
            norm.sqrt()
        );
        fine = smooth;
    }
    let expected = 1.0 / (0.674_489_750_196_081_7 * f64::from(SPREAD[0]));
    assert!((expected / f64::from(NOISE_OF_MEDIAN) - 1.0).abs() < 1e-6, "{expected}");
}

#[test]
fn the_noise_of_a_field_is_estimated_within_three_in_a_hundred() {
    for sigma in [0.001f32, 0.02, 0.3] {
        let raster = noisy(|x| x as f32 / 960.0, sigma);
        let [_, smooth] = smoothed(&raster, 0);
        let estimate = estimated(&raster, &smooth);
        assert!((estimate / sigma - 1.0).abs() < 0.03, "{estimate} for {sigma}");
    }
}

#[test]
fn the_noise_variance_of_a_flat_field_falls_fiftyfold() {
    let raster = noisy(|_| 0.5, 0.02);
    let (before, after) = (variance(&raster, 0.5), variance(&apply(&raster, &DEFAULT), 0.5));
    assert!(before > 50.0 * after, "{before:e} to {after:e}");
}

#[test]
fn an_edge_moves_by_less_than_five_standard_deviations_of_the_noise() {
    let edge = |x: u32| if x < 48 { 0.2 } else { 0.8 };
    let denoised = apply(&noisy(edge, 0.01), &DEFAULT);
    let errors = (0..96).flat_map(|y| (0..96).map(move |x| (x, y)));
    let worst = errors
        .map(|(x, y)| (denoised.at(x, y) - edge(x)).abs())
        .fold(0.0, f32::max);
    assert!(worst < 0.05, "{worst}");
}

#[test]
fn noise_that_is_told_is_not_estimated() {
    let raster = noisy(|_| 0.5, 0.02);
    let told = |noise| {
        apply(
            &raster,
            &Settings {
                noise: Some(noise),
                ..DEFAULT
            },
        )
    };
    let [_, smooth] = smoothed(&raster, 0);
    assert_eq!(told(estimated(&raster, &smooth)), apply(&raster, &DEFAULT));
    assert!(variance(&told(0.001), 0.5) > 10.0 * variance(&told(0.02), 0.5));
}

#[test]
fn the_garrote_takes_less_from_more() {
    assert_eq!(shrunk(0.25, 0.25), 0.0);
    assert_eq!(shrunk(-0.5, 0.25), -0.375);
    assert_eq!(shrunk(1.0, 0.25), 0.9375);
    assert_eq!(shrunk(1.0, 0.0), 1.0);
}

proptest! {
    #[test]
    fn a_flat_field_stays_flat(level in -2.0f32..2.0, strength in 0.0f32..20.0, layers in 1..=LAYERS) {
        let flat = Raster::of(6, 5, |_, _| held(level));
        for noise in [None, Some(0.1)] {
            prop_assert_eq!(&apply(&flat, &Settings { strength, layers, noise }), &flat);
        }
    }
}
