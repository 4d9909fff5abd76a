//! Oklab and linear light of the primaries of BT.709: what the kernels in Oklab share.
//!
//! Source: Björn Ottosson, "A perceptual color space for image processing", matrices of the 2021 revision. Each function takes
//! the same steps as its namesake in the WGSL beside it.
//!
//! # Range
//!
//! A component below 2^−90 in linear light, or 2^−32 as a cube root, counts as 0: no eye and no sensor knows the difference,
//! and no step then meets a number so small that a driver flushes it. Every product in a sum is zero or at least 2^−102, so
//! that even what remains of two that cancel is a normal number. A colour with a component beyond 128 in linear light, which is
//! the reach of a display, beyond 8 in Oklab, or not a number, is none: all three results are NaN.

use isobit_exact::math::cbrt;

use crate::constants::constants;

/// The WGSL of [`oklab`], which needs the chunks `seal` and `math_cbrt`, the declarations of [`CONSTANTS`] and [`SETTLED`].
pub(crate) const TO_WGSL: &str = include_str!("to.wgsl");
/// The WGSL of [`linear`], which needs the chunk `seal`, the declarations of [`CONSTANTS`] and [`SETTLED`].
pub(crate) const FROM_WGSL: &str = include_str!("from.wgsl");
/// The WGSL of `settled` and `row_sum`.
pub(crate) const SETTLED: &str = include_str!("settled.wgsl");

constants! {
    /// Linear light to cone responses, row by row.
    LMS_00 = 0.412_221_470_8;
    LMS_01 = 0.536_332_536_3;
    LMS_02 = 0.051_445_992_9;
    LMS_10 = 0.211_903_498_2;
    LMS_11 = 0.680_699_545_1;
    LMS_12 = 0.107_396_956_6;
    LMS_20 = 0.088_302_461_9;
    LMS_21 = 0.281_718_837_6;
    LMS_22 = 0.629_978_700_5;
    /// Cube roots of cone responses to Oklab.
    LAB_00 = 0.210_454_255_3;
    LAB_01 = 0.793_617_785_0;
    LAB_02 = -0.004_072_046_8;
    LAB_10 = 1.977_998_495_1;
    LAB_11 = -2.428_592_205_0;
    LAB_12 = 0.450_593_709_9;
    LAB_20 = 0.025_904_037_1;
    LAB_21 = 0.782_771_766_2;
    LAB_22 = -0.808_675_766_0;
    /// Oklab to cube roots of cone responses; the factor of L is 1.
    ROOT_01 = 0.396_337_777_4;
    ROOT_02 = 0.215_803_757_3;
    ROOT_11 = -0.105_561_345_8;
    ROOT_12 = -0.063_854_172_8;
    ROOT_21 = -0.089_484_177_5;
    ROOT_22 = -1.291_485_548_0;
    /// Cone responses to linear light.
    RGB_00 = 4.076_741_662_1;
    RGB_01 = -3.307_711_591_3;
    RGB_02 = 0.230_969_929_2;
    RGB_10 = -1.268_438_004_6;
    RGB_11 = 2.609_757_401_1;
    RGB_12 = -0.341_319_396_5;
    RGB_20 = -0.004_196_086_3;
    RGB_21 = -0.703_418_614_7;
    RGB_22 = 1.707_614_701_0;
    /// 2^−90.
    LEAST_LIGHT = 1.0 / (1u128 << 90) as f64;
    /// 10,000 cd/m² over a white of 80 cd/m², rounded up.
    MOST_LIGHT = 128.0;
    /// 2^−32.
    LEAST_ROOT = 1.0 / (1u64 << 32) as f64;
    /// Beyond the lightness of the brightest white, 5.04.
    MOST_ROOT = 8.0;
}

const LMS: [[f32; 3]; 3] = [
    [LMS_00, LMS_01, LMS_02],
    [LMS_10, LMS_11, LMS_12],
    [LMS_20, LMS_21, LMS_22],
];
const LAB: [[f32; 3]; 3] = [
    [LAB_00, LAB_01, LAB_02],
    [LAB_10, LAB_11, LAB_12],
    [LAB_20, LAB_21, LAB_22],
];
const ROOT: [[f32; 3]; 3] = [
    [1.0, ROOT_01, ROOT_02],
    [1.0, ROOT_11, ROOT_12],
    [1.0, ROOT_21, ROOT_22],
];
const RGB: [[f32; 3]; 3] = [
    [RGB_00, RGB_01, RGB_02],
    [RGB_10, RGB_11, RGB_12],
    [RGB_20, RGB_21, RGB_22],
];

/// `x`, or 0 where its magnitude is below `least`.
pub(crate) fn settled(x: f32, least: f32) -> f32 {
    if x.abs() < least { 0.0 } else { x }
}

/// Whether a component is beyond `most` in magnitude, or not a number.
pub(crate) fn is_no_colour(colour: [f32; 3], most: f32) -> bool {
    colour
        .iter()
        .any(|component| component.abs() > most || component.is_nan())
}

/// The products of a row of a matrix and a vector, added from left to right.
pub(crate) fn row_sum(row: [f32; 3], vector: [f32; 3]) -> f32 {
    row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]
}

fn apply(matrix: &[[f32; 3]; 3], vector: [f32; 3]) -> [f32; 3] {
    matrix.map(|row| row_sum(row, vector))
}

/// L, a and b of linear light, 1.0 the white of both. L is from 0 to 1 in the gamut, a and b from −0.4 to 0.4. The cube root
/// is signed, so that colours outside of the gamut have a place too.
pub fn oklab(linear: [f32; 3]) -> [f32; 3] {
    if is_no_colour(linear, MOST_LIGHT) {
        return [f32::NAN; 3];
    }
    let light = linear.map(|component| settled(component, LEAST_LIGHT));
    apply(&LAB, apply(&LMS, light).map(cbrt))
}

/// Linear light of L, a and b: the inverse of [`oklab`].
pub fn linear(lab: [f32; 3]) -> [f32; 3] {
    if is_no_colour(lab, MOST_ROOT) {
        return [f32::NAN; 3];
    }
    let lab = lab.map(|component| settled(component, LEAST_LIGHT));
    let cube = |root: f32| {
        let root = settled(root, LEAST_ROOT);
        root * root * root
    };
    apply(&RGB, apply(&ROOT, lab).map(cube))
}
