//! Each step of the reference against hand-computed values, real arithmetic or the bounds that its documents state.

use isobit::format::{Format, Layout};
use isobit::frame::{Clip, Frame, PlaneShape};
use proptest::prelude::*;

use super::*;

const DEPTHS: [Depth; 4] = Depth::INTEGER;
/// The greatest magnitudes of coefficients, by scale, as documented.
const GREATEST: [f64; SCALES] = [22_930.0, 2.104e9, 1.472e9, 2.060e9];

/// A pair of clips of one frame of 8-bit luma.
fn input(width: u32, height: u32, luma: impl Fn(usize, u32, u32) -> u8) -> Input {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), width, height);
    let clip = |clip| {
        let samples = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let bytes = samples.map(|(x, y)| luma(clip, x, y)).collect();
        let plane = Plane::new(PlaneShape::tight(width, height, Depth::U8), Depth::U8, bytes).unwrap();
        Clip::new(shape.clone(), vec![Frame { planes: vec![plane] }]).unwrap()
    };
    Input::new(vec![clip(0), clip(1)]).unwrap()
}

fn stages_of(input: &Input) -> [Stages; SCALES] {
    let parameters = Parameters::new(&crate::adm::KERNEL.options).unwrap();
    stages(input, 0, &parameters, &csf::weights(&parameters).unwrap())
}

#[test]
fn taps_are_mirrored_at_the_first_sample_and_behind_the_last() {
    let all = |length: usize| {
        (0..length.div_ceil(2))
            .map(|index| taps(index, length))
            .collect::<Vec<_>>()
    };
    assert_eq!(all(5), [[1, 0, 1, 2], [1, 2, 3, 4], [3, 4, 4, 3]]);
    assert_eq!(all(6), [[1, 0, 1, 2], [1, 2, 3, 4], [3, 4, 5, 5]]);
}

#[test]
fn filters_add_up_to_the_square_root_of_two_and_to_nothing() {
    assert_eq!(LOW.iter().sum::<i64>(), 46_342);
    assert_eq!(HIGH.iter().sum::<i64>(), 0);
    assert_eq!(LOW.map(i64::abs).iter().sum::<i64>(), 54_822);
    assert_eq!(HIGH.map(i64::abs).iter().sum::<i64>(), 54_822);
}

#[test]
fn the_angle_of_alignment_is_1_degree() {
    let cos = 1f64.to_radians().cos();
    assert_eq!(COS_1DEG_SQUARED, (cos * cos) as f32);
}

#[test]
fn details_without_direction_are_aligned() {
    assert!(aligned([0, 0, 5], [0, 0, 9]));
    assert_eq!(restore(5, 9, true, 100.0), 9);
}

#[test]
fn halves_are_rounded_up() {
    assert_eq!(
        [3, 2, 1, -1, -2, -3].map(|value| shifted(value, 1)),
        [2, 1, 1, 0, -1, -1]
    );
    assert_eq!(shifted(-7, 0), -7);
}

#[test]
fn a_flat_picture_has_no_detail() {
    let size = Size { width: 7, height: 5 };
    let bands = decompose(&[100; 35], size, shifts(0, Depth::U8));
    assert!(bands.details.iter().flatten().all(|&detail| detail == 0));
    // 100 · 46,342 / 2^8 = 18,102.3; 18,102 · 46,342 / 2^16 = 12,800.5.
    assert_eq!(bands.approximation, [12_800; 12]);
}

