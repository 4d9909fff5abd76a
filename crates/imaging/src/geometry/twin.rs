//! The twins of `geometry`: one dispatch a raster that places it, and one for each side that is resized.

use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::plan::Plan;

use super::reference::{Placement, centre};
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
    let mut plan = plan.module(NAME, module);
    let axes = ["rows", "columns"].into_iter().zip(&geometry.axes);
    let axes: Vec<_> = axes.filter_map(|(name, axis)| Some((name, axis.as_ref()?))).collect();
    let mut size = geometry.placement.to;

    let uniform = format!("placement_{tag}");
    let mut left = if axes.is_empty() {
        to.to_owned()
    } else {
        format!("placed_{tag}")
    };
    if !axes.is_empty() {
        plan = plan.scratch(&left, samples(size), 4);
    }
    plan = plan
        .uniform(&uniform, &placement_words(width, &geometry.placement))
        .dispatch_of(
            NAME,
            &format!("place_{tag}"),
            "place",
            &[from, &left, &uniform],
            samples(size).div_ceil(INVOCATIONS),
        );
    let last = axes.len();
    for (index, (name, axis)) in (1..).zip(axes) {
        let before = size;
        let along = usize::from(name == "columns");
        size[along] = axis.firsts.len() as u32;
        let [uniform, table] = ["axis", "weights"].map(|part| format!("{part}_{name}_{tag}"));
        let next = if index == last {
            to.to_owned()
        } else {
            format!("resized_{tag}")
        };
        if index != last {
            plan = plan.scratch(&next, samples(size), 4);
        }
        plan = plan
            .uniform(
                &uniform,
                &[before[0], size[0], samples(size) as u32, axis.taps as u32, along as u32],
            )
            .constant(&table, &axis_words(axis))
            .dispatch_of(
                NAME,
                &format!("resize_{name}_{tag}"),
                "resize",
                &[&left, &next, &uniform, &table],
                samples(size).div_ceil(INVOCATIONS),
            );
        left = next;
    }
    Ok(plan)
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
