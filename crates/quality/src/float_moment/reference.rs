//! The specification of `float_moment`, after `libvmaf/src/feature/{float_moment,moment,picture_copy}.c`.
//!
//! libvmaf scales codes to the range of 8 bits in f32, squares in f32, and adds the terms to an f64, row by row. Here the
//! sums are formed in integers, and so without regard to order, because both say the same:
//!
//! * A code is an integer below 2^16 and the scale a power of two, so the scaled value is exact in f32.
//! * The square is rounded to the 24 significant bits of f32. Squares of codes of up to 12 bits fit in 24 bits; those of 16
//!   bits are rounded, ties to even. Either way the rounded square is a whole multiple of 1/scale², since rounding to 24
//!   bits never adds binary digits below those of the exact square.
//! * A sum of whole multiples of a power of two is exact in f64 as long as it stays below 2^53 of them, and then no order of
//!   its additions can change it. The largest square is below 2^32, so this holds for up to 2,097,152 samples at 16 bits,
//!   and for every plane below 2^29 samples at 12 bits and fewer.
//!
//! Larger 16-bit planes are where the two part: libvmaf then rounds at each addition, here the exact sum is rounded once.

use isobit::format::Depth;
use isobit::frame::{Input, Plane};
use isobit::kernel::KernelError;
use isobit::output::Output;

/// Names of the mean of the reference and of the distorted clip, in 8-bit codes.
pub(super) const FIRST: [&str; 2] = ["float_moment_ref1st", "float_moment_dis1st"];
/// Names of the mean square of the reference and of the distorted clip, in 8-bit codes squared.
pub(super) const SECOND: [&str; 2] = ["float_moment_ref2nd", "float_moment_dis2nd"];

/// Exact sums over a plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Of the values, in units of 1/scale: the sum of the codes.
    pub first: u64,
    /// Of the squares, each rounded to f32, in units of 1/scale².
    pub second: u64,
}

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let shape = input.shape();
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        for clip in 0..2 {
            let sums = sums(input.plane(clip, frame, 0), shape.format.depth);
            outputs.extend(scores(frame, clip, sums, shape.planes[0].samples(), shape.format.depth));
        }
    }
    Ok(outputs)
}

fn sums(plane: &Plane, depth: Depth) -> Sums {
    let scale = scale(depth);
    let mut sums = Sums::default();
    for y in 0..plane.shape().height {
        for code in plane.codes(y) {
            sums.first += u64::from(code);
            sums.second += square(code, scale);
        }
    }
    sums
}

/// The square of a scaled code as f32 rounds it, in units of 1/scale².
fn square(code: u32, scale: f32) -> u64 {
    let value = code as f32 / scale;
    let square = value * value;
    (square * scale * scale) as u64
}

/// Codes of `depth` to one 8-bit code: 1, 4, 16 or 256.
fn scale(depth: Depth) -> f32 {
    (1u32 << (depth.bits() - 8)) as f32
}

/// Both scores of a clip's luma plane from its sums.
pub(super) fn scores(frame: usize, clip: usize, sums: Sums, samples: u64, depth: Depth) -> [Output; 2] {
    let [first, second] = moments(sums, samples, depth);
    [
        Output::score(FIRST[clip], frame, first),
        Output::score(SECOND[clip], frame, second),
    ]
}

/// The mean, in 8-bit codes, and the mean square, in 8-bit codes squared, of `samples` samples of an integer depth.
pub fn moments(sums: Sums, samples: u64, depth: Depth) -> [f64; 2] {
    let scale = f64::from(scale(depth));
    let samples = samples as f64;
    [
        sums.first as f64 / scale / samples,
        sums.second as f64 / (scale * scale) / samples,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rounded_square_is_a_whole_number_of_units_and_the_nearest_with_24_bits() {
        for depth in Depth::INTEGER {
            let scale = scale(depth);
            for code in 0..=depth.max_code().unwrap() {
                let exact = u64::from(code) * u64::from(code);
                // f64 holds the exact square, so its conversion to f32 is the one rounding of the definition.
                let nearest = f64::from(exact as f64 as f32);
                assert_eq!(square(code, scale) as f64, nearest, "{depth}: {code}");
                let value = f64::from(code) / f64::from(scale);
                let rounded = f64::from((value * value) as f32);
                assert_eq!(
                    rounded * f64::from(scale) * f64::from(scale),
                    nearest,
                    "{depth}: {code}"
                );
            }
        }
    }

    #[test]
    fn a_running_f64_sum_is_the_integer_sum_up_to_the_stated_size() {
        let code = Depth::U16.max_code().unwrap();
        let unit = square(code, scale(Depth::U16));
        let running = (0..2_097_152).fold(0.0, |sum, _| sum + unit as f64 / 65536.0);
        assert_eq!(running * 65536.0, (unit * 2_097_152) as f64);
        assert!(unit * 2_097_152 < 1 << 53);
        assert!(unit * 2_097_300 > 1 << 53);
    }

    #[test]
    fn moments_are_in_8_bit_codes() {
        for depth in Depth::INTEGER {
            let code = 100u64 << (depth.bits() - 8);
            let sums = Sums {
                first: 3 * code,
                second: 3 * code * code,
            };
            assert_eq!(moments(sums, 3, depth), [100.0, 10_000.0]);
        }
    }
}
