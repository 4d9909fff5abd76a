//! The twins of `denoise`: two smoothings and a sum a layer, and the median that the noise is estimated by.
//!
//! The median is found by its bits, eight at a time from the highest: one dispatch counts, in 256 bins, the magnitudes that
//! agree with what is known of it, the next finds the bin that it lies in.

use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::output::Values;
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::reference::{denoised, estimated};
use super::{NAME, Settings};
use crate::arithmetic::Arithmetic;
use crate::load::load;
use crate::raster::Raster;
use crate::wavelet::layers;
use crate::{convolve, filter, stages};

/// The bits of the median that are found in each round: the lowest of them.
const SHIFTS: [u32; 4] = [24, 16, 8, 0];

/// The plan for one frame.
pub(super) fn plan(shape: &ClipShape, options: &Options, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    let settings = Settings::of(options);
    let size = [shape.width, shape.height];
    filter::plan(NAME, shape, arithmetic, size, |plan, from, to, tag| {
        append(plan, arithmetic, size, from, to, tag, &settings)
    })
}

fn named(tag: &str, part: &str) -> String {
    format!("{NAME}_{tag}_{part}")
}

/// The name of layer `layer`, counted from one, of the raster with a tag.
fn layer_name(tag: &str, layer: usize) -> String {
    named(tag, &(layer + 1).to_string())
}

/// Adds the denoising of raster `from` of `size` to a plan, into the f32 buffer `to` of the same size. Labels and buffers
/// carry `tag`.
pub(crate) fn append(
    mut plan: Plan,
    arithmetic: Arithmetic,
    size: [u32; 2],
    from: &str,
    to: &str,
    tag: &str,
    settings: &Settings,
) -> Result<Plan, KernelError> {
    let groups = convolve::groups(size);
    let samples = u64::from(size[0]) * u64::from(size[1]);
    let [joined, sum, extent, noise] = ["joined", "sum", "extent", "noise"].map(|part| named(tag, part));
    let module = arithmetic.module(NAME, &["divide", "seal", "grid"], include_str!("twin.wgsl"))?;
    plan = plan
        .module(NAME, module)
        .uniform(&extent, &[samples as u32])
        .scratch(&sum, samples, 4);
    let mut fine = from.to_owned();
    for layer in 0..settings.layers {
        let name = layer_name(tag, layer);
        plan = layers::append(plan, NAME, arithmetic, size, layer, &fine, &name)?;
        let (words, smooth) = (format!("{name}_settings"), format!("{name}_smooth"));
        if layer == 0 {
            plan = match settings.noise {
                Some(told) => plan.constant(&noise, &[told.to_bits()]),
                None => estimate(plan, arithmetic, size, &fine, &smooth, tag)?,
            };
        }
        plan = plan
            .uniform(
                &words,
                &[samples as u32, u32::from(layer == 0), settings.scale(layer).to_bits()],
            )
            .dispatch_of(
                NAME,
                &format!("{name}_sum"),
                "gather",
                &[&words, &fine, &smooth, &noise, &sum],
                groups,
            );
        fine = smooth;
    }
    Ok(plan.dispatch_of(NAME, &joined, "join", &[&extent, &fine, &sum, to], groups))
}

/// Adds the estimate of the noise to a plan, into the buffer `noise` of the raster with a tag.
fn estimate(
    mut plan: Plan,
    arithmetic: Arithmetic,
    size: [u32; 2],
    fine: &str,
    smooth: &str,
    tag: &str,
) -> Result<Plan, KernelError> {
    let samples = u64::from(size[0]) * u64::from(size[1]);
    let module = arithmetic.module(NAME, &["seal", "grid"], include_str!("median.wgsl"))?;
    let [bins, found, noise] = ["bins", "found", "noise"].map(|part| named(tag, part));
    plan = plan
        .module("median", module)
        .scratch(&bins, 256, 4)
        .scratch(&found, 2, 4)
        .scratch(&noise, 1, 4)
        .clear(&bins)
        .clear(&found);
    for shift in SHIFTS {
        let name = |part: &str| named(tag, &format!("{part}_{shift}"));
        let (words, known) = (name("round"), !((1u64 << (shift + 8)) - 1) as u32);
        plan = plan
            .uniform(&words, &[samples as u32, shift, known])
            .dispatch_of(
                "median",
                &name("count"),
                "count",
                &[&words, fine, smooth, &found, &bins],
                convolve::groups(size),
            )
            .dispatch_of("median", &name("pick"), "pick", &[&words, &bins, &found], 1);
    }
    Ok(plan.dispatch_of("median", &noise, "estimate", &[&found, &noise], 1))
}

pub(super) fn stages(input: &Input, settings: &Settings, frame: usize) -> Vec<Stage> {
    let mut stages = stages::of(input, frame, |raster, tag| {
        let mut steps = Vec::new();
        let joined = denoised(raster, settings, |layer, left| {
            let parts = ["rows", "smooth", "sum"].into_iter().zip(left);
            steps.extend(parts.map(|(part, raster): (&str, &Raster)| {
                let label = format!("{}_{part}", layer_name(tag, layer));
                let buffer = if part == "sum" { named(tag, part) } else { label.clone() };
                (label, buffer, raster.clone())
            }));
        });
        steps.push((named(tag, "joined"), format!("filtered_{tag}"), joined));
        steps
    });
    if settings.noise.is_none() {
        for (tag, raster) in load(input, 0, frame).into_iter().enumerate() {
            let [_, smooth] = layers::smoothed(&raster, 0);
            let noise = named(&tag.to_string(), "noise");
            let of_it = format!("{}_sum", layer_name(&tag.to_string(), 0));
            let stage = Stage::new(&*noise, &*noise, 1, Values::F32(vec![estimated(&raster, &smooth)]));
            let place = stages
                .iter()
                .position(|stage| stage.label == of_it)
                .unwrap_or(stages.len());
            stages.insert(place, stage);
        }
    }
    stages
}
