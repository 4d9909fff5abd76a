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

/// Which samples of each raster of frame `frame` of clip `clip` come from the frame: those that it stores itself and are no
/// hole, and those of another colour that have a neighbour of the raster's to be interpolated from.
pub fn validity(input: &Input, clip: usize, frame: usize) -> Vec<Vec<bool>> {
    let format = input.shape().format;
    let valid = |raster| {
        let samples = Samples::of(input.plane(clip, frame, source(format, raster)), format, raster);
        samples
            .places()
            .map(|(x, y)| match samples.own(x, y) {
                Some(_) => true,
                None => !samples.of_colour(x, y) && samples.neighbours(x, y).next().is_some(),
            })
            .collect()
    };
    (0..rasters(format)).map(valid).collect()
}

fn loaded(plane: &Plane, format: Format, raster: usize) -> Raster {
    let samples = Samples::of(plane, format, raster);
    Raster::of(samples.width, samples.height, |x, y| {
        samples.own(x, y).unwrap_or_else(|| {
            let (mut sum, mut count) = (0.0f32, 0.0f32);
            for sample in samples.neighbours(x, y) {
                sum += sample;
                count += 1.0;
            }
            if count == 0.0 { 0.0 } else { held(sum / count) }
        })
    })
}

/// The stored samples that a raster is loaded from.
struct Samples {
    width: u32,
    height: u32,
    stored: Vec<f32>,
    /// The raster's colour, where the plane is a mosaic of colours.
    colour: Option<usize>,
}

impl Samples {
    fn of(plane: &Plane, format: Format, raster: usize) -> Self {
        let shape = plane.shape();
        Self {
            width: shape.width,
            height: shape.height,
            stored: (0..shape.height).flat_map(|y| row(plane, format.depth, y)).collect(),
            colour: (format.layout == Layout::Bayer).then_some(raster),
        }
    }

    /// All places in reading order.
    fn places(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)))
    }

    fn of_colour(&self, x: u32, y: u32) -> bool {
        self.colour.is_none_or(|colour| filter_colour(x, y) == colour)
    }

    /// The sample there, if it is one of the raster's colour and no hole.
    fn own(&self, x: u32, y: u32) -> Option<f32> {
        let sample = self.stored[y as usize * self.width as usize + x as usize];
        (self.of_colour(x, y) && sample.is_finite()).then(|| held(sample))
    }

    /// The same of the samples around a place.
    fn neighbours(&self, x: u32, y: u32) -> impl Iterator<Item = f32> + '_ {
        let rows = y.saturating_sub(1)..(y + 2).min(self.height);
        let columns = x.saturating_sub(1)..(x + 2).min(self.width);
        rows.flat_map(move |y| columns.clone().filter_map(move |x| self.own(x, y)))
    }
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
    plan: Plan,
    kernel: &'static str,
    shape: &ClipShape,
    clip: usize,
    name: &str,
    arithmetic: Arithmetic,
) -> Result<Plan, KernelError> {
    let plan = inputs(plan, kernel, shape, clip, name)?;
    append(plan, kernel, shape, arithmetic, name, name, name)
}

/// Adds the stored planes of a frame of clip `clip` to a plan: the inputs `{name}_stored_0` and on.
pub(crate) fn inputs(
    plan: Plan,
    kernel: &'static str,
    shape: &ClipShape,
    clip: usize,
    name: &str,
) -> Result<Plan, KernelError> {
    if let Some(reason) = refuses(shape) {
        return Err(KernelError::Unsupported { kernel, reason });
    }
    let planes = shape.planes.iter().enumerate();
    Ok(planes.fold(plan, |plan, (index, plane)| {
        plan.input(&format!("{name}_stored_{index}"), clip, index, plane.bytes())
    }))
}

/// Adds the way from the [`inputs`] of name `from` to the scratch buffers `{to}_0` and on; labels carry `tag`.
pub(crate) fn append(
    plan: Plan,
    kernel: &'static str,
    shape: &ClipShape,
    arithmetic: Arithmetic,
    from: &str,
    to: &str,
    tag: &str,
) -> Result<Plan, KernelError> {
    let source = [include_str!("load/own.wgsl"), include_str!("load.wgsl")].join("\n");
    let module = arithmetic.module(kernel, &["divide", "seal", "samples", "grid"], &source)?;
    Ok(passes(plan.module("load", module), shape, "load", from, to, tag))
}

/// Adds the way from the [`inputs`] of name `from` to the scratch buffers `{to}_0` and on of what [`validity`] tells, 1 or 0
/// a sample; labels carry `tag`.
pub(crate) fn append_validity(
    plan: Plan,
    kernel: &'static str,
    shape: &ClipShape,
    arithmetic: Arithmetic,
    from: &str,
    to: &str,
    tag: &str,
) -> Result<Plan, KernelError> {
    let source = [include_str!("load/own.wgsl"), include_str!("load/validity.wgsl")].join("\n");
    let module = arithmetic.module(kernel, &["divide", "seal", "samples", "grid"], &source)?;
    Ok(passes(
        plan.module("validity", module),
        shape,
        "validity",
        from,
        to,
        tag,
    ))
}

/// Adds a pass of `entry`, of the module of that name, for each raster.
fn passes(mut plan: Plan, shape: &ClipShape, entry: &str, from: &str, to: &str, tag: &str) -> Plan {
    let mosaic = u32::from(shape.format.layout == Layout::Bayer);
    for raster in 0..rasters(shape.format) {
        let index = source(shape.format, raster);
        let plane = shape.planes[index];
        let words = sample_plane(plane.width, plane.height, plane.stride, shape.format.depth.bits());
        let stored = format!("{from}_stored_{index}");
        let [geometry, colour, left] = ["plane_", "colour_", ""].map(|part| format!("{to}_{part}{raster}"));
        plan = plan
            .uniform(&geometry, &words.unwrap_or_default())
            .uniform(&colour, &[raster as u32, mosaic])
            .scratch(&left, plane.samples(), 4)
            .dispatch_of(
                entry,
                &format!("{entry}_{tag}_{raster}"),
                entry,
                &[&stored, &geometry, &colour, &left],
                plane.samples().div_ceil(INVOCATIONS),
            );
    }
    plan
}

#[cfg(test)]
mod tests;
