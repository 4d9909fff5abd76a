//! Special values, exact results and symmetries.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use proptest::prelude::*;

use super::super::*;
use super::{INF, LEAST};

const NAN: f32 = f32::NAN;
const THREE_QUARTER_PI: f32 = 2.356_194_5;

fn same(actual: f32, expected: f32) -> bool {
    let expected = if expected.is_nan() {
        core::NAN
    } else {
        expected.to_bits()
    };
    actual.to_bits() == expected
}

#[test]
fn unary_functions_have_the_special_values_of_annex_f() {
    type Row = (&'static str, fn(f32) -> f32, &'static [(f32, f32)]);
    let rows: [Row; 8] = [
        (
            "exp",
            exp,
            &[
                (0.0, 1.0),
                (-0.0, 1.0),
                (INF, INF),
                (-INF, 0.0),
                (89.0, INF),
                (-104.0, 0.0),
                (LEAST, 1.0),
            ],
        ),
        (
            "exp2",
            exp2,
            &[
                (0.0, 1.0),
                (-0.0, 1.0),
                (INF, INF),
                (-INF, 0.0),
                (128.0, INF),
                (-149.0, LEAST),
                (-150.0, 0.0),
            ],
        ),
        (
            "log",
            log,
            &[
                (0.0, -INF),
                (-0.0, -INF),
                (1.0, 0.0),
                (-1.0, NAN),
                (INF, INF),
                (-INF, NAN),
                (-LEAST, NAN),
            ],
        ),
        (
            "log2",
            log2,
            &[
                (0.0, -INF),
                (-0.0, -INF),
                (1.0, 0.0),
                (-1.0, NAN),
                (INF, INF),
                (LEAST, -149.0),
                (8.0, 3.0),
            ],
        ),
        (
            "log10",
            log10,
            &[
                (0.0, -INF),
                (-0.0, -INF),
                (1.0, 0.0),
                (-1.0, NAN),
                (INF, INF),
                (1e10, 10.0),
                (1000.0, 3.0),
            ],
        ),
        (
            "cbrt",
            cbrt,
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (INF, INF),
                (-INF, -INF),
                (-27.0, -3.0),
                (4.0 * LEAST, 1.776_356_8e-15),
            ],
        ),
        (
            "sin",
            sin,
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (INF, NAN),
                (-INF, NAN),
                (LEAST, LEAST),
                (-1e-20, -1e-20),
            ],
        ),
        (
            "cos",
            cos,
            &[
                (0.0, 1.0),
                (-0.0, 1.0),
                (INF, NAN),
                (-INF, NAN),
                (LEAST, 1.0),
                (1e-5, 1.0),
            ],
        ),
    ];
    for (name, function, values) in rows {
        for &(x, expected) in values.iter().chain(&[(NAN, NAN), (f32::from_bits(0xff80_0001), NAN)]) {
            let actual = function(x);
            assert!(same(actual, expected), "{name}({x:e}) is {actual:e}, not {expected:e}");
        }
    }
}

