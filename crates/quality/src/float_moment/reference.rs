//! The specification of `float_moment`, after `libvmaf/src/feature/{float_moment,moment,picture_copy}.c`.
//!
//! libvmaf scales codes to the range of 8 bits in f32, squares in f32, and adds the terms to an f64, row by row. Here the
//! sums are formed in integers, and so without regard to order; `scaled.rs` says why and up to which size both are the same.

use isobit::format::Depth;
use isobit::frame::{Input, Plane};
use isobit::kernel::KernelError;
use isobit::output::Output;

use crate::scaled::{scale, square};

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
