//! Convolution against sums in f64.

use proptest::prelude::*;

use super::*;

#[test]
fn an_impulse_spreads_to_the_weights_of_its_taps() {
    let taps = [
        Tap {
            offset: [2, 1],
            weight: 0.125,
        },
        Tap {
            offset: [0, 1],
            weight: 0.25,
        },
    ];
    let impulse = Raster::of(7, 5, |x, y| f32::from(u8::from((x, y) == (3, 2))));
    let spread = convolved(&impulse, &taps);
    let expected = Raster::of(7, 5, |x, y| match (x, y) {
        (1, 1) | (5, 3) => 0.125,
        (3, 1) | (3, 3) | (3, 2) => 0.25,
        _ => 0.0,
    });
    assert_eq!(spread, expected);
}

#[test]
fn places_beyond_an_edge_are_taken_from_it() {
    let row = Raster::of(3, 1, |x, _| [1.0, 2.0, 8.0][x as usize]);
    let [across, down] = separable(&[0.25], 2);
    assert_eq!(convolved(&row, &across).samples, [2.75, 3.25, 6.25]);
    assert_eq!(convolved(&row, &down), row);
}

#[test]
fn weights_follow_the_normal_distribution() {
    for (sigma, radius) in [(0.2f32, 1), (0.34, 2), (0.67, 3), (1.5, 5), (3.0, 9), (20.0, 60)] {
        let density = |distance: u32| (-f64::from(distance).powi(2) / (2.0 * f64::from(sigma).powi(2))).exp();
        let total: f64 = 1.0 + 2.0 * (1..=radius).map(density).sum::<f64>();
        let weights = gaussian(sigma, radius);
        assert_eq!(weights.len(), radius as usize);
        for (weight, distance) in weights.into_iter().zip((1..=radius).rev()) {
            let expected = density(distance) / total;
            assert!(
                (f64::from(weight) / expected - 1.0).abs() < 4e-6,
                "{sigma} {distance}: {weight:e} {expected:e}"
            );
        }
    }
}

proptest! {
    #[test]
    fn a_weight_is_none_or_large_enough(sigma in 0.2f32..20.0, beyond in 0u32..8) {
        let radius = (3.0 * sigma).ceil() as u32;
        for weight in gaussian(sigma, if sigma < 6.0 { radius + beyond } else { radius }) {
            prop_assert!(weight == 0.0 || (LEAST_WEIGHT..0.5).contains(&weight), "{}", weight);
        }
    }

    #[test]
    fn a_flat_field_stays_as_it_is(level in -2.0f32..2.0, sigma in 0.2f32..3.0) {
        let level = held(level);
        let flat = Raster::of(5, 4, |_, _| level);
        for taps in separable(&gaussian(sigma, 9), 1) {
            prop_assert_eq!(&convolved(&flat, &taps), &flat);
        }
    }

    #[test]
    fn sums_are_those_of_double_precision(samples in prop::collection::vec(0.0f32..1.0, 35), sigma in 0.2f32..3.0) {
        let raster = Raster { width: 7, height: 5, samples: samples.into_iter().map(held).collect() };
        let [across, _] = separable(&gaussian(sigma, 9), 1);
        let convolved = convolved(&raster, &across);
        for (y, x) in (0..5).flat_map(|y| (0..7).map(move |x| (y, x))) {
            let at = |x: i64| f64::from(raster.clamped(x, y));
            let side: f64 = across.iter().map(|tap| f64::from(tap.weight)).sum();
            let terms = across.iter().map(|tap| {
                let distance = i64::from(tap.offset[0]);
                f64::from(tap.weight) * (at(x - distance) + at(x + distance))
            });
            let expected = at(x) * (1.0 - 2.0 * side) + terms.sum::<f64>();
            prop_assert!((f64::from(convolved.clamped(x, y)) - expected).abs() < 1e-6);
        }
    }
}
