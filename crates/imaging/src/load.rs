//! From stored planes to rasters: codes become numbers, colour-filter samples a colour each, holes are filled.
//!
//! An integer code `c` of depth `d` means c / (2^d − 1), rounded once. A frame of `mono` loads to one raster, a frame of `rgb`
//! to three, and one of `bayer` to the three of its colours: where the filter passes another colour, the sample is the mean of
//! the eight neighbours' of its own colour (bilinear interpolation). A sample that is not finite is a hole, and no sample of
//! its colour: it is filled by the same mean, and counts nowhere. The mean of no neighbour is zero. Sums go in reading order.

use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, Input, Plane};
use isobit::kernel::KernelError;
use isobit::plan::Plan;
use isobit_exact::samples::sample_plane;

use crate::arithmetic::Arithmetic;
use crate::raster::{Raster, held};

/// Invocations of a workgroup, one a sample; `INVOCATIONS` of `load.wgsl`.
const INVOCATIONS: u64 = 64;

/// Mono, RGB and colour-filter samples at any depth.
pub(crate) fn accepts(format: Format) -> bool {
    matches!(format.layout, Layout::Mono | Layout::Rgb | Layout::Bayer)
}

/// Why a clip of this shape cannot be addressed by a twin.
pub(crate) fn refuses(shape: &ClipShape) -> Option<String> {
    // A raster takes four bytes a sample, whatever the samples take.
    let rasters = u64::from(shape.width) * u64::from(shape.height) * 4;
    let bytes = shape.planes.iter().map(|plane| plane.bytes() as u64).max();
    let bytes = bytes.unwrap_or(0).max(rasters);
    (bytes > 1 << 31).then(|| format!("a plane takes {bytes} bytes, and samples are addressed up to 2^31"))
}

/// The number of rasters that a frame loads to.
pub(crate) const fn rasters(format: Format) -> usize {
    match format.layout {
        Layout::Bayer => 3,
        layout => layout.planes(),
    }
}

/// The stored plane that raster `raster` is loaded from.
const fn source(format: Format, raster: usize) -> usize {
    match format.layout {
        Layout::Bayer => 0,
        _ => raster,
    }
}

/// The colour of the sample in column `x` of row `y` of an RGGB mosaic: 0 red, 1 green, 2 blue.
const fn filter_colour(x: u32, y: u32) -> usize {
    (x % 2 + y % 2) as usize
}

/// The rasters of frame `frame` of clip `clip`.
pub fn load(input: &Input, clip: usize, frame: usize) -> Vec<Raster> {
    let format = input.shape().format;
    let all = 0..rasters(format);
    all.map(|raster| loaded(input.plane(clip, frame, source(format, raster)), format, raster))
        .collect()
}

fn loaded(plane: &Plane, format: Format, raster: usize) -> Raster {
    let shape = plane.shape();
    let stored: Vec<f32> = (0..shape.height).flat_map(|y| row(plane, format.depth, y)).collect();
    // The sample there, if it is one of the raster's colour and no hole.
    let own = |x: u32, y: u32| {
        let sample = stored[y as usize * shape.width as usize + x as usize];
        let of_colour = format.layout != Layout::Bayer || filter_colour(x, y) == raster;
        (of_colour && sample.is_finite()).then(|| held(sample))
    };
    Raster::of(shape.width, shape.height, |x, y| {
        own(x, y).unwrap_or_else(|| {
            let (mut sum, mut count) = (0.0f32, 0.0f32);
            for y in y.saturating_sub(1)..(y + 2).min(shape.height) {
                for x in x.saturating_sub(1)..(x + 2).min(shape.width) {
                    if let Some(sample) = own(x, y) {
                        sum += sample;
                        count += 1.0;
                    }
                }
            }
            if count == 0.0 { 0.0 } else { held(sum / count) }
        })
    })
}

/// The numbers that row `y` holds, as they are.
pub(crate) fn row(plane: &Plane, depth: Depth, y: u32) -> Vec<f32> {
    match depth.max_code() {
        None => plane.floats(y).collect(),
        Some(max) => plane.codes(y).map(|code| code as f32 / max as f32).collect(),
    }
}

/// Adds the loading of a frame of clip `clip` to a plan: the scratch buffers `{name}_0` and on, one a raster, of f32.
pub(crate) fn plan(
    mut plan: Plan,
    kernel: &'static str,
    shape: &ClipShape,
    clip: usize,
    name: &str,
    arithmetic: Arithmetic,
) -> Result<Plan, KernelError> {
    if let Some(reason) = refuses(shape) {
        return Err(KernelError::Unsupported { kernel, reason });
    }
    let module = arithmetic.module(
        kernel,
        &["divide", "seal", "samples", "grid"],
        include_str!("load.wgsl"),
    )?;
    plan = plan.module("load", module);
    for raster in 0..rasters(shape.format) {
        let index = source(shape.format, raster);
        let plane = shape.planes[index];
        let words = sample_plane(plane.width, plane.height, plane.stride, shape.format.depth.bits());
        let [stored, geometry, colour, loaded] = ["stored", "plane", "colour", "raster"].map(|part| match part {
            "stored" => format!("{name}_stored_{index}"),
            "raster" => format!("{name}_{raster}"),
            _ => format!("{name}_{part}_{raster}"),
        });
        let mosaic = u32::from(shape.format.layout == Layout::Bayer);
        plan = plan
            .input(&stored, clip, index, plane.bytes())
            .uniform(&geometry, &words.unwrap_or_default())
            .uniform(&colour, &[raster as u32, mosaic])
            .scratch(&loaded, plane.samples(), 4)
            .dispatch_of(
                "load",
                &format!("load_{name}_{raster}"),
                "load",
                &[&stored, &geometry, &colour, &loaded],
                plane.samples().div_ceil(INVOCATIONS),
            );
    }
    Ok(plan)
}

#[cfg(test)]
mod tests;
