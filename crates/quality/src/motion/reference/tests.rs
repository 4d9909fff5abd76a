//! Tests of the specification of `motion` against direct definitions and scores by hand.

use isobit::format::Depth;
use isobit::frame::PlaneShape;
use proptest::prelude::*;

use super::*;

fn plane(width: u32, depth: Depth, codes: &[u32]) -> Plane {
    let shape = PlaneShape::tight(width, codes.len() as u32 / width, depth);
    let bytes = codes
        .iter()
        .flat_map(|code| code.to_le_bytes().into_iter().take(depth.bytes()))
        .collect();
    Plane::new(shape, depth, bytes).unwrap()
}

/// The sum from its definition: places mirrored one by one, quotients rounded down in i128.
fn direct(width: i64, bits: u32, previous: &[u32], current: &[u32]) -> u64 {
    let height = previous.len() as i64 / width;
    let mirror = |place: i64, length: i64| match place {
        p if p < 0 => -p,
        p if p >= length => 2 * length - 2 - p,
        p => p,
    };
    let floor_of = |sum: i128, bits: u32| (sum + (1 << (bits - 1))).div_euclid(1 << bits);
    let down = |x: i64, y: i64| {
        let tap = |k: usize| {
            let place = (mirror(y + k as i64 - 2, height) * width + x) as usize;
            i128::from(TAPS[k]) * (i128::from(previous[place]) - i128::from(current[place]))
        };
        floor_of((0..5).map(tap).sum(), bits)
    };
    let across = |x: i64, y: i64| {
        let tap = |k: usize| i128::from(TAPS[k]) * down(mirror(x + k as i64 - 2, width), y);
        floor_of((0..5).map(tap).sum(), 16)
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    places.map(|(x, y)| across(x, y).unsigned_abs() as u64).sum()
}

#[test]
fn the_taps_add_up_to_a_power_of_two() {
    assert_eq!(TAPS.iter().sum::<i64>(), 1 << 16);
}

#[test]
fn halves_are_rounded_upwards_on_both_sides_of_zero() {
    // 26386 · 16 = 6.4415 · 2^16; five equal values keep their value, one half is added to it.
    assert_eq!(blur([0, 0, 16, 0, 0], 16), 6);
    assert_eq!(blur([0, 0, -16, 0, 0], 16), -6);
    assert_eq!(blur([3; 5], 17), 2);
    assert_eq!(blur([-3; 5], 17), -1);
}

#[test]
fn a_flat_step_of_the_highest_code_is_the_same_at_every_sample() {
    for (depth, sample) in Depth::INTEGER.into_iter().zip([65280, 65472, 65520, 65535]) {
        let top = [depth.max_code().unwrap()].repeat(35);
        let (black, white) = (plane(7, depth, &[0; 35]), plane(7, depth, &top));
        assert_eq!(sad(&black, &white, depth.bits()), 35 * sample, "{depth}");
        assert_eq!(sad(&white, &black, depth.bits()), 35 * sample, "{depth}");
        assert_eq!(sad(&white, &white, depth.bits()), 0, "{depth}");
    }
}

#[test]
fn sides_that_cannot_be_mirrored_are_refused() {
    let shape = |width, height| {
        let format = isobit::format::Format::new(isobit::format::Layout::Yuv420, Depth::U8);
        ClipShape::tight(format, width, height)
    };
    assert_eq!(refuses(&shape(3, 3)), None);
    for (width, height) in [(1, 1), (2, 9), (9, 2)] {
        let reason = refuses(&shape(width, height)).unwrap();
        assert_eq!(
            reason,
            format!(
                "a side of {} samples, and a border is mirrored 2 samples deep",
                width.min(height)
            )
        );
    }
}

/// Sums over one sample that make these scores.
fn sums<const N: usize>(scores: [u64; N]) -> [u64; N] {
    scores.map(|score| score * 256)
}

fn motion2(motions: &[Motion]) -> Vec<f64> {
    motions.iter().map(|motion| motion.motion2).collect()
}

fn motion3(motions: &[Motion]) -> Vec<f64> {
    motions.iter().map(|motion| motion.motion3).collect()
}

#[test]
fn motion2_is_the_lesser_of_a_frame_and_the_next() {
    let motions = motions(&sums([99, 5, 3, 8, 9, 2]), 1, &Settings::DEFAULT);
    assert_eq!(motion2(&motions), [0.0, 3.0, 3.0, 8.0, 2.0, 2.0]);
    assert_eq!(motion3(&motions), [5.0, 3.0, 3.0, 8.0, 2.0, 2.0]);
    assert_eq!(motions[0].sad, 0.0);
}

#[test]
fn the_five_frame_window_compares_the_frame_before_with_the_next() {
    let settings = Settings {
        five_frame_window: true,
        ..Settings::DEFAULT
    };
    // Frames 0 and 1 have none before them to be compared with; frame 2 has no score before it.
    let motions = motions(&sums([99, 98, 5, 3, 8, 9, 2]), 1, &settings);
    assert_eq!(motion2(&motions), [0.0, 0.0, 3.0, 5.0, 3.0, 2.0, 2.0]);
    assert_eq!(motion3(&motions), [5.0, 5.0, 3.0, 5.0, 3.0, 2.0, 2.0]);
}

#[test]
fn the_moving_average_begins_with_the_score_of_the_first_frames() {
    let settings = Settings {
        moving_average: true,
        ..Settings::DEFAULT
    };
    let motions = motions(&sums([99, 5, 3, 8, 9, 2]), 1, &settings);
    assert_eq!(motion3(&motions), [5.0, 4.0, 3.0, 5.5, 5.0, 2.0]);
}

#[test]
fn weight_cut_and_blend_come_in_that_order() {
    let settings = Settings {
        fps_weight: 2.0,
        max_val: 70.0,
        blend_factor: 0.5,
        blend_offset: 40.0,
        ..Settings::DEFAULT
    };
    let motions = motions(&sums([0, 10, 30, 50]), 1, &settings);
    assert_eq!(
        motions.iter().map(|motion| motion.sad).collect::<Vec<_>>(),
        [0.0, 20.0, 60.0, 70.0]
    );
    assert_eq!(motion2(&motions), [0.0, 20.0, 60.0, 70.0]);
    // 60 is 20 above the offset, of which half is kept.
    assert_eq!(motion3(&motions), [20.0, 20.0, 50.0, 55.0]);
}

#[test]
fn forced_to_zero_everything_is() {
    let settings = Settings {
        force_zero: true,
        ..Settings::DEFAULT
    };
    let zero = Motion {
        sad: 0.0,
        motion2: 0.0,
        motion3: 0.0,
    };
    assert_eq!(motions(&sums([9, 5, 3]), 1, &settings), [zero; 3]);
}

#[test]
fn a_clip_of_one_frame_has_no_motion() {
    for five_frame_window in [false, true] {
        let settings = Settings {
            five_frame_window,
            ..Settings::DEFAULT
        };
        let motion = motions(&[0], 9, &settings)[0];
        assert_eq!((motion.sad, motion.motion2, motion.motion3), (0.0, 0.0, 0.0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_sum_is_that_of_the_definition(
        depth in prop::sample::select(&Depth::INTEGER[..]),
        width in 3..12u32,
        height in 3..12u32,
        codes in prop::collection::vec(any::<(u16, u16)>(), 144),
    ) {
        let pairs = codes.into_iter().take((width * height) as usize);
        let shift = 16 - depth.bits();
        let (p, c): (Vec<u32>, Vec<u32>) = pairs.map(|(p, c)| (u32::from(p >> shift), u32::from(c >> shift))).unzip();
        let ours = sad(&plane(width, depth, &p), &plane(width, depth, &c), depth.bits());
        prop_assert_eq!(ours, direct(i64::from(width), depth.bits(), &p, &c));
    }

    /// Scores of a frame are those of the clip around it: what the kernel's window says.
    #[test]
    fn a_frame_depends_on_no_frames_but_those_of_the_window(
        scores in prop::array::uniform12(0..100u64),
        five_frame_window: bool,
        moving_average: bool,
        frame in 4..10usize,
    ) {
        let settings = Settings { five_frame_window, moving_average, ..Settings::DEFAULT };
        let window = super::super::WINDOW;
        let part = frame - window.before..=frame + window.after;
        let whole = motions(&sums(scores), 1, &settings)[frame];
        let inside = motions(&sums(scores)[part], 1, &settings)[window.before];
        prop_assert_eq!(whole, inside);
    }
}
