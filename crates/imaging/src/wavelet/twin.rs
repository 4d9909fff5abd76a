//! The twins of `wavelet`: two smoothings and a sum a layer, or a move.

use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::plan::Plan;
use isobit::stage::Stage;
use isobit_exact::samples::sample_plane;

use super::reference::{is_moved, transformed};
use super::{LAYERS, NAME, Settings, layers};
use crate::arithmetic::Arithmetic;
use crate::raster::Raster;
use crate::{convolve, filter, load, stages};

/// The plan for one frame.
pub(super) fn plan(shape: &ClipShape, options: &Options, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    let settings = Settings::of(options);
    if is_moved(shape.format, &settings) {
        return moved(shape, arithmetic);
    }
    let size = [shape.width, shape.height];
    filter::plan(NAME, shape, arithmetic, size, |plan, from, to, tag| {
        append(plan, arithmetic, size, from, to, tag, &settings)
    })
}

/// The plan that moves stored f32 samples, padding left out.
fn moved(shape: &ClipShape, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    if let Some(reason) = load::refuses(shape) {
        return Err(KernelError::Unsupported { kernel: NAME, reason });
    }
    let module = arithmetic.module(NAME, &["samples", "grid"], include_str!("move.wgsl"))?;
    let mut plan = Plan::new(module);
    for (index, plane) in shape.planes.iter().enumerate() {
        let [stored, geometry] = ["stored", "plane"].map(|part| format!("{part}_{index}"));
        let moved = filter::filtered(index);
        let words = sample_plane(plane.width, plane.height, plane.stride, shape.format.depth.bits());
        plan = plan
            .input(&stored, 0, index, plane.bytes())
            .uniform(&geometry, &words.unwrap_or_default())
            .output(&moved, plane.samples(), 4)
            .dispatch_as(
                &format!("move_{index}"),
                "move_stored",
                &[&geometry, &stored, &moved],
                convolve::groups([shape.width, shape.height]),
            );
    }
    Ok(plan)
}

fn named(tag: &str, part: &str) -> String {
    format!("{NAME}_{tag}_{part}")
}

/// The name of layer `layer`, counted from one, of the raster with a tag.
fn layer_name(tag: &str, layer: usize) -> String {
    named(tag, &(layer + 1).to_string())
}

/// Adds the transform of raster `from` of `size` to a plan, into the f32 buffer `to` of the same size. Labels and buffers
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
    let [joined, sum, extent] = ["joined", "sum", "extent"].map(|part| named(tag, part));
    plan = plan.uniform(&extent, &[samples as u32]);
    if settings.is_identity() {
        let module = arithmetic.module(NAME, &["grid"], include_str!("copy.wgsl"))?;
        let copy = plan.module("copy", module);
        return Ok(copy.dispatch_of("copy", &joined, "copy", &[&extent, from, to], groups));
    }
    let module = arithmetic.module(NAME, &["seal", "grid"], include_str!("twin.wgsl"))?;
    plan = plan.module(NAME, module).scratch(&sum, samples, 4);
    let mut fine = from.to_owned();
    for layer in 0..LAYERS {
        let name = layer_name(tag, layer);
        plan = layers::append(plan, NAME, arithmetic, size, layer, &fine, &name)?;
        let (words, smooth) = (format!("{name}_settings"), format!("{name}_smooth"));
        let (gain, cut) = (settings.gains[layer].to_bits(), settings.cuts[layer].to_bits());
        let flags = [u32::from(layer == 0), u32::from(settings.hard)];
        plan = plan
            .uniform(&words, &[samples as u32, flags[0], flags[1], gain, cut])
            .dispatch_of(
                NAME,
                &format!("{name}_sum"),
                "gather",
                &[&words, &fine, &smooth, &sum],
                groups,
            );
        fine = smooth;
    }
    Ok(plan.dispatch_of(NAME, &joined, "join", &[&extent, &fine, &sum, to], groups))
}

pub(super) fn stages(input: &Input, settings: &Settings, frame: usize) -> Vec<Stage> {
    if settings.is_identity() {
        return Vec::new();
    }
    stages::of(input, frame, |raster, tag| {
        let mut steps = Vec::new();
        let joined = transformed(raster, settings, |layer, left| {
            let parts = ["rows", "smooth", "sum"].into_iter().zip(left);
            steps.extend(parts.map(|(part, raster): (&str, &Raster)| {
                let label = format!("{}_{part}", layer_name(tag, layer));
                let buffer = if part == "sum" { named(tag, part) } else { label.clone() };
                (label, buffer, raster.clone())
            }));
        });
        steps.push((named(tag, "joined"), format!("filtered_{tag}"), joined));
        steps
    })
}
