//! Scores against sums in f64, against energies worked out by hand, and against blurs that are known.

use isobit::format::{Depth, Format, Layout};
use isobit_fixtures::{named, stars};
use proptest::prelude::*;

use super::*;

/// The same in f64, summed row by row.
fn in_f64(luminance: &Raster) -> [f64; 2] {
    let (mut level, mut gradient, mut laplacian) = (0.0, 0.0, 0.0);
    for y in 0..i64::from(luminance.height) {
        for x in 0..i64::from(luminance.width) {
            let at = |across, down| f64::from(luminance.clamped(x + across, y + down));
            level += at(0, 0).abs();
            gradient += (at(1, 0) - at(0, 0)).powi(2) + (at(0, 1) - at(0, 0)).powi(2);
            laplacian += (at(1, 0) + at(-1, 0) + at(0, 1) + at(0, -1) - 4.0 * at(0, 0)).powi(2);
        }
    }
    let samples = luminance.samples.len() as f64;
    let level = level / samples;
    [gradient, laplacian].map(|energy| energy / samples / (level * level))
}

/// The mean of three by three samples, `times` times.
fn blurred(raster: &Raster, times: usize) -> Raster {
    (0..times).fold(raster.clone(), |raster, _| {
        Raster::of(raster.width, raster.height, |x, y| {
            let places = (-1..=1).flat_map(|j| (-1..=1).map(move |i| (i64::from(x) + i, i64::from(y) + j)));
            places.map(|(x, y)| raster.clamped(x, y)).sum::<f32>() / 9.0
        })
    })
}

fn sky(frame: usize, layout: Layout) -> Raster {
    let format = Format::new(layout, Depth::U16);
    let input = named("stars").unwrap().input(format, 1).unwrap();
    luminance(&load(&input, 0, frame))
}

#[test]
fn a_step_has_the_energy_of_its_edge() {
    // Four columns 0 0 2 2: one difference of 2 a row, and a Laplacian of 2 on one side of it and −2 on the other.
    let step = Raster::of(4, 3, |x, _| if x < 2 { 0.0 } else { 2.0 });
    let scores = sharpness(&step);
    assert_eq!((scores.gradient, scores.laplacian, scores.sharpness), (1.0, 2.0, 3.0));
    // The same across rows, and with the light ten times as strong.
    let step = sharpness(&Raster::of(3, 4, |_, y| if y < 2 { 0.0 } else { 20.0 }));
    assert_eq!((step.gradient, step.laplacian, step.sharpness), (1.0, 2.0, 3.0));
    assert_eq!((scores.level, step.level), (1.0, 10.0));
}

#[test]
fn a_single_point_counts_twice_in_the_gradient_and_five_times_in_the_laplacian() {
    let point = Raster::of(5, 5, |x, y| if (x, y) == (2, 2) { 25.0 } else { 0.0 });
    // The mean level is 1: differences into and out of the point, and −4 there with 1 on each side.
    let scores = sharpness(&point);
    assert_eq!((scores.gradient, scores.laplacian), (4.0 * 25.0, 20.0 * 25.0));
}

#[test]
fn flat_dark_and_single_samples_have_no_sharpness() {
    let faint = crate::raster::LEAST;
    for dark in [
        Raster::of(67, 61, |_, _| 0.3),
        Raster::of(9, 2, |_, _| 0.0),
        Raster::of(1, 1, |_, _| 7.0),
        // A level that is below what a sample can be is none.
        Raster::of(2, 2, |x, y| if x + y == 0 { faint } else { 0.0 }),
    ] {
        let scores = sharpness(&dark);
        assert_eq!((scores.gradient, scores.laplacian, scores.sharpness), (0.0, 0.0, 0.0));
    }
}

#[test]
fn differences_count_up_to_the_greatest_sample() {
    let greatest = crate::raster::GREATEST / 8.0;
    let scores = sharpness(&Raster::of(
        64,
        64,
        |x, y| if (x + y) % 2 == 0 { greatest } else { -greatest },
    ));
    // Two differences of 2 a sample but for the last of each row and column, and a Laplacian of 8 but along the edges.
    assert!((7.5..8.0).contains(&scores.gradient), "{}", scores.gradient);
    assert!((60.0..64.0).contains(&scores.laplacian), "{}", scores.laplacian);
    let pair = Raster::of(2, 1, |x, _| if x == 0 { 8.0 * greatest } else { -8.0 * greatest });
    assert_eq!((sharpness(&pair).gradient, sharpness(&pair).laplacian), (0.5, 1.0));
}

#[test]
fn each_blur_lowers_every_score() {
    for layout in [Layout::Mono, Layout::Bayer, Layout::Rgb] {
        let sky = sky(0, layout);
        let scores: Vec<_> = (0..4).map(|times| sharpness(&blurred(&sky, times))).collect();
        for pair in scores.windows(2) {
            assert!(pair[1].gradient < pair[0].gradient, "{pair:?}");
            assert!(pair[1].laplacian < pair[0].laplacian, "{pair:?}");
            assert!(pair[1].sharpness < pair[0].sharpness, "{pair:?}");
        }
    }
}

#[test]
fn frames_are_ranked_as_the_seeing_was() {
    for layout in [Layout::Mono, Layout::Bayer, Layout::Rgb] {
        let scores: Vec<_> = (0..8).map(|frame| sharpness(&sky(frame, layout)).sharpness).collect();
        let mut by_score: Vec<usize> = (0..8).collect();
        by_score.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let mut by_seeing: Vec<usize> = (0..8).collect();
        by_seeing.sort_by_key(|&frame| stars::SEEING[frame]);
        assert_eq!(by_score, by_seeing, "{scores:?}");
    }
}

proptest! {
    #[test]
    fn scores_are_those_of_sums_in_f64(
        width in 1u32..90,
        height in 1u32..60,
        seed in 0u32..1000,
        scale in -30i32..30,
    ) {
        let noise = |x: u32, y: u32| (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b) ^ seed).wrapping_mul(0xc2b2_ae35) >> 8;
        let raster = Raster::of(width, height, |x, y| held(noise(x, y) as f32 * 0.5f32.powi(24 - scale)));
        let [gradient, laplacian] = in_f64(&raster);
        let scores = sharpness(&raster);
        prop_assert!((f64::from(scores.gradient) - gradient).abs() <= 2e-6 * gradient, "{scores:?} {gradient}");
        prop_assert!((f64::from(scores.laplacian) - laplacian).abs() <= 2e-6 * laplacian, "{scores:?} {laplacian}");
    }
}