proptest! {
    #[test]
    fn a_level_is_the_wavelet_of_real_arithmetic_to_its_rounding(picture in prop::collection::vec(-128..128i32, 99)) {
        let size = Size { width: 11, height: 9 };
        let bands = decompose(&picture, size, shifts(0, Depth::U8));
        let orders = [(LOW, LOW, &bands.approximation), (HIGH, LOW, &bands.details[0]),
            (LOW, HIGH, &bands.details[1]), (HIGH, HIGH, &bands.details[2])];
        for (down, along, band) in orders {
            for (at, &coefficient) in band.iter().enumerate() {
                let (rows, columns) = (taps(at / 6, 9), taps(at % 6, 11));
                let mut sum = 0;
                for (row, down) in rows.into_iter().zip(down) {
                    for (column, along) in columns.into_iter().zip(along) {
                        sum += down * along * i64::from(picture[row * 11 + column]);
                    }
                }
                let exact = sum as f64 / f64::from(1 << 24);
                // Half a unit at the end, and half a one of each column before it.
                prop_assert!((exact - f64::from(coefficient)).abs() <= 0.5 + 0.5 * 54_822.0 / 65_536.0);
            }
        }
    }

    #[test]
    fn coefficients_keep_within_their_bounds(lit in prop::collection::vec(any::<bool>(), 33 * 33), depth in 0..4usize) {
        let half = 1 << (DEPTHS[depth].bits() - 1);
        let mut picture: Vec<_> = lit.into_iter().map(|lit| if lit { half - 1 } else { -half }).collect();
        let mut size = Size { width: 33, height: 33 };
        for (scale, greatest) in GREATEST.into_iter().enumerate() {
            let bands = decompose(&picture, size, shifts(scale, DEPTHS[depth]));
            let all = bands.details.iter().flatten().chain(&bands.approximation);
            prop_assert!(all.into_iter().all(|&value| f64::from(value).abs() <= greatest));
            (picture, size) = (bands.approximation, size.halved());
        }
    }

    #[test]
    fn directions_are_aligned_to_1_degree(o in [-22_000..22_000i32, -22_000..22_000], turn in -3.0..3.0f64, length in 0.1..1.0f64) {
        prop_assume!(o[0].abs().max(o[1].abs()) > 10_000);
        let (sin, cos) = turn.to_radians().sin_cos();
        let [x, y] = o.map(f64::from);
        let t = [length * (x * cos - y * sin), length * (x * sin + y * cos)].map(|value| value.round() as i32);
        let angle = f64::from(t[1]).atan2(f64::from(t[0])) - y.atan2(x);
        let degrees = angle.sin().atan2(angle.cos()).to_degrees().abs();
        prop_assume!((degrees - 1.0).abs() > 0.001);
        prop_assert_eq!(aligned([o[0], o[1], 0], [t[0], t[1], 0]), degrees < 1.0);
        prop_assert!(!aligned([o[0], o[1], 0], [-t[0], -t[1], 0]));
    }

    #[test]
    fn a_gain_is_a_quotient_from_none_to_all(o in -2_104_000_000..2_104_000_000i32, t in -2_104_000_000..2_104_000_000i32, shift in 0..31u32) {
        let (o, t) = (o >> shift, t >> shift);
        prop_assume!(o != 0);
        let exact = (f64::from(t) / f64::from(o)).clamp(0.0, 1.0);
        prop_assert!((gain(o, t) as f64 / f64::from(1 << 15) - exact).abs() < 1.0 / f64::from(1 << 13));
    }

    #[test]
    fn parts_of_the_finest_scale_fit_16_bits(
        o in -22_930..=22_930i32, t in -22_930..=22_930i32, aligned: bool, limit in 1.0..100.0f64,
    ) {
        let restored = restore(o, t, aligned, limit);
        prop_assert!(i16::try_from(restored).is_ok() && i16::try_from(t - restored).is_ok());
    }
}

#[test]
fn a_distorted_detail_is_restored_as_far_as_the_reference_has_it() {
    let limits = |o, t| [1.0, 1.5, 100.0].map(|limit| restore(o, t, true, limit));
    // As much as there is, or none of what points the other way.
    assert_eq!([500, 100, -100].map(|t| restore(200, t, false, 100.0)), [200, 100, 0]);
    assert_eq!(restore(0, 77, true, 100.0), 0);
    // Aligned, more of it up to the limit; towards zero where that is no whole number.
    assert_eq!(limits(201, 1000), [201, 301, 1000]);
    assert_eq!(limits(-201, -1000), [-201, -301, -1000]);
}

