//! The specification of `psnr`, after `libvmaf/src/feature/integer_psnr.c` with `enable_mse` and without `enable_apsnr`.
//!
//! The sum of squared errors is formed in integers, so its order does not matter. (libvmaf sums an 8-bit row in 32 bits,
//! which wraps beyond 66,051 columns; here no sum wraps.) The decibels end in a base-10 logarithm, the one operation of this
//! kernel that IEEE 754 does not define: it is `libm::log10`, the same code on every platform, where libvmaf's is that of the
//! C library it was linked to. Over the golden clips the mean squared errors are libvmaf's to the last bit, and so are
//! 303 of the 324 decibels; the others differ by at most 2 units in the last place (3.6e-15 dB).

use isobit::format::Depth;
use isobit::frame::{Input, Plane};
use isobit::kernel::KernelError;
use isobit::output::Output;

/// Names of the PSNR of each plane, in dB.
pub(super) const PSNR: [&str; 3] = ["psnr_y", "psnr_cb", "psnr_cr"];
/// Names of the mean squared error of each plane, in codes squared.
pub(super) const MSE: [&str; 3] = ["mse_y", "mse_cb", "mse_cr"];

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let shape = input.shape();
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        for plane in 0..shape.planes.len() {
            let sse = sse(input.plane(0, frame, plane), input.plane(1, frame, plane));
            outputs.extend(scores(
                frame,
                plane,
                sse,
                shape.planes[plane].samples(),
                shape.format.depth,
            ));
        }
    }
    Ok(outputs)
}

/// The sum of squared errors.
fn sse(reference: &Plane, distorted: &Plane) -> u64 {
    let mut sse = 0;
    for y in 0..reference.shape().height {
        for (r, d) in reference.codes(y).zip(distorted.codes(y)) {
            let error = r.abs_diff(d);
            sse += u64::from(error * error);
        }
    }
    sse
}

/// Both scores of a plane from its sum of squared errors.
pub(super) fn scores(frame: usize, plane: usize, sse: u64, samples: u64, depth: Depth) -> [Output; 2] {
    let mse = mse(sse, samples);
    [
        Output::score(PSNR[plane], frame, psnr(mse, depth)),
        Output::score(MSE[plane], frame, mse),
    ]
}

/// The mean squared error of `samples` samples, in codes squared; the quotient is rounded once where `sse` is below 2^53.
pub fn mse(sse: u64, samples: u64) -> f64 {
    sse as f64 / samples as f64
}

/// The peak signal-to-noise ratio in dB at an integer depth, at most six times the bits plus twelve: 60 dB at 8 bits.
pub fn psnr(mse: f64, depth: Depth) -> f64 {
    let peak = f64::from((1u32 << depth.bits()) - 1);
    let cap = f64::from(6 * depth.bits() + 12);
    (10.0 * libm::log10(peak * peak / mse.max(1e-16))).min(cap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_planes_reach_the_cap_of_their_depth() {
        let caps = Depth::INTEGER.map(|depth| psnr(mse(0, 9), depth));
        assert_eq!(caps, [60.0, 72.0, 84.0, 108.0]);
    }

    #[test]
    fn an_error_as_large_as_the_peak_is_0_db() {
        for depth in Depth::INTEGER {
            let peak = u64::from(depth.max_code().unwrap());
            assert_eq!(psnr(mse(peak * peak * 6, 6), depth), 0.0);
        }
    }

    #[test]
    fn a_tenth_of_the_error_is_20_db() {
        assert!((psnr(mse(255 * 255, 100), Depth::U8) - 20.0).abs() < 1e-12);
    }
}
