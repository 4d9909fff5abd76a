//! Holds the change of primaries to published matrices, to f64, and to what its definition promises of special values.

use colour::primaries::{ACESCG, DISPLAY_P3, Matrix, adaptation, between, codes_matrix, convert, light_matrix, to_xyz};
use isobit::format::Depth;
use proptest::prelude::*;

fn assert_close(what: &str, actual: &Matrix, published: &Matrix, bound: f64) {
    for (row, (actual, published)) in actual.iter().zip(published).enumerate() {
        for (column, (actual, published)) in actual.iter().zip(published).enumerate() {
            let error = (actual - published).abs();
            assert!(error <= bound, "{what} [{row}][{column}]: {actual} against {published}");
        }
    }
}

fn multiplied(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| [0, 1, 2].map(|column| (0..3).map(|k| row[k] * b[k][column]).sum()))
}

/// W3C, CSS Color Module Level 4, section 18: linear Display P3 to XYZ.
const CSS_P3_TO_XYZ: Matrix = [
    [
        0.486_570_948_648_216_2,
        0.265_667_693_169_093_06,
        0.198_217_285_234_362_5,
    ],
    [0.228_974_564_069_748_8, 0.691_738_521_836_506_4, 0.079_286_914_093_745],
    [0.0, 0.045_113_381_858_902_64, 1.043_944_368_900_976],
];

/// Academy S-2014-004, section 4: ACEScg to XYZ.
const ACADEMY_AP1_TO_XYZ: Matrix = [
    [0.662_454_181_1, 0.134_004_206_5, 0.156_187_687_0],
    [0.272_228_716_8, 0.674_081_765_8, 0.053_689_517_4],
    [-0.005_574_649_5, 0.004_060_733_5, 1.010_339_100_3],
];

/// Academy, ACEScg to ACES2065-1 inverted: AP0 to AP1 (S-2014-004, section 4).
const ACADEMY_AP0_TO_AP1: Matrix = [
    [1.451_439_316_1, -0.236_510_746_9, -0.214_928_569_3],
    [-0.076_553_773_4, 1.176_229_699_8, -0.099_675_926_4],
    [0.008_316_148_4, -0.006_032_449_8, 0.997_716_301_4],
];

/// OpenColorIO, configuration for ACES: linear P3-D65 to ACES2065-1 by Bradford.
const OCIO_P3_TO_AP0: Matrix = [
    [0.518_933_487_597_981, 0.286_256_586_386_69, 0.194_809_926_015_329],
    [0.073_859_383_047_059_8, 0.819_845_163_936_986, 0.106_295_453_015_954],
    [
        -0.000_307_011_368_446_647,
        0.043_807_050_253_622_3,
        0.956_499_961_114_824,
    ],
];

/// Academy, aces-dev 1.3, ACESlib.Utilities_Color: D60 to D65 is the inverse of this; printed to six digits.
const ACADEMY_D65_TO_D60: Matrix = [
    [1.013_03, 0.006_105_31, -0.014_971],
    [0.007_698_23, 0.998_165, -0.005_032_03],
    [-0.002_841_31, 0.004_685_16, 0.924_507],
];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

#[test]
fn the_matrices_are_the_published_ones() {
    assert_close("P3 to XYZ", &to_xyz(&DISPLAY_P3), &CSS_P3_TO_XYZ, 1e-14);
    assert_close("AP1 to XYZ", &to_xyz(&ACESCG), &ACADEMY_AP1_TO_XYZ, 5.1e-11);
    let cat = adaptation(DISPLAY_P3.white, ACESCG.white);
    // Two entries of the Academy's print are off by 2e-6, since it rounds the whites.
    assert_close("D65 to D60", &cat, &ACADEMY_D65_TO_D60, 5e-6);

    let published = multiplied(&ACADEMY_AP0_TO_AP1, &OCIO_P3_TO_AP0);
    assert_close("P3 to AP1", &between(&DISPLAY_P3, &ACESCG), &published, 1e-9);
}

#[test]
fn the_matrices_are_inverse_to_each_other_and_keep_white() {
    let (to, from) = (between(&DISPLAY_P3, &ACESCG), between(&ACESCG, &DISPLAY_P3));
    assert_close("there and back", &multiplied(&from, &to), &IDENTITY, 1e-14);
    for matrix in [to, from] {
        for row in matrix {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{row:?}");
        }
    }
}

#[test]
fn the_matrices_are_as_large_as_the_proof_wants() {
    for matrix in [between(&DISPLAY_P3, &ACESCG), between(&ACESCG, &DISPLAY_P3)] {
        for row in light_matrix(&matrix) {
            assert!(row.iter().all(|value| value.abs() >= 1.0 / 512.0), "{row:?}");
            assert!(row.iter().map(|value| value.abs()).sum::<f32>() < 2.0, "{row:?}");
        }
    }
}

