//! The specification of `float_psnr`, after `libvmaf/src/feature/{float_psnr,psnr,picture_copy}.c`.
//!
//! libvmaf scales codes to the range of 8 bits in f32, squares their differences in f32, and adds the squares to an f64, row
//! by row. Here the sum is formed in integers, and so without regard to order; `scaled.rs` says why and up to which size both
//! are the same. It has 64 bits and would overflow beyond 2^32 samples, twice as many as can be addressed.
//!
//! What differs from `psnr`: at 16 bits each squared error is rounded to 24 significant bits; the peak is that of the scaled
//! codes; and an error below 1e-10 counts as 1e-10, far less than the cap lets through.
//!
//! The decibels end in a base-10 logarithm, which is `libm::log10`, the same code on every platform, where libvmaf's is that
//! of the C library it was linked to. Over the golden clips they differ by at most 2 units in the last place.

use isobit::format::Depth;
use isobit::frame::{Input, Plane};
use isobit::kernel::KernelError;
use isobit::output::Output;

use crate::scaled::{scale, square};

/// Name of the PSNR of the luma, in dB.
pub(super) const PSNR: &str = "float_psnr";

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let shape = input.shape();
    let score = |frame| {
        let noise = noise(input.plane(0, frame, 0), input.plane(1, frame, 0), shape.format.depth);
        score(frame, noise, shape.planes[0].samples(), shape.format.depth)
    };
    Ok((0..input.frames()).map(score).collect())
}

/// The sum of squared errors, each rounded to f32, in units of 1/scale².
fn noise(reference: &Plane, distorted: &Plane, depth: Depth) -> u64 {
    let scale = scale(depth);
    let mut noise = 0;
    for y in 0..reference.shape().height {
        for (r, d) in reference.codes(y).zip(distorted.codes(y)) {
            noise += square(r.abs_diff(d), scale);
        }
    }
    noise
}

/// The score of a frame from its sum of squared errors.
pub(super) fn score(frame: usize, noise: u64, samples: u64, depth: Depth) -> Output {
    Output::score(PSNR, frame, psnr(noise, samples, depth))
}

/// The peak signal-to-noise ratio in dB of `samples` samples of an integer depth, at most six times the bits plus twelve:
/// 60 dB at 8 bits. `noise` is the sum of squared errors in units of 1/scale², the scale being 1, 4, 16 or 256.
pub fn psnr(noise: u64, samples: u64, depth: Depth) -> f64 {
    let scale = f64::from(scale(depth));
    let noise = noise as f64 / (scale * scale) / samples as f64;
    let peak = f64::from((1u32 << depth.bits()) - 1) / scale;
    let cap = f64::from(6 * depth.bits() + 12);
    (10.0 * libm::log10(peak * peak / noise.max(1e-10))).min(cap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_planes_reach_the_cap_of_their_depth() {
        let caps = Depth::INTEGER.map(|depth| psnr(0, 9, depth));
        assert_eq!(caps, [60.0, 72.0, 84.0, 108.0]);
    }

    #[test]
    fn an_error_as_large_as_the_peak_is_0_db_but_for_its_rounding_at_16_bits() {
        for depth in Depth::INTEGER {
            let noise = 6 * square(depth.max_code().unwrap(), scale(depth));
            let decibels = psnr(noise, 6, depth);
            // 65535² = 0xfffe0001 is rounded to 0xfffe0000, of which it is more by a part in 4,294,836,224.
            let expected = if depth == Depth::U16 {
                10.0 / core::f64::consts::LN_10 / 4_294_836_224.0
            } else {
                0.0
            };
            assert!((decibels - expected).abs() < 1e-15, "{depth}: {decibels}");
        }
    }

    #[test]
    fn one_8_bit_code_of_error_is_the_square_of_the_peak() {
        let peaks = [255.0, 255.75, 255.9375, 255.996_093_75_f64];
        for (depth, peak) in Depth::INTEGER.into_iter().zip(peaks) {
            let noise = 5 * square(1 << (depth.bits() - 8), scale(depth));
            assert!(
                (psnr(noise, 5, depth) - 20.0 * libm::log10(peak)).abs() < 1e-12,
                "{depth}"
            );
        }
    }
}
