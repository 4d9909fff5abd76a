//! Tones against formulas in f64 and values worked out by hand.

use proptest::prelude::*;

use super::super::KERNEL;
use super::*;
use crate::raster::{GREATEST, LEAST};

const NEUTRAL: Levels = Levels {
    black: 0.0,
    white: 1.0,
    gamma: 1.0,
    output_black: 0.0,
    output_white: 1.0,
};

fn toned(samples: &[f32], levels: &Levels, points: &Points) -> Vec<f32> {
    let raster = Raster {
        width: samples.len() as u32,
        height: 1,
        samples: samples.to_vec(),
    };
    apply(&raster, &Settings::new(levels, points).unwrap()).samples
}

#[test]
fn the_defaults_of_the_options_clip_and_do_no_more() {
    let settings = Settings::of(&KERNEL.options).unwrap();
    assert_eq!(settings, Settings::new(&NEUTRAL, &curve::STRAIGHT).unwrap());
    let samples = [
        -GREATEST,
        -LEAST,
        0.0,
        LEAST,
        0.3,
        1.0f32.next_down(),
        1.0,
        1.5,
        GREATEST,
    ];
    let expected = [0.0, 0.0, 0.0, LEAST, 0.3, 1.0f32.next_down(), 1.0, 1.0, 1.0];
    assert_eq!(toned(&samples, &NEUTRAL, &curve::STRAIGHT), expected);
}

#[test]
fn black_and_white_become_what_the_output_says_and_beyond_them_nothing_changes() {
    let levels = Levels {
        black: 0.25,
        white: 0.75,
        gamma: 2.0,
        output_black: 0.125,
        output_white: 0.625,
    };
    // A quarter of the range has half of the light at a gamma of 2.
    let samples = [0.0, 0.25, 0.375, 0.75, 3.0];
    assert_eq!(
        toned(&samples, &levels, &curve::STRAIGHT),
        [0.125, 0.125, 0.375, 0.625, 0.625]
    );
    let inverted = Levels {
        output_black: 1.0,
        output_white: 0.0,
        ..NEUTRAL
    };
    assert_eq!(toned(&[0.0, 0.25, 1.0], &inverted, &curve::STRAIGHT), [1.0, 0.75, 0.0]);
}

#[test]
fn white_at_or_below_black_is_refused() {
    for (black, white) in [(0.5, 0.5), (0.5, 0.25), (0.5, 0.50001)] {
        let levels = Levels {
            black,
            white,
            ..NEUTRAL
        };
        let message = Settings::new(&levels, &curve::STRAIGHT).unwrap_err().to_string();
        let reason = format!("`white` at {white} is not above `black` at {black} by a step of 16 bits");
        assert!(message.ends_with(&reason), "{message}");
    }
}

#[test]
fn a_curve_meets_its_points_and_takes_the_middle_of_a_quarter_by_its_slopes() {
    let points = [0.0, 0.125, 0.5, 0.875, 1.0];
    let samples = [0.0, 0.125, 0.25, 0.5, 0.75, 1.0];
    // In the first quarter the slopes are 0.125 and 0.25: half of the chord less an eighth of their difference.
    let expected = [0.0, 0.0625 - 0.125 / 8.0, 0.125, 0.5, 0.875, 1.0];
    assert_eq!(toned(&samples, &NEUTRAL, &points), expected);
}

#[test]
fn a_curve_that_is_level_and_turns_stays_among_its_points() {
    let points = [1.0, 0.0, 0.0, 1.0, 0.5];
    let samples: Vec<f32> = (0..=1000u16).map(|step| f32::from(step) / 1000.0).collect();
    let toned = toned(&samples, &NEUTRAL, &points);
    assert!(toned[250..=500].iter().all(|&y| y == 0.0), "{:?}", &toned[250..=500]);
    assert!(toned[..=250].is_sorted_by(|a, b| a >= b) && toned[500..=750].is_sorted());
    assert_eq!((toned[0], toned[750], toned[1000]), (1.0, 1.0, 0.5));
}

proptest! {
    #[test]
    fn levels_are_those_of_f64(
        sample in -0.5..2.0f32,
        black in 0.0..0.5f64,
        range in 0.1..0.5f64,
        gamma in 0.1..10.0f64,
        output_black in 0.0..1.0f64,
        output_white in 0.0..1.0f64,
    ) {
        let levels = Levels { black, white: black + range, gamma, output_black, output_white };
        let level = ((f64::from(sample) - black) / range).clamp(0.0, 1.0).powf(1.0 / gamma);
        let expected = output_black + level * (output_white - output_black);
        let [toned] = toned(&[sample], &levels, &curve::STRAIGHT)[..] else { panic!("one sample") };
        // A root magnifies the rounding of small differences.
        let error = (f64::from(toned) - expected).abs();
        let steep = level.powf(1.0 - gamma).min(1e6) / gamma;
        prop_assert!(error < 2e-6 * (1.0 + steep), "{toned} for {expected}");
    }

    #[test]
    fn rising_points_make_a_rising_tone(mut points: [u16; 5], a in 0.0..1.0f32, b in 0.0..1.0f32) {
        points.sort_unstable();
        let points = points.map(|point| f64::from(point) / 65_535.0);
        let toned = toned(&[a.min(b), a.max(b)], &NEUTRAL, &points);
        prop_assert!(toned[0] <= toned[1] + 2e-7, "{toned:?}");
    }
}
