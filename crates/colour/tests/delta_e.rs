//! Holds both colour differences to published pairs and to an evaluation in f64.

use colour::delta_e_2000::{ciede2000, cielab};
use colour::delta_e_ok::delta_e_ok;
use colour::oklab::oklab;
use colour::srgb_to_linear::srgb_to_linear;
use isobit::kernel::Encoding;
use proptest::prelude::*;

/// Table 1 of Sharma, Wu and Dalal (2005): two colours as L*, a* and b*, and their difference.
const PAIRS: [([f32; 3], [f32; 3], f32); 34] = [
    ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
    ([50.0, 3.1571, -77.2803], [50.0, 0.0, -82.7485], 2.8615),
    ([50.0, 2.8361, -74.0200], [50.0, 0.0, -82.7485], 3.4412),
    ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
    ([50.0, -1.1848, -84.8006], [50.0, 0.0, -82.7485], 1.0000),
    ([50.0, -0.9009, -85.5211], [50.0, 0.0, -82.7485], 1.0000),
    ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
    ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
    ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0009], 7.1792),
    ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0010], 7.1792),
    ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0011], 7.2195),
    ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0012], 7.2195),
    ([50.0, -0.0010, 2.4900], [50.0, 0.0009, -2.4900], 4.8045),
    ([50.0, -0.0010, 2.4900], [50.0, 0.0010, -2.4900], 4.8045),
    ([50.0, -0.0010, 2.4900], [50.0, 0.0011, -2.4900], 4.7461),
    ([50.0, 2.5, 0.0], [50.0, 0.0, -2.5], 4.3065),
    ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
    ([50.0, 2.5, 0.0], [61.0, -5.0, 29.0], 22.8977),
    ([50.0, 2.5, 0.0], [56.0, -27.0, -3.0], 31.9030),
    ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
    ([50.0, 2.5, 0.0], [50.0, 3.1736, 0.5854], 1.0000),
    ([50.0, 2.5, 0.0], [50.0, 3.2972, 0.0], 1.0000),
    ([50.0, 2.5, 0.0], [50.0, 1.8634, 0.5757], 1.0000),
    ([50.0, 2.5, 0.0], [50.0, 3.2592, 0.3350], 1.0000),
    ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    ([63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.2630),
    ([61.2901, 3.7196, -5.3901], [61.4292, 2.2480, -4.9620], 1.8731),
    ([35.0831, -44.1164, 3.7933], [35.0232, -40.0716, 1.5901], 1.8645),
    ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
    ([36.4612, 47.8580, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146),
    ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
    ([90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381),
    ([6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377),
    ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
];

#[test]
fn the_34_published_pairs_have_their_differences_to_4_decimals() {
    for (a, b, expected) in PAIRS {
        for (a, b) in [(a, b), (b, a)] {
            let actual = ciede2000(a, b);
            // Half a unit of the last printed decimal, and what single precision adds.
            assert!((actual - expected).abs() < 5.5e-5, "{a:?} {b:?}: {actual} {expected}");
        }
    }
}

#[test]
fn equal_colours_do_not_differ_and_no_colour_has_a_difference() {
    for colour in [[0.0; 3], [1.0, 0.5, 0.25], [1.0; 3], [-0.5, 2.0, 127.0]] {
        assert_eq!(ciede2000(cielab(colour), cielab(colour)), 0.0);
        assert_eq!(delta_e_ok(oklab(colour), oklab(colour)), 0.0);
    }
    assert!(ciede2000(cielab([-128.0, 128.0, 0.0]), cielab([128.0, -128.0, 1.0])).is_finite());
    for none in [f32::NAN, f32::INFINITY, f32::MAX] {
        assert!(ciede2000(cielab([0.5, none, 0.5]), cielab([0.5; 3])).is_nan());
        assert!(delta_e_ok(oklab([0.5; 3]), oklab([0.5, 0.5, none])).is_nan());
    }
}

#[test]
fn black_and_white_are_a_whole_lightness_axis_apart() {
    assert!((ciede2000(cielab([0.0; 3]), cielab([1.0; 3])) - 100.0).abs() < 1e-3);
    assert!((delta_e_ok(oklab([0.0; 3]), oklab([1.0; 3])) - 1.0).abs() < 1e-6);
}

fn colour() -> impl Strategy<Value = [f32; 3]> {
    [0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn single_precision_agrees_with_double(a in colour(), b in colour()) {
        let linear = |encoded: [f32; 3]| encoded.map(srgb_to_linear);
        let [x, y] = [a, b].map(|encoded| encoded.map(f64::from));
        let exact = isobit::delta_e::delta_e_2000(Encoding::Srgb, x, y);
        let actual = ciede2000(cielab(linear(a)), cielab(linear(b)));
        // Where the hues are opposite, the standard's mean hue jumps by half a turn, and so does the difference.
        let [c, d] = [a, b].map(|encoded| cielab(linear(encoded)));
        let opposite = (c[1] * d[2] - c[2] * d[1]).abs() < 1e-4 * (c[1] * d[1] + c[2] * d[2]).abs();
        prop_assert!((f64::from(actual) - exact).abs() < 2e-4 || opposite, "{:?} {:?}: {} {}", a, b, actual, exact);
        let exact = isobit::delta_e::delta_e_ok(Encoding::Srgb, x, y);
        let actual = delta_e_ok(oklab(linear(a)), oklab(linear(b)));
        prop_assert!((f64::from(actual) - exact).abs() < 1e-6, "{:?} {:?}: {} {}", a, b, actual, exact);
    }

    #[test]
    fn a_difference_has_no_direction(a in colour(), b in colour()) {
        let [c, d] = [cielab(a), cielab(b)];
        prop_assert!((ciede2000(c, d) - ciede2000(d, c)).abs() < 1e-4);
        prop_assert_eq!(delta_e_ok(c, d), delta_e_ok(d, c));
    }
}
