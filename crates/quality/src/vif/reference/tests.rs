//! The reference of `vif` against hand-computed values and its own definition in f64.

use proptest::prelude::*;

use super::*;

fn level(width: usize, bits: u32, reference: Vec<u16>, distorted: Vec<u16>) -> Level {
    Level {
        width,
        height: reference.len() / width,
        bits,
        samples: [reference, distorted],
    }
}

#[test]
fn filters_are_symmetrical_and_sum_to_one() {
    for filter in FILTERS {
        assert_eq!(filter.iter().sum::<u32>(), 1 << 16);
        assert!(filter.iter().eq(filter.iter().rev()));
    }
}

#[test]
fn a_row_is_mirrored_about_its_end_samples() {
    assert_eq!(mirrored(&[1, 2, 3, 4], 3), [4, 3, 2, 1, 2, 3, 4, 3, 2, 1]);
    assert_eq!(mirrored(&[1, 2], 1), [2, 1, 2, 1]);
}

/// Against the logarithm of another library in f64, rounded to f32 as the definition demands.
#[test]
fn the_table_holds_rounded_logarithms() {
    for (integer, &entry) in (1u32 << 15..1 << 16).zip(LOG2.iter()) {
        let nearest = libm::log2(integer.into()) as f32;
        assert_eq!(u32::from(entry), (nearest * 2048.0).round() as u32, "{integer}");
    }
}

#[test]
fn logarithms_are_scaled_by_powers_of_two_and_blind_to_low_bits() {
    for power in 16..63 {
        assert_eq!(logarithm(1 << power), 2048 * power);
        assert_eq!(logarithm((1 << power) + (1 << (power - 16))), 2048 * power);
    }
    assert_eq!(logarithm(3 << 30), 2048 * 31 + 1198);
}

#[test]
fn flat_clips_are_equal_whatever_their_levels() {
    let flat = level(20, 8, vec![9; 400], vec![200; 400]);
    let sums = sums(&flat, FILTERS[0], 100.0);
    let expected = Sums {
        flat: 400,
        ..Sums::default()
    };
    assert_eq!(sums, expected);
    assert_eq!(quotient(sums), (400.0, 400.0));
    assert_eq!(score(sums), 1.0);
}

#[test]
fn noise_on_a_flat_reference_costs_four_times_its_variance() {
    let sums = Sums {
        flat: 2,
        flat_variance: 65025 << 13,
        ..Sums::default()
    };
    assert_eq!(quotient(sums), (1.5, 2.0));
    assert_eq!(score(sums), 0.75);
}

#[test]
fn a_gain_beyond_the_limit_is_no_information() {
    let variances = Variances {
        reference: 1 << 20,
        distorted: 1 << 22,
        joint: 1 << 21,
    };
    // The gain is a little below 2, so both parts are truncated from below.
    assert_eq!(channel(variances, 100.0), ((1 << 22) - 1, 0));
    assert_eq!(channel(variances, 1.0), (1 << 20, 0));
    let unrelated = Variances {
        joint: 1 << 10,
        ..variances
    };
    assert_eq!(channel(unrelated, 100.0), (0, (1 << 22) - 1));
}

#[test]
fn the_greatest_contrast_stays_in_range_at_every_depth() {
    for bits in [8, 10, 12, 16] {
        let top = ((1u32 << bits) - 1) as u16;
        let lit = |phase: usize| {
            (0..400)
                .map(|i| {
                    if (i % 20 + i / 20 + phase).is_multiple_of(2) {
                        top
                    } else {
                        0
                    }
                })
                .collect()
        };
        let extremes = level(20, bits, lit(0), lit(1));
        for variances in variances(&extremes.column_moments(9, FILTERS[0]), FILTERS[0]) {
            let quarter = i32::MAX / 2;
            assert!(
                (quarter - (1 << 23)..=quarter).contains(&variances.reference),
                "{bits}: {variances:?}"
            );
            assert!(
                (-quarter..(1 << 23) - quarter).contains(&variances.joint),
                "{bits}: {variances:?}"
            );
        }
    }
}

#[test]
fn a_level_keeps_every_second_sample_and_drops_an_odd_last_one() {
    let ramp: Vec<u16> = (0..21 * 19).map(|i| (i % 21 * 10) as u16).collect();
    let half = level(21, 8, ramp.clone(), vec![255; 21 * 19]).halved(FILTERS[1]);
    assert_eq!((half.width, half.height, half.bits), (10, 9, 16));
    // A symmetrical filter leaves a ramp as it is, but for the edges; samples are scaled by 2^8.
    assert_eq!(half.samples[0][5 * 10 + 4], 80 << 8);
    assert_eq!(half.samples[1], [255 << 8; 90]);
}

/// The variance under a window in f64, straight from its definition.
fn variance(level: &Level, [a, b]: [usize; 2], [x, y]: [usize; 2], filter: &[u32]) -> f64 {
    let reach = (filter.len() / 2) as isize;
    let (mut mean_a, mut mean_b, mut product) = (0.0, 0.0, 0.0);
    for (down, &weight_y) in (-reach..).zip(filter) {
        for (along, &weight_x) in (-reach..).zip(filter) {
            let row = mirror(y as isize + down, level.height);
            let index = row * level.width + mirror(x as isize + along, level.width);
            let weight = f64::from(weight_x) * f64::from(weight_y) / 65536.0 / 65536.0;
            let [a, b] = [a, b].map(|clip| f64::from(level.samples[clip][index]) / f64::from(1 << (level.bits - 8)));
            mean_a += weight * a;
            mean_b += weight * b;
            product += weight * a * b;
        }
    }
    (product - mean_a * mean_b) * 65536.0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn variances_are_those_of_the_definition(
        scale in 0..SCALES,
        bits in prop::sample::select(&[8u32, 10, 12, 16]),
        codes in prop::collection::vec(any::<[u16; 2]>(), 17 * 16),
        x in 0..17usize,
        y in 0..16usize,
    ) {
        let clip = |clip: usize| codes.iter().map(|pair| pair[clip] >> (16 - bits)).collect();
        let level = level(17, bits, clip(0), clip(1));
        let filter = FILTERS[scale];
        let found = variances(&level.column_moments(y, filter), filter).nth(x).unwrap();
        let pairs = [([0, 0], found.reference), ([1, 1], found.distorted), ([0, 1], found.joint)];
        for (clips, found) in pairs {
            // Means are rounded to 2^-8 of a code at 8 bits: 2^8 units, times twice the mean and its other factor.
            let error = f64::from(found) - variance(&level, clips, [x, y], filter);
            prop_assert!(error.abs() < 65536.0, "{clips:?}: off by {error}");
        }
    }
}
