//! Known shifts undone, holes and edges, weights, and the refusal of drizzle.

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::KernelError;
use isobit_fixtures::named;

use super::super::{KERNEL, NO_DRIZZLE};
use super::*;

/// A smooth field, sampled where a picture that has moved by `shift` shows it.
fn field(shift: Shift) -> Raster {
    Raster::of(48, 40, |x, y| {
        let at = |place: u32, shift: i32| f64::from(place) - f64::from(shift) / 16.0;
        let (x, y) = (at(x, shift.x), at(y, shift.y));
        (0.5 + 0.25 * (0.31 * x).sin() * (0.23 * y + 0.5).cos() + 0.002 * x) as f32
    })
}

fn added(interpolation: Interpolation, shifts: &[Shift]) -> Accumulator {
    let mut accumulator = Accumulator::new(48, 40, interpolation);
    for &shift in shifts {
        accumulator.add(&field(shift), &[true; 48 * 40], shift, 1.0);
    }
    accumulator
}

const SHIFTS: [Shift; 4] = [
    Shift { x: 0, y: 0 },
    Shift { x: 21, y: -9 },
    Shift { x: -35, y: 14 },
    Shift { x: 48, y: 8 },
];

#[test]
fn known_shifts_are_undone_within_the_bounds_of_interpolation() {
    let truth = field(Shift::default());
    for (interpolation, bound) in [(Interpolation::Bilinear, 4e-3), (Interpolation::Lanczos3, 1e-3)] {
        let found = added(interpolation, &SHIFTS);
        let mut compared = 0;
        // Three samples from the edge of every frame, no tap is clamped.
        for y in 4..35 {
            for x in 6..40 {
                assert_eq!(found.validity.at(x, y), 4.0);
                let error = (found.sums.at(x, y) / 4.0 - truth.at(x, y)).abs();
                assert!(error < bound, "{interpolation:?} {x} {y}: {error}");
                compared += 1;
            }
        }
        assert_eq!(compared, 31 * 34);
    }
}

#[test]
fn whole_shifts_move_samples_unchanged_and_leave_nothing_beyond_the_edge() {
    let shift = Shift { x: 32, y: -16 };
    for interpolation in [Interpolation::Bilinear, Interpolation::Lanczos3] {
        let mut found = Accumulator::new(48, 40, interpolation);
        found.add(&field(shift), &[true; 48 * 40], shift, 0.5);
        for y in 0..40 {
            for x in 0..48 {
                let inside = x < 46 && y >= 1;
                let expected = if inside {
                    0.5 * field(shift).at(x + 2, y - 1)
                } else {
                    0.0
                };
                assert_eq!(found.sums.at(x, y), expected);
                assert_eq!(found.validity.at(x, y), if inside { 0.5 } else { 0.0 });
            }
        }
    }
}

#[test]
fn a_hole_counts_wherever_a_place_lies_next_to_it_and_nowhere_else() {
    let raster = Raster::of(6, 5, |_, _| 1.0);
    let mut valid = [true; 30];
    valid[2 * 6 + 3] = false;
    let none = |shift: Shift| {
        let mut found = Accumulator::new(6, 5, Interpolation::Lanczos3);
        found.add(&raster, &valid, shift, 1.0);
        let places = (0..5).flat_map(|y| (0..6).map(move |x| (x, y)));
        places
            .filter(|&(x, y)| found.validity.at(x, y) == 0.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(none(Shift { x: 0, y: 0 }), [(3, 2)]);
    // Right and bottom samples between which there is nothing.
    let edge = [(5, 0), (5, 1), (2, 2), (3, 2), (5, 2), (5, 3), (5, 4)];
    assert_eq!(none(Shift { x: 5, y: 0 }), edge);
    let edge = [(3, 1), (3, 2), (0, 4), (1, 4), (2, 4), (3, 4), (4, 4), (5, 4)];
    assert_eq!(none(Shift { x: 0, y: 15 }), edge);
}

#[test]
fn a_flat_field_is_flat_at_every_phase() {
    let raster = Raster::of(9, 9, |_, _| 0.7);
    for phase in 0..16 {
        let mut found = Accumulator::new(9, 9, Interpolation::Lanczos3);
        found.add(
            &raster,
            &[true; 81],
            Shift {
                x: phase,
                y: 15 - phase,
            },
            1.0,
        );
        for y in 0..8 {
            for x in 0..8 {
                assert!((found.sums.at(x, y) - 0.7).abs() < 3e-7, "{phase}");
            }
        }
    }
}

#[test]
fn frames_fade_and_drift_as_their_options_say() {
    let options = |given: &[(&str, &str)]| {
        let given: Vec<_> = given
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        Settings::of(&KERNEL.with_options(&given).unwrap().options)
    };
    let settings = options(&[("drift_x", "1.3125"), ("drift_y", "-0.53"), ("fade", "0.5")]);
    assert_eq!(settings.placed(0), (Shift::default(), 1.0));
    assert_eq!(settings.placed(2), (Shift { x: 42, y: -17 }, 0.25));
    // A weight that is too small for normal products is none.
    assert_eq!((settings.placed(30).1, settings.placed(31).1), (0.5f32.powi(30), 0.0));
    assert_eq!(options(&[("drift_x", "64")]).placed(2_000_000).0.x, Shift::MOST);
    assert_eq!(
        options(&[("method", "bilinear")]).interpolation,
        Interpolation::Bilinear
    );
    assert_eq!(options(&[]).interpolation, Interpolation::Lanczos3);
}

#[test]
fn a_clip_without_drift_is_the_sum_of_its_frames_but_for_holes() {
    let input = named("holes")
        .unwrap()
        .input(Format::new(Layout::Mono, Depth::F32), 1)
        .unwrap();
    let found = &accumulated(&input, &Settings::of(&KERNEL.options), input.frames())[0];
    let mut holes = 0;
    for (place, &weight) in found.validity.samples.iter().enumerate() {
        let [x, y] = [place as u32 % input.shape().width, place as u32 / input.shape().width];
        let stored: Vec<f32> = (0..input.frames())
            .filter_map(|frame| input.plane(0, frame, 0).floats(y).nth(x as usize))
            .filter(|sample| sample.is_finite())
            .map(held)
            .collect();
        assert_eq!(weight, stored.len() as f32);
        assert_eq!(found.sums.samples[place], stored.iter().sum::<f32>());
        holes += input.frames() - stored.len();
    }
    assert!(holes > 0);
}

#[test]
fn drizzle_is_unsupported() {
    let kernel = KERNEL
        .with_options(&[("method".to_owned(), "drizzle".to_owned())])
        .unwrap();
    let input = named("stars")
        .unwrap()
        .input(Format::new(Layout::Mono, Depth::U8), 1)
        .unwrap();
    let refused = KernelError::Unsupported {
        kernel: kernel.name,
        reason: NO_DRIZZLE.to_owned(),
    };
    assert_eq!(kernel.compute(&input), Err(refused.clone()));
    for twin in kernel.twins {
        assert_eq!(kernel.plans(twin, input.shape(), input.frames()), Err(refused.clone()));
    }
}
