//! The twins of `geometry`: one dispatch a raster that places it, and one for each side that is resized.

use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::reference::{Placement, Side, centre, place};
use super::resize::Axis;
use super::{Geometry, NAME, Settings};
use crate::arithmetic::Arithmetic;
use crate::filter;

/// Invocations of a workgroup, one a sample; `INVOCATIONS` of twin.wgsl.
const INVOCATIONS: u64 = 64;

/// The plan for one frame.
pub(super) fn plan(shape: &ClipShape, options: &Options, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    let size = [shape.width, shape.height];
    let geometry = Geometry::new(&Settings::of(options), size)?;
    filter::plan(NAME, shape, arithmetic, geometry.size(), |plan, from, to, tag| {
        append(plan, arithmetic, size[0], from, to, tag, &geometry)
    })
}

/// Adds what `geometry` does to raster `from`, whose rows are of `width` samples, to a plan, into the f32 buffer `to` of the
/// size that comes out. Labels and buffers carry `tag`.
fn append(
    plan: Plan,
    arithmetic: Arithmetic,
    width: u32,
    from: &str,
    to: &str,
    tag: &str,
    geometry: &Geometry,
) -> Result<Plan, KernelError> {
    let module = arithmetic.module(NAME, &["seal", "grid"], include_str!("twin.wgsl"))?;
    let passes = geometry.passes();
    // What each dispatch leaves: the last one what comes out.
    let left = |pass: usize| match passes.get(pass) {
        Some(_) => scratch(pass, tag),
        None => to.to_owned(),
    };
    let mut size = geometry.placement.to;
    let uniform = format!("placement_{tag}");
    let mut plan = plan
        .module(NAME, module)
        .uniform(&uniform, &placement_words(width, &geometry.placement))
        .dispatch_of(
            NAME,
            &place_label(tag),
            "place",
            &[from, &left(0), &uniform],
            samples(size).div_ceil(INVOCATIONS),
        );
    for (index, pass) in passes.iter().enumerate() {
        let before = size;
        size[usize::from(pass.side == Side::Columns)] = pass.axis.firsts.len() as u32;
        let label = resize_label(pass.side, tag);
        let (uniform, table) = (format!("axis_{label}"), format!("weights_{label}"));
        let words = [
            before[0],
            size[0],
            samples(size) as u32,
            pass.axis.taps as u32,
            u32::from(pass.side == Side::Columns),
        ];
        plan = plan
            .scratch(&left(index), samples(before), 4)
            .uniform(&uniform, &words)
            .constant(&table, &axis_words(pass.axis))
            .dispatch_of(
                NAME,
                &label,
                "resize",
                &[&left(index), &left(index + 1), &uniform, &table],
                samples(size).div_ceil(INVOCATIONS),
            );
    }
    Ok(plan)
}

/// What the plan holds after each dispatch for frame `frame`.
pub(super) fn stages(input: &Input, options: &Options, frame: usize) -> Result<Vec<Stage>, KernelError> {
    let geometry = Geometry::new(&Settings::of(options), [input.shape().width, input.shape().height])?;
    let passes = geometry.passes();
    let mut stages = Vec::new();
    for (index, (raster, loaded)) in filter::loaded_stages(input, frame).into_iter().enumerate() {
        let tag = index.to_string();
        let left = |pass: usize| match passes.get(pass) {
            Some(_) => scratch(pass, &tag),
            None => filter::filtered(index),
        };
        let mut picture = place(&raster, &geometry.placement);
        stages.push(loaded);
        stages.push(filter::stage(&place_label(&tag), &left(0), picture.clone()));
        for (pass, resize) in (1..).zip(&passes) {
            picture = resize.apply(&picture);
            stages.push(filter::stage(
                &resize_label(resize.side, &tag),
                &left(pass),
                picture.clone(),
            ));
        }
    }
    Ok(stages)
}

fn place_label(tag: &str) -> String {
    format!("place_{tag}")
}

fn resize_label(side: Side, tag: &str) -> String {
    let side = match side {
        Side::Rows => "rows",
        Side::Columns => "columns",
    };
    format!("resize_{side}_{tag}")
}

/// The buffer that pass `pass` of resizing reads.
fn scratch(pass: usize, tag: &str) -> String {
    format!("resized_{pass}_{tag}")
}

fn samples(size: [u32; 2]) -> u64 {
    u64::from(size[0]) * u64::from(size[1])
}

/// The words of `Placement` of twin.wgsl, for rows of `width` samples.
fn placement_words(width: u32, placement: &Placement) -> Vec<u32> {
    let bits = |number: &f32| number.to_bits();
    let mut words: Vec<u32> = placement.matrix.iter().map(bits).collect();
    words.extend(placement.to.map(centre).iter().map(bits));
    words.extend(placement.from.map(centre).iter().map(bits));
    words.extend([placement.to, placement.corner, placement.from, [width, 0]].as_flattened());
    words.extend(placement.cubics.as_flattened().iter().map(bits));
    words
}

/// The words of the table of an axis: for each sample that comes out, the first that is weighed and the weights.
fn axis_words(axis: &Axis) -> Vec<u32> {
    let rows = axis.firsts.iter().zip(axis.weights.chunks(axis.taps));
    rows.flat_map(|(first, weights)| std::iter::once(*first).chain(weights.iter().map(|weight| weight.to_bits())))
        .collect()
}