/// The matrix in f64, and the bound on the error of three rounded products and two rounded sums of them: 3.1 half units of
/// the magnitudes, one of which is the matrix' own.
fn ideal(matrix: &Matrix, light: [f64; 3]) -> [(f64, f64); 3] {
    matrix.map(|row| {
        let terms = [0, 1, 2].map(|i| row[i] * light[i]);
        let magnitude: f64 = terms.iter().map(|term| term.abs()).sum();
        (terms.iter().sum(), 4.1 * 2f64.powi(-24) * magnitude)
    })
}

#[test]
fn codes_are_converted_as_fractions_of_the_largest() {
    for depth in Depth::INTEGER {
        let max = depth.max_code().unwrap();
        for matrix in [between(&DISPLAY_P3, &ACESCG), between(&ACESCG, &DISPLAY_P3)] {
            let of_codes = codes_matrix(&matrix, max);
            for code in 0..=max {
                let codes = [code, max - code, code * 7 % (max + 1)];
                let fractions = codes.map(|code| f64::from(code) / f64::from(max));
                let actual = convert(&of_codes, codes.map(|code| code as f32));
                for (actual, (exact, bound)) in actual.into_iter().zip(ideal(&matrix, fractions)) {
                    assert!(
                        (f64::from(actual) - exact).abs() <= bound,
                        "{codes:?}: {actual} against {exact}"
                    );
                }
            }
        }
    }
}

#[test]
fn special_values_go_where_ieee_takes_them() {
    let matrix = light_matrix(&between(&ACESCG, &DISPLAY_P3));
    let bits = |light| convert(&matrix, light).map(f32::to_bits);
    let inf = f32::INFINITY;
    // Signs of the first column: + − −.
    assert_eq!(bits([inf, 0.5, -0.5]), [inf, -inf, -inf].map(f32::to_bits));
    assert_eq!(bits([-inf, 1e38, 0.0]), [-inf, inf, inf].map(f32::to_bits));
    // The second row has − +, the first + −: opposite infinities of the first, equal ones nowhere.
    assert!(
        convert(&matrix, [inf, inf, 0.0])
            .iter()
            .all(|value| value.is_nan() || *value == -inf)
    );
    assert!(convert(&matrix, [inf, inf, 0.0])[0].is_nan());
    for nan in [[f32::NAN, 0.0, 0.0], [0.0, f32::NAN, inf]] {
        assert!(convert(&matrix, nan).iter().all(|value| value.is_nan()), "{nan:?}");
    }
    // Nothing below 2^-64 is light, and zero has no sign.
    let dark = 2f32.powi(-64).next_down();
    for zero in [0.0, -0.0, f32::from_bits(1), -f32::MIN_POSITIVE, dark, -dark] {
        assert_eq!(bits([zero; 3]), [0; 3], "{zero:e}");
    }
    assert!(convert(&matrix, [2f32.powi(-64); 3]).iter().all(|value| *value > 0.0));
    // The largest number of all channels is white, which only rounding could take beyond.
    assert!(
        convert(&matrix, [f32::MAX / 2.0; 3])
            .iter()
            .all(|value| value.is_finite())
    );
    // 1.37 times the largest number is infinite, and nothing else is.
    assert_eq!(bits([f32::MAX, 0.0, 0.0])[0], inf.to_bits());
    assert!(convert(&matrix, [f32::MAX, 0.0, 0.0])[1].is_finite());
}

/// Light of any size, no component of which is taken for none.
fn light() -> impl Strategy<Value = [f32; 3]> {
    let component = (any::<bool>(), 0..1u32 << 23, 63..=253u32).prop_map(|(negative, fraction, exponent)| {
        f32::from_bits(u32::from(negative) << 31 | exponent << 23 | fraction)
    });
    prop::array::uniform3(prop_oneof![4 => component, 1 => Just(0.0)])
}

proptest! {
    #[test]
    fn light_is_within_the_rounding_of_f64(light in light()) {
        for matrix in [between(&DISPLAY_P3, &ACESCG), between(&ACESCG, &DISPLAY_P3)] {
            let actual = convert(&light_matrix(&matrix), light);
            for (actual, (exact, bound)) in actual.into_iter().zip(ideal(&matrix, light.map(f64::from))) {
                prop_assert!((f64::from(actual) - exact).abs() <= bound, "{} against {}", actual, exact);
            }
        }
    }

    #[test]
    fn there_and_back_is_where_it_began(light in prop::array::uniform3(-2.0f32..2.0)) {
        let there = convert(&light_matrix(&between(&DISPLAY_P3, &ACESCG)), light);
        let back = convert(&light_matrix(&between(&ACESCG, &DISPLAY_P3)), there);
        for (before, after) in light.into_iter().zip(back) {
            prop_assert!((before - after).abs() <= 2e-6, "{:?} became {:?}", light, back);
        }
    }
}
