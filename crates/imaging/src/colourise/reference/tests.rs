//! Colours against the palettes themselves and against their formula in f64.

use proptest::prelude::*;

use super::super::KERNEL;
use super::super::palette::PRESETS;
use super::*;
use crate::raster::LEAST;

fn level(level: u8) -> f32 {
    f32::from(level) / 255.0
}

#[test]
fn the_stops_are_met_and_their_middles_lie_between() {
    for preset in PRESETS {
        let stops = palette::stops(preset);
        let settings = Settings::new(stops, false, 1.0);
        for (index, stop) in stops.iter().enumerate() {
            let colour = colourise(index as f32 / 8.0, &settings);
            for (colour, stop) in colour.into_iter().zip(stop.map(level)) {
                assert!(
                    (colour - stop).abs() <= 1e-7,
                    "`{preset}` at {index}: {colour} for {stop}"
                );
            }
        }
        let middle = colourise(5.5 / 8.0, &settings);
        for (plane, colour) in middle.into_iter().enumerate() {
            let between = (level(stops[5][plane]) + level(stops[6][plane])) / 2.0;
            assert!((colour - between).abs() <= 1e-7, "`{preset}`: {colour} for {between}");
        }
    }
}

#[test]
fn the_default_is_heat_alone() {
    let settings = Settings::of(&KERNEL.options);
    assert_eq!(settings, Settings::new(palette::stops("heat"), false, 1.0));
    assert_eq!(colourise(0.375, &settings), [1.0, 0.0, 0.0]);
}

#[test]
fn an_inverted_palette_is_the_palette_of_the_negative() {
    let stops = palette::stops("sepia");
    let [plain, inverted] = [false, true].map(|invert| Settings::new(stops, invert, 1.0));
    for code in 0..=64u8 {
        let v = f32::from(code) / 64.0;
        assert_eq!(colourise(v, &inverted), colourise(1.0 - v, &plain));
    }
}

#[test]
fn without_strength_the_image_stays_grey() {
    for invert in [false, true] {
        let settings = Settings::new(palette::stops("spectrum"), invert, 0.0);
        for v in [0.0, LEAST, 0.1, 0.7, 1.0] {
            assert_eq!(colourise(v, &settings), [v; 3]);
        }
    }
}

#[test]
fn numbers_beyond_the_range_are_clipped_and_nan_stays() {
    for (invert, strength) in [(false, 1.0), (true, 1.0), (false, 0.25), (true, 0.25)] {
        let settings = Settings::new(palette::stops("viridis"), invert, strength);
        let [black, white] = [0.0, 1.0].map(|v| colourise(v, &settings));
        for low in [
            f32::NEG_INFINITY,
            f32::MIN,
            -1.0,
            -0.0,
            f32::from_bits(1),
            LEAST.next_down(),
        ] {
            assert_eq!(colourise(low, &settings), black, "{low:e}");
        }
        for high in [1.0f32.next_up(), f32::MAX, f32::INFINITY] {
            assert_eq!(colourise(high, &settings), white, "{high:e}");
        }
        for nan in [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff] {
            let colour = colourise(f32::from_bits(nan), &settings);
            assert!(colour.iter().all(|level| level.is_nan()), "{nan:#010x}");
        }
    }
}

proptest! {
    #[test]
    fn colours_are_those_of_f64(
        v in 0.0..=1.0f32,
        preset in prop::sample::select(PRESETS),
        invert: bool,
        strength in 0.0..=1.0f64,
    ) {
        let stops = palette::stops(preset);
        let settings = Settings::new(stops, invert, strength);
        let grey = f64::from(v);
        let place = 8.0 * if invert { 1.0 - grey } else { grey };
        let step = place.floor().min(7.0);
        for (plane, colour) in colourise(v, &settings).into_iter().enumerate() {
            let [start, end] = [0, 1].map(|more| f64::from(stops[step as usize + more][plane]) / 255.0);
            let expected = (1.0 - strength) * grey + strength * (start + (place - step) * (end - start));
            prop_assert!((f64::from(colour) - expected).abs() < 1e-6, "{colour} for {expected}");
        }
    }
}
