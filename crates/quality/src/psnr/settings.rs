//! The options of `psnr`, under libvmaf's names, and what they come to: the peak of a depth, and the cap of each plane.
//!
//! The rest of libvmaf's options switch outputs on and off: `psnr` has those of `enable_chroma` and `enable_mse`, `apsnr`
//! those of `enable_apsnr`.

use isobit::format::Depth;
use isobit::frame::ClipShape;
use isobit::options::{KernelOption, Options};

const REDUCED_HBD_PEAK: KernelOption = KernelOption::flag(
    "reduced_hbd_peak",
    "reduced_hbd_peak",
    "takes 255 of 8 bits, scaled up, for the peak of more bits",
);
const MIN_SSE: KernelOption = KernelOption::number(
    "min_sse",
    "min_sse",
    "the least sum of squared errors of a plane, which caps its ratio; 0 leaves the cap to the depth",
    0.0,
    [0.0, f64::MAX],
);

/// Those of the ratio of a frame.
pub(super) const OPTIONS: &[KernelOption] = &[REDUCED_HBD_PEAK, MIN_SSE];
/// Those of the ratio over all frames.
pub(super) const APSNR_OPTIONS: &[KernelOption] = &[REDUCED_HBD_PEAK];

/// What the ratio of a frame takes from depth, size and options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    /// The greatest error.
    pub(super) peak: f64,
    /// The greatest ratio of each plane, in dB.
    pub(super) caps: [f64; 3],
}

impl Settings {
    pub(super) fn new(shape: &ClipShape, options: &Options) -> Self {
        let peak = peak(shape.format.depth, options);
        let least = options.number(MIN_SSE.name);
        let cap = |plane| {
            if least == 0.0 {
                return super::reference::cap(shape.format.depth);
            }
            // libvmaf rounds the sides of a chroma plane down here, though not where it counts samples.
            let (down, across) = shape.format.layout.subsampling(plane);
            let samples = u64::from(shape.width / down) * u64::from(shape.height / across);
            (10.0 * libm::log10(peak * peak / (least / samples as f64))).ceil()
        };
        Self {
            peak,
            caps: [0, 1, 2].map(cap),
        }
    }
}

/// The greatest error at an integer depth.
pub(super) fn peak(depth: Depth, options: &Options) -> f64 {
    if options.flag(REDUCED_HBD_PEAK.name) {
        f64::from(255u32 << (depth.bits() - 8))
    } else {
        super::reference::peak(depth)
    }
}

#[cfg(test)]
mod tests {
    use isobit::format::{Format, Layout};

    use super::super::KERNEL;
    use super::*;

    fn settings(layout: Layout, depth: Depth, size: [u32; 2], given: &[(&str, &str)]) -> Settings {
        let given: Vec<_> = given
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let shape = ClipShape::tight(Format::new(layout, depth), size[0], size[1]);
        Settings::new(&shape, &KERNEL.with_options(&given).unwrap().options)
    }

    #[test]
    fn a_reduced_peak_is_255_scaled_up() {
        let peak = |depth, given: &[_]| settings(Layout::Yuv420, depth, [8, 8], given).peak;
        assert_eq!(
            Depth::INTEGER.map(|depth| peak(depth, &[])),
            [255.0, 1023.0, 4095.0, 65_535.0]
        );
        assert_eq!(
            Depth::INTEGER.map(|depth| peak(depth, &[("reduced_hbd_peak", "true")])),
            [255.0, 1020.0, 4080.0, 65_280.0]
        );
    }

    #[test]
    fn a_least_error_caps_the_ratio_of_each_plane_at_the_next_whole_decibel() {
        let caps = |layout, size| settings(layout, Depth::U8, size, &[("min_sse", "0.5")]).caps;
        // 10 · log10(255² · 32 / 0.5) = 66.19, of a fourth of the samples 60.17, of half of them 63.18.
        assert_eq!(caps(Layout::Yuv444, [8, 4]), [67.0; 3]);
        assert_eq!(caps(Layout::Yuv420, [8, 4]), [67.0, 61.0, 61.0]);
        assert_eq!(caps(Layout::Yuv422, [8, 4]), [67.0, 64.0, 64.0]);
        // Of 9 by 5 samples as many are chroma's.
        assert_eq!(caps(Layout::Yuv420, [9, 5])[1..], [61.0; 2]);
        assert_eq!(caps(Layout::Yuv420, [1, 1])[1..], [f64::NEG_INFINITY; 2]);
        assert_eq!(settings(Layout::Yuv420, Depth::U8, [8, 4], &[]).caps, [60.0; 3]);
    }
}