#[test]
fn the_margin_holds_all_neighbours_of_the_interior() {
    for side in 3..5_000 {
        let (interior, margin) = (interior(side), margin(side));
        assert!(!interior.is_empty());
        assert!(margin.start <= interior.start.saturating_sub(1), "{side}");
        assert!(
            margin.end >= (interior.end + 1).min(side) && margin.end <= side,
            "{side}"
        );
    }
    assert_eq!((interior(3), margin(3)), (0..3, 0..3));
    assert_eq!((interior(15), margin(15)), (1..14, 0..15));
    assert_eq!((interior(179), margin(179)), (17..162, 16..165));
}

#[test]
fn a_neighbour_beyond_the_start_is_the_second_place_and_beyond_the_end_the_last() {
    assert_eq!([0, 1, 2].map(|index| neighbours(index, 3)), [(1, 1), (0, 2), (1, 2)]);
}

#[test]
fn what_masks_is_a_thirtieth_and_a_fifteenth_and_a_little_less_than_nothing() {
    assert_eq!(shares(3_000, 0), [3_200, 6_400]);
    assert_eq!(shares(-3_000, 0), [3_200, 6_400]);
    // Beyond 16 bits it wraps.
    assert_eq!(shares(20_000, 0), [21_333, 42_666 - 65_536]);
    assert_eq!(shares(-30_000, 1), [999, 1_999]);
    assert_eq!(shares(0, 1), [-1, -1]);
    // The most that nine places of three bands put up fits 32 bits, as documented.
    let [around, within] = shares(i32::MAX, 3).map(i64::from);
    assert!(24 * around + 3 * within <= i64::from(i32::MAX));
}

#[test]
fn cubes_are_scaled_down_twice() {
    assert_eq!(cube(1 << 20, [30, 4]), (1 << 10) * (1 << 20) / 16);
    assert_eq!(cube(3 << 15, [30, 1]), ((9 * 3) << 15) / 2);
    // The square of the greatest is 2^32 - 4 once scaled down, and is cut to -4.
    assert_eq!(cube(i32::MAX, [30, 4]), shifted(-4 * i64::from(i32::MAX), 4));
}

#[test]
fn a_row_is_pooled_without_its_border() {
    let size = Size { width: 20, height: 20 };
    let mut details = [(); 3].map(|()| vec![0; 400]);
    details[0][5 * 20 + 1] = -7;
    details[1][5 * 20 + 2] = 3;
    details[2][19 * 20 + 5] = 9;
    let rows = cubes(&details, size, 0);
    assert_eq!(rows.len(), interior(20).len());
    assert_eq!(interior(20), 1..19);
    assert_eq!(rows[4], [343, 27, 0]);
    assert_eq!(rows.iter().flatten().sum::<u64>(), 370);
}

#[test]
fn equal_pictures_have_nothing_additive() {
    let stages = stages_of(&input(40, 36, |_, x, y| (x * x + 3 * y * y) as u8));
    for (scale, stages) in stages.iter().enumerate() {
        assert_eq!(stages.reference, stages.distorted);
        assert!(
            stages.decoupled.additive.iter().flatten().all(|&detail| detail == 0),
            "scale {scale}"
        );
        assert!(stages.rows.impairment.iter().flatten().all(|&sum| sum == 0));
        assert!(stages.rows.numerator.iter().flatten().any(|&sum| sum > 0));
    }
}

#[test]
fn what_a_flat_reference_lacks_is_all_additive() {
    let stages = stages_of(&input(
        40,
        36,
        |clip, x, y| if clip == 0 { 9 } else { (x * x + 3 * y * y) as u8 },
    ));
    for stages in &stages {
        assert!(stages.decoupled.restored.iter().flatten().all(|&detail| detail == 0));
        assert!(stages.rows.denominator.iter().flatten().all(|&sum| sum == 0));
        assert!(stages.rows.impairment.iter().flatten().any(|&sum| sum > 0));
    }
}
