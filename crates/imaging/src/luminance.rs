//! The luminance of a frame's rasters: one raster to measure and to align by.
//!
//! A single raster is its own luminance. Of red, green and blue it is `(R/4 + G/2) + B/4`, held: the parts in which an RGGB
//! mosaic counts its samples, and exact as products, for they are powers of two. It measures detail, and claims nothing of
//! colorimetry.

use isobit::kernel::KernelError;
use isobit::plan::Plan;

use crate::arithmetic::Arithmetic;
use crate::raster::{Raster, held};

/// Invocations of a workgroup, one a sample; `INVOCATIONS` of `luminance.wgsl`.
const INVOCATIONS: u64 = 64;

/// The luminance of one raster, or of the three of red, green and blue.
///
/// # Panics
/// If there are other numbers of rasters, or they differ in size.
pub fn luminance(rasters: &[Raster]) -> Raster {
    match rasters {
        [mono] => mono.clone(),
        [red, green, blue] => Raster::of(red.width, red.height, |x, y| {
            held((0.25 * red.at(x, y) + 0.5 * green.at(x, y)) + 0.25 * blue.at(x, y))
        }),
        _ => panic!("a frame loads to one raster or to three, not to {}", rasters.len()),
    }
}

/// Adds the luminance of the `rasters` buffers `{frame}_0` and on to a plan, and tells the buffer that it is in; its label
/// carries `tag`.
pub(crate) fn append(
    plan: Plan,
    kernel: &'static str,
    arithmetic: Arithmetic,
    samples: u64,
    frame: &str,
    rasters: usize,
    tag: &str,
) -> Result<(Plan, String), KernelError> {
    let [red, green, blue] = [0, 1, 2].map(|raster| format!("{frame}_{raster}"));
    if rasters == 1 {
        return Ok((plan, red));
    }
    let [luminance, size] = ["luminance", "size"].map(|part| format!("{frame}_{part}"));
    let module = arithmetic.module(kernel, &["seal", "grid"], include_str!("luminance.wgsl"))?;
    let plan = plan
        .module("luminance", module)
        .uniform(&size, &[samples as u32])
        .scratch(&luminance, samples, 4)
        .dispatch_of(
            "luminance",
            &format!("luminance_{tag}"),
            "luminance",
            &[&red, &green, &blue, &size, &luminance],
            samples.div_ceil(INVOCATIONS),
        );
    Ok((plan, luminance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn green_weighs_as_much_as_red_and_blue_together() {
        let one = |sample: f32| Raster::of(1, 1, |_, _| sample);
        let of = |colours: [f32; 3]| luminance(&colours.map(one)).samples[0];
        assert_eq!(of([1.0, 0.0, 0.0]), 0.25);
        assert_eq!(of([0.0, 1.0, 0.0]), 0.5);
        assert_eq!(of([0.0, 0.0, 1.0]), 0.25);
        assert_eq!(of([-0.75; 3]), -0.75);
        assert_eq!(luminance(&[one(3.0)]).samples, [3.0]);
    }
}
