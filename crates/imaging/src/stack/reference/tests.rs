//! Frames with known shifts and noise: what is ranked, found, and how noise falls with the number of frames.

use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Plane};
use isobit_fixtures::{named, stars};

use super::*;

const SIDE: u32 = 96;

/// The light at a place, in samples.
fn light(x: f64, y: f64) -> f64 {
    let stars = [
        (30.0, 34.0, 0.6),
        (61.0, 25.0, 0.8),
        (44.0, 68.0, 0.4),
        (70.0, 62.0, 0.7),
    ];
    let of_star = stars.iter().map(|(across, down, peak)| {
        let far = (x - across).powi(2) + (y - down).powi(2);
        peak * (-far / (2.0 * 2.2 * 2.2)).exp()
    });
    0.05 + of_star.sum::<f64>()
}

/// Even noise of a standard deviation of about 0.03.
fn noise(frame: usize, x: u32, y: u32) -> f64 {
    let mut bits = (frame as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(x) << 32 ^ u64::from(y);
    for _ in 0..3 {
        bits = (bits ^ bits >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    ((bits >> 40) as f64 / f64::from(1 << 24) - 0.5) * 0.1
}

/// Frame 0 in place, the others moved by known sixteenths within three samples.
fn moved(frame: usize) -> [i32; 2] {
    [(frame * 37 % 97) as i32, (frame * 53 % 89) as i32].map(|shift| if frame == 0 { 0 } else { shift - 45 })
}

fn clip(frames: usize) -> Input {
    clip_of(&(0..frames).map(moved).collect::<Vec<_>>())
}

/// Frames that have moved by these sixteenths.
fn clip_of(moved: &[[i32; 2]]) -> Input {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::F32), SIDE, SIDE);
    let frame = |frame: usize| {
        let [right, down] = moved[frame].map(|shift| f64::from(shift) / 16.0);
        let places = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
        let samples = places.flat_map(|(x, y)| {
            let sample = light(f64::from(x) - right, f64::from(y) - down) + noise(frame, x, y);
            (sample as f32).to_le_bytes()
        });
        Frame {
            planes: vec![Plane::new(shape.planes[0], Depth::F32, samples.collect()).unwrap()],
        }
    };
    Input::new(vec![
        Clip::new(shape.clone(), (0..moved.len()).map(frame).collect()).unwrap(),
    ])
    .unwrap()
}

const ALL: Settings = Settings {
    keep: 1.0,
    normalise: true,
};

#[test]
fn noise_falls_with_the_root_of_the_number_of_frames() {
    let error = |frames: usize| {
        let found = stack(&clip(frames), &ALL);
        // Everything lies where it does in the sharpest frame.
        let best = found.ranks.iter().position(|&rank| rank == 0).unwrap();
        let [right, down] = moved(best).map(|shift| f64::from(shift) / 16.0);
        let (mut sum, mut count) = (0.0, 0.0);
        for y in 12..SIDE - 12 {
            for x in 12..SIDE - 12 {
                let truth = light(f64::from(x) - right, f64::from(y) - down);
                sum += (f64::from(found.stacked[0].at(x, y)) - truth).powi(2);
                count += 1.0;
            }
        }
        f64::sqrt(sum / count)
    };
    let errors: Vec<f64> = [1, 4, 16].map(error).to_vec();
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        // Interpolation takes a little of the noise of all frames but the sharpest.
        assert!((1.8..2.4).contains(&ratio), "{errors:?}");
    }
}

#[test]
fn known_shifts_are_found_in_noise() {
    let found = stack(&clip(12), &ALL);
    let best = found.ranks.iter().position(|&rank| rank == 0).unwrap();
    for (frame, shift) in found.shifts.iter().enumerate() {
        for (found, axis) in [(shift.x, 0), (shift.y, 1)] {
            let expected = moved(frame)[axis] - moved(best)[axis];
            assert!((found - expected).abs() <= 2, "frame {frame}: {found} for {expected}");
        }
    }
}

