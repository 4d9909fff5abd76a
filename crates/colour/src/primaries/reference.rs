//! The specification of `display_p3_to_acescg` and `acescg_to_display_p3`.
//!
//! Samples are linear light: a code `c` of depth `d` means c / (2^d − 1), an f32 sample means itself. The sums are formed in
//! f32, each operation rounded once, from a matrix that is derived in f64 and rounded once.

use isobit::frame::Input;
use isobit::output::Output;

use super::spaces::Matrix;
use crate::pixel_map;

/// Magnitudes below 2^−64 are no light.
///
/// The least number of the matrices is above 2^−9, so a product of anything more is above 2^−89 even at 2^−16 of its size.
/// A sum of products is zero or at least a unit in their last place, 2^−112, and no step meets a subnormal.
pub(super) const NO_LIGHT: f32 = 1.0 / 18_446_744_073_709_551_616.0;

/// A pixel with a magnitude of 2^120 or more is added up at 2^−16 of its size: no row of the matrices has magnitudes
/// that add up to 2, so only the result itself can leave the range of f32, and then is infinite.
pub(super) const BRIGHT: f32 = f32::from_bits((120 + 127) << 23);
const DIMMED: f32 = 1.0 / 65_536.0;

pub(super) fn reference(input: &Input, metric: &'static str, matrix: &Matrix) -> Vec<Output> {
    match input.shape().format.depth.max_code() {
        Some(max_code) => {
            let matrix = codes_matrix(matrix, max_code);
            pixel_map::reference(input, metric, |codes| product(&matrix, codes).map(unsigned_zero))
        }
        None => {
            let matrix = light_matrix(matrix);
            pixel_map::reference(input, metric, |light| convert(&matrix, light))
        }
    }
}

/// The matrix as it is applied to f32 samples.
pub fn light_matrix(matrix: &Matrix) -> [[f32; 3]; 3] {
    matrix.map(|row| row.map(|value| value as f32))
}

/// The matrix from codes up to `max_code` to light: the division is part of it.
pub fn codes_matrix(matrix: &Matrix, max_code: u32) -> [[f32; 3]; 3] {
    matrix.map(|row| row.map(|value| (value / f64::from(max_code)) as f32))
}

/// A pixel of linear light in the primaries of the other space.
///
/// Magnitudes below 2^−64 count as zero, and a result of zero is +0. Infinities and NaN go where IEEE 754 takes them.
pub fn convert(matrix: &[[f32; 3]; 3], light: [f32; 3]) -> [f32; 3] {
    let light = light.map(|value| if value.abs() < NO_LIGHT { 0.0 } else { value });
    if light.iter().any(|value| value.abs() >= BRIGHT) {
        return product(matrix, light.map(|value| value * DIMMED)).map(|value| unsigned_zero(value / DIMMED));
    }
    product(matrix, light).map(unsigned_zero)
}

/// Each row's products, added from left to right.
fn product(matrix: &[[f32; 3]; 3], [r, g, b]: [f32; 3]) -> [f32; 3] {
    matrix.map(|row| (row[0] * r + row[1] * g) + row[2] * b)
}

/// `value` without the sign of zero, which WGSL lets a compiler ignore.
fn unsigned_zero(value: f32) -> f32 {
    value + 0.0
}
