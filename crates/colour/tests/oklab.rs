//! Holds the references in Oklab to published vectors, to the formula in f64, and to a round trip.

use colour::oklab::{linear, oklab};
use colour::oklab_to_srgb::{lab_of_codes, oklab_to_srgb};
use colour::srgb_to_oklab::srgb_to_oklab;
use proptest::prelude::*;

fn near(actual: [f32; 3], expected: [f32; 3], digits: f32) -> bool {
    actual
        .iter()
        .zip(expected)
        .all(|(actual, expected)| (actual - expected).abs() <= digits)
}

#[test]
fn the_corners_of_srgb_are_where_css_color_4_has_them() {
    // L, a and b of CSS Color 4's named colours, as its sample code gives them, to 5 digits.
    for (rgb, lab) in [
        ([1.0, 1.0, 1.0], [1.0, 0.0, 0.0]),
        ([1.0, 0.0, 0.0], [0.62796, 0.22486, 0.12585]),
        ([0.0, 1.0, 0.0], [0.86644, -0.23389, 0.17950]),
        ([0.0, 0.0, 1.0], [0.45201, -0.03246, -0.31153]),
        ([0.0, 1.0, 1.0], [0.90540, -0.14944, -0.03940]),
        ([1.0, 0.0, 1.0], [0.70167, 0.27457, -0.16916]),
        ([1.0, 1.0, 0.0], [0.96798, -0.07137, 0.19857]),
    ] {
        assert!(near(srgb_to_oklab(rgb), lab, 1e-4), "{rgb:?}: {:?}", srgb_to_oklab(rgb));
        assert!(near(oklab_to_srgb(srgb_to_oklab(rgb)), rgb, 2e-5), "{rgb:?}");
    }
    assert_eq!(srgb_to_oklab([0.0; 3]), [0.0; 3]);
}

#[test]
fn the_table_of_the_definition_is_met() {
    // Ottosson's table of XYZ and Oklab, to its 3 digits, with XYZ taken to linear light of BT.709 by the matrix of
    // IEC 61966-2-1 to 7 digits.
    const RGB: [[f64; 3]; 3] = [
        [3.240_454_2, -1.537_138_5, -0.498_531_4],
        [-0.969_266_0, 1.876_010_8, 0.041_556_0],
        [0.055_643_4, -0.204_025_9, 1.057_225_2],
    ];
    for (xyz, lab) in [
        ([0.950, 1.000, 1.089], [1.000, 0.000, 0.000]),
        ([1.000, 0.000, 0.000], [0.450, 1.236, -0.019]),
        ([0.000, 1.000, 0.000], [0.922, -0.671, 0.263]),
        ([0.000, 0.000, 1.000], [0.153, -1.415, -0.449]),
    ] {
        let light = RGB.map(|row| (row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2]) as f32);
        assert!(near(oklab(light), lab, 2e-3), "{xyz:?}: {:?}", oklab(light));
    }
}

#[test]
fn what_is_no_colour_is_nan_and_what_is_next_to_nothing_is_zero() {
    for none in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        assert!(srgb_to_oklab([0.5, none, 0.5]).iter().all(|x| x.is_nan()));
        assert!(oklab_to_srgb([0.5, none, 0.5]).iter().all(|x| x.is_nan()));
    }
    for nothing in [-0.0, f32::from_bits(1), -f32::MIN_POSITIVE, 1e-28] {
        assert_eq!(oklab([nothing; 3]), [0.0; 3]);
        assert_eq!(linear([nothing; 3]), [0.0; 3]);
    }
}

#[test]
fn codes_of_a_and_b_are_signed_and_grey_is_exact() {
    assert_eq!(lab_of_codes([255, 128, 128], 255), [1.0, 0.0, 0.0]);
    assert_eq!(lab_of_codes([0, 0, 255], 255), [0.0, -128.0 / 255.0, 127.0 / 255.0]);
    assert_eq!(lab_of_codes([51, 179, 77], 255), [0.2, 0.2, -0.2]);
    assert_eq!(
        lab_of_codes([65_535, 32_768, 0], 65_535),
        [1.0, 0.0, -32_768.0 / 65_535.0]
    );
}

/// The formula in f64.
fn exact(linear: [f32; 3]) -> [f64; 3] {
    let [r, g, b] = linear.map(f64::from);
    let l = libm::cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
    let m = libm::cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
    let s = libm::cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
    [
        0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
    ]
}

proptest! {
    #[test]
    fn single_precision_is_as_good_as_it_can_be(r in 0.0f32..1.0, g in 0.0f32..1.0, b in 0.0f32..1.0) {
        for (actual, exact) in oklab([r, g, b]).into_iter().zip(exact([r, g, b])) {
            prop_assert!((f64::from(actual) - exact).abs() < 6e-7, "{} {}", actual, exact);
        }
    }

    #[test]
    fn a_round_trip_returns(r in -0.2f32..1.2, g in -0.2f32..1.2, b in -0.2f32..1.2) {
        let back = linear(oklab([r, g, b]));
        prop_assert!(near(back, [r, g, b], 5e-6), "{:?}", back);
    }
}
