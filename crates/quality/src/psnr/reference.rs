//! The specification of `psnr` and `apsnr`, after `libvmaf/src/feature/integer_psnr.c`.
//!
//! The sum of squared errors is formed in integers, so its order does not matter. (libvmaf sums an 8-bit row in 32 bits,
//! which wraps beyond 66,051 columns; here no sum wraps.) The decibels end in a base-10 logarithm, the one operation of this
//! kernel that IEEE 754 does not define: it is `libm::log10`, the same code on every platform, where libvmaf's is that of the
//! C library it was linked to. Over the golden clips the mean squared errors are libvmaf's to the last bit, and so are
//! 303 of the 324 decibels; the others differ by at most 2 units in the last place (3.6e-15 dB).
//!
//! What the peak and the size are squared and multiplied to is a whole number below 2^53 up to 2^20 samples at 16 bits, where
//! libvmaf multiplies in integers of 64 bits; beyond, the cap over all frames is rounded up to whole decibels all the same.

use isobit::format::Depth;
use isobit::frame::{ClipShape, Input, Plane};
use isobit::output::Output;

use super::settings::Settings;

/// Names of the PSNR of each plane, in dB.
pub(super) const PSNR: [&str; 3] = ["psnr_y", "psnr_cb", "psnr_cr"];
/// Names of the mean squared error of each plane, in codes squared.
pub(super) const MSE: [&str; 3] = ["mse_y", "mse_cb", "mse_cr"];
/// Names of the PSNR of each plane over all frames so far, in dB.
pub(super) const APSNR: [&str; 3] = ["apsnr_y", "apsnr_cb", "apsnr_cr"];

/// The scores of each frame.
pub(super) fn reference(input: &Input, settings: &Settings) -> Vec<Output> {
    let scores = |frame| scores(frame, sums(input, frame), input.shape(), settings);
    (0..input.frames()).flat_map(scores).collect()
}

/// The scores over all frames up to each.
pub(super) fn apsnr(input: &Input, peak: f64) -> Vec<Output> {
    running_scores((0..input.frames()).map(|frame| sums(input, frame)), input.shape(), peak)
}