#[test]
fn the_drift_of_the_stars_is_found_within_an_eighth_of_a_sample() {
    for layout in [Layout::Mono, Layout::Rgb, Layout::Bayer] {
        let input = named("stars")
            .unwrap()
            .input(Format::new(layout, Depth::U16), 1)
            .unwrap();
        let found = stack(&input, &ALL);
        let mut by_seeing: Vec<usize> = (0..input.frames()).collect();
        by_seeing.sort_by_key(|&frame| stars::SEEING[frame]);
        for (rank, &frame) in by_seeing.iter().enumerate() {
            assert_eq!(found.ranks[frame], rank as u32);
            let expected = [
                stars::DRIFT[frame].0 - stars::DRIFT[by_seeing[0]].0,
                stars::DRIFT[frame].1 - stars::DRIFT[by_seeing[0]].1,
            ];
            let shift = found.shifts[frame];
            for (found, expected) in [shift.x, shift.y].into_iter().zip(expected) {
                let error = i64::from(found) - expected;
                assert!(error.abs() <= 2, "{layout}: frame {frame}: {shift:?} for {expected:?}");
            }
        }
    }
}

#[test]
fn half_of_the_frames_is_kept_rounded_up_and_the_rest_has_no_part() {
    let input = named("stars")
        .unwrap()
        .input(Format::new(Layout::Mono, Depth::U8), 1)
        .unwrap();
    let keep = |keep: f64| Settings { keep, normalise: false };
    let halves: Vec<usize> = (1..6).map(|frames| keep(0.5).kept(frames)).collect();
    assert_eq!(halves, [1, 1, 2, 2, 3]);
    assert_eq!((keep(0.0).kept(8), keep(1.0).kept(8)), (1, 8));
    let found = stack(&input, &keep(0.5));
    let most = found.validity[0].samples.iter().copied().fold(0.0, f32::max);
    assert_eq!(most, (input.frames() as f32 / 2.0).ceil());
    for (rank, shift) in found.ranks.iter().zip(&found.shifts) {
        assert_eq!(
            *shift == Shift::default(),
            *rank == 0 || *rank as usize >= keep(0.5).kept(input.frames())
        );
    }
    // The sharpest alone is itself.
    let one = stack(&input, &keep(0.0));
    let best = one.ranks.iter().position(|&rank| rank == 0).unwrap();
    assert_eq!(one.stacked, load(&input, 0, best));
}

#[test]
fn equal_frames_keep_their_order_and_holes_count_nowhere() {
    assert_eq!(ranks(&[1.0, 2.0, 1.0, 2.0, 0.0]), [2, 0, 3, 1, 4]);
    let sums = Raster::of(2, 1, |x, _| if x == 0 { 3.0 } else { 0.0 });
    let counts = Raster::of(2, 1, |x, _| if x == 0 { 2.0 } else { 0.0 });
    assert_eq!(normalised(&sums, &counts).samples, [1.5, 0.0]);
}

#[test]
fn a_frame_that_has_moved_as_far_as_is_searched_counts_and_one_that_has_moved_farther_does_not() {
    for (moved, counted) in [
        ([16 * 11, -16 * 5], 2.0),
        ([16 * 14, 0], 1.0),
        ([-16 * 3, -16 * 13], 1.0),
    ] {
        let input = clip_of(&[[0, 0], moved]);
        let found = stack(
            &input,
            &Settings {
                keep: 1.0,
                normalise: false,
            },
        );
        let most = found.validity[0].samples.iter().copied().fold(0.0, f32::max);
        assert_eq!(most, counted, "{moved:?}: {:?}", found.shifts);
        if counted == 1.0 {
            let best = found.ranks.iter().position(|&rank| rank == 0).unwrap();
            assert_eq!(found.stacked, load(&input, 0, best));
            let farthest = crate::align::farthest(SIDE, SIDE);
            let shift = found.shifts[1 - best];
            assert!(shift.x.abs().max(shift.y.abs()) > farthest, "{shift:?}");
        }
    }
}