#[test]
fn binary_functions_have_the_special_values_of_annex_f() {
    const POW: &[(f32, f32, f32)] = &[
        (NAN, 0.0, 1.0),
        (NAN, -0.0, 1.0),
        (1.0, NAN, 1.0),
        (1.0, INF, 1.0),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (0.0, -3.0, INF),
        (-0.0, -3.0, -INF),
        (-0.0, -2.0, INF),
        (-0.0, -2.5, INF),
        (-0.0, -INF, INF),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 0.5, 0.0),
        (0.5, -INF, INF),
        (-0.5, -INF, INF),
        (2.0, -INF, 0.0),
        (0.5, INF, 0.0),
        (-2.0, INF, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 0.5, INF),
        (INF, -0.5, 0.0),
        (INF, LEAST, INF),
        (-8.0, 3.0, -512.0),
        (-8.0, 2.0, 64.0),
        (-8.0, 0.5, NAN),
        (-LEAST, LEAST, NAN),
        (-2.0, 16_777_217.0, INF),
        (-1.0, 16_777_215.0, -1.0),
        (-1.0, 8_388_607.5, NAN),
        (LEAST, 1.0, LEAST),
        (LEAST, -1.0, INF),
        (-LEAST, 3.0, -0.0),
        (2.0, -149.0, LEAST),
        (f32::MAX, 1.0, f32::MAX),
        (1.000_000_1, f32::MAX, INF),
        (0.999_999_94, f32::MAX, 0.0),
    ];
    const ATAN2: &[(f32, f32, f32)] = &[
        (0.0, 0.0, 0.0),
        (-0.0, 0.0, -0.0),
        (0.0, -0.0, PI),
        (-0.0, -0.0, -PI),
        (0.0, 1.0, 0.0),
        (-0.0, -1.0, -PI),
        (0.0, -INF, PI),
        (1.0, 0.0, FRAC_PI_2),
        (-1.0, -0.0, -FRAC_PI_2),
        (LEAST, 0.0, FRAC_PI_2),
        (1.0, INF, 0.0),
        (-1.0, INF, -0.0),
        (1.0, -INF, PI),
        (INF, 3.0, FRAC_PI_2),
        (-INF, -3.0, -FRAC_PI_2),
        (INF, INF, FRAC_PI_4),
        (-INF, INF, -FRAC_PI_4),
        (INF, -INF, THREE_QUARTER_PI),
        (-INF, -INF, -THREE_QUARTER_PI),
        (1.0, 1.0, FRAC_PI_4),
        (LEAST, LEAST, FRAC_PI_4),
        (-f32::MAX, -f32::MAX, -THREE_QUARTER_PI),
        (LEAST, 1.0, LEAST),
        (3.0 * LEAST, 2.0, LEAST),
        (LEAST, f32::MAX, 0.0),
        (f32::MAX, LEAST, FRAC_PI_2),
        (NAN, 0.0, NAN),
        (0.0, NAN, NAN),
        (INF, NAN, NAN),
    ];
    const HYPOT: &[(f32, f32, f32)] = &[
        (INF, NAN, INF),
        (NAN, -INF, INF),
        (-INF, 0.0, INF),
        (NAN, 0.0, NAN),
        (1.0, NAN, NAN),
        (-0.0, -0.0, 0.0),
        (-3.0, 0.0, 3.0),
        (3.0, -4.0, 5.0),
        (3.0 * LEAST, 4.0 * LEAST, 5.0 * LEAST),
        (f32::MAX, f32::MAX, INF),
        (f32::MAX, 1.0, f32::MAX),
        (LEAST, 0.0, LEAST),
    ];
    type Row = (&'static str, fn(f32, f32) -> f32, &'static [(f32, f32, f32)]);
    let rows: [Row; 3] = [("pow", pow, POW), ("atan2", atan2, ATAN2), ("hypot", hypot, HYPOT)];
    for (name, function, values) in rows {
        for &(x, y, expected) in values {
            let actual = function(x, y);
            assert!(
                same(actual, expected),
                "{name}({x:e}, {y:e}) is {actual:e}, not {expected:e}"
            );
        }
    }
}

proptest! {
    #[test]
    fn exact_results_are_returned(x in 1f32..4096.0, small in 1u32..4096, exponent in -149i32..=127) {
        prop_assert_eq!(pow(x, 1.0), x);
        let whole = small as f32;
        prop_assert_eq!(pow(-whole, 2.0), whole * whole);
        prop_assert_eq!(pow(whole * whole, 0.5), whole);
        prop_assert_eq!(f64::from(exp2(exponent as f32)), 2f64.powi(exponent));
        prop_assert_eq!(log2(exp2(exponent as f32)), exponent as f32);
        let root = (small % 256) as f32;
        prop_assert_eq!(cbrt(root * root * root), root);
        prop_assert_eq!(hypot(whole * 3.0, -whole * 4.0), whole * 5.0);
    }

    #[test]
    fn signs_follow_the_symmetries(x in any::<f32>(), y in any::<f32>()) {
        prop_assert!(same(cbrt(-x), -cbrt(x)));
        prop_assert!(same(sin(-x), -sin(x)));
        prop_assert!(same(cos(-x), cos(x)));
        prop_assert!(same(atan2(-y, x), -atan2(y, x)));
        prop_assert!(same(hypot(-y, x), hypot(x, y)));
    }
}