/// The sum of squared errors of each plane of a frame.
fn sums(input: &Input, frame: usize) -> [u64; 3] {
    [0, 1, 2].map(|plane| sse(input.plane(0, frame, plane), input.plane(1, frame, plane)))
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

/// Both scores of each plane from its sum of squared errors.
pub(super) fn scores(frame: usize, sums: [u64; 3], shape: &ClipShape, settings: &Settings) -> Vec<Output> {
    let mut outputs = Vec::new();
    for (plane, sse) in sums.into_iter().enumerate() {
        let mse = mse(sse, shape.planes[plane].samples());
        let psnr = decibels(mse, settings.peak).min(settings.caps[plane]);
        outputs.push(Output::score(PSNR[plane], frame, psnr));
        outputs.push(Output::score(MSE[plane], frame, mse));
    }
    outputs
}

/// The score of each plane over all frames up to each, from the sums of squared errors of the frames.
pub(super) fn running_scores(sums: impl IntoIterator<Item = [u64; 3]>, shape: &ClipShape, peak: f64) -> Vec<Output> {
    let mut outputs = Vec::new();
    let mut totals = [0; 3];
    for (frame, sums) in sums.into_iter().enumerate() {
        for (plane, sse) in sums.into_iter().enumerate() {
            totals[plane] += sse;
            let samples = shape.planes[plane].samples() * (frame as u64 + 1);
            outputs.push(Output::score(APSNR[plane], frame, pooled(totals[plane], samples, peak)));
        }
    }
    outputs
}

/// The ratio in dB of a sum of squared errors over `samples` samples, at most that of half an error in all of them together.
fn pooled(sse: u64, samples: u64, peak: f64) -> f64 {
    let samples = samples as f64;
    let ratio = 10.0 * (libm::log10(peak * peak) + libm::log10(samples) - libm::log10(sse as f64));
    ratio.min((10.0 * libm::log10(peak * peak * samples * 2.0)).ceil())
}

/// The mean squared error of `samples` samples, in codes squared; the quotient is rounded once where `sse` is below 2^53.
pub fn mse(sse: u64, samples: u64) -> f64 {
    sse as f64 / samples as f64
}

/// The peak signal-to-noise ratio in dB at an integer depth, at most six times the bits plus twelve: 60 dB at 8 bits.
pub fn psnr(mse: f64, depth: Depth) -> f64 {
    decibels(mse, peak(depth)).min(cap(depth))
}

fn decibels(mse: f64, peak: f64) -> f64 {
    10.0 * libm::log10(peak * peak / mse.max(1e-16))
}

/// The greatest code of an integer depth.
pub(super) fn peak(depth: Depth) -> f64 {
    f64::from((1u32 << depth.bits()) - 1)
}

/// The greatest ratio of a depth, in dB, where no option sets another.
pub(super) fn cap(depth: Depth) -> f64 {
    f64::from(6 * depth.bits() + 12)
}

#[cfg(test)]
mod tests {
    use isobit::format::{Format, Layout};
    use isobit::frame::{Clip, Frame, PlaneShape};
    use isobit::kernel::Kernel;

    use super::super::{APSNR as APSNR_KERNEL, KERNEL};
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

    /// A clip of `frames` frames of 4:2:0 at 10 bits, 4×2 samples, whose codes all differ by `error`.
    fn input(errors: &[u16]) -> Input {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U10), 4, 2);
        let clip = |code: &dyn Fn(usize) -> u16| {
            let frame = |frame| {
                let plane = |shape: &PlaneShape| {
                    let bytes = code(frame).to_le_bytes().repeat(shape.samples() as usize);
                    Plane::new(*shape, Depth::U10, bytes).unwrap()
                };
                Frame {
                    planes: shape.planes.iter().map(plane).collect(),
                }
            };
            Clip::new(shape.clone(), (0..errors.len()).map(frame).collect()).unwrap()
        };
        Input::new(vec![clip(&|_| 0), clip(&|frame| errors[frame])]).unwrap()
    }

    fn values(kernel: &Kernel, input: &Input, metric: &str) -> Vec<f64> {
        let outputs = kernel.compute(input).unwrap().into_iter();
        let of_it = outputs.filter(|output| output.metric == metric);
        of_it.map(|output| output.values.get(0).as_f64()).collect()
    }

    #[test]
    fn options_move_the_peak_and_the_cap_and_never_the_error() {
        let input = input(&[1020, 0]);
        let with = |name: &str, value: &str| KERNEL.with_options(&[(name.to_owned(), value.to_owned())]).unwrap();
        let reduced = with("reduced_hbd_peak", "true");
        assert_eq!(values(&reduced, &input, "psnr_y_reduced_hbd_peak"), [0.0, 72.0]);
        assert_eq!(
            values(&reduced, &input, "mse_cb_reduced_hbd_peak"),
            [1020.0 * 1020.0, 0.0]
        );
        let capped = with("min_sse", "0.5");
        let above = 20.0 * libm::log10(1023.0 / 1020.0);
        let found = values(&capped, &input, "psnr_y_min_sse_0.5");
        // 10 · log10(1023² · 8 / 0.5) = 72.24
        assert!((found[0] - above).abs() < 1e-13 && found[1] == 73.0, "{found:?}");
    }

    #[test]
    fn the_ratio_over_all_frames_is_that_of_their_mean_error() {
        let input = input(&[30, 0, 60]);
        for (metric, samples) in [("apsnr_y", 8.0), ("apsnr_cr", 2.0)] {
            let found = values(&APSNR_KERNEL, &input, metric);
            let expected = [900.0, 450.0, 1500.0].map(|mse: f64| 10.0 * libm::log10(1023.0 * 1023.0 / mse));
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{metric}: {found} for {expected}");
            }
            // Without an error, that of half an error in all frames together.
            let capped = (10.0 * libm::log10(1023.0 * 1023.0 * samples * 2.0)).ceil();
            assert_eq!(values(&APSNR_KERNEL, &self::input(&[0]), metric), [capped]);
        }
    }
}
