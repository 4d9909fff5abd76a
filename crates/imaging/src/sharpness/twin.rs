//! The twins of `sharpness`: energies of blocks of samples, a tree over the blocks, and the scores, all on the device.

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::reference::{Sharpness, blocks, scores, sharpness};
use super::{KERNEL, SHARPNESS};
use crate::arithmetic::Arithmetic;
use crate::load::{self, load};
use crate::luminance::{self, luminance};
use crate::tree::{self, BLOCK};

/// The words of a frame's scores: gradient, Laplacian, both, and the mean level.
pub(crate) const WORDS: u64 = 4;

pub(super) fn plan(shape: &ClipShape, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    let kernel = KERNEL.name;
    let size = [shape.width, shape.height];
    let samples = u64::from(shape.width) * u64::from(shape.height);
    let plan = load::plan(Plan::new(""), kernel, shape, 0, "frame", arithmetic)?;
    let rasters = load::rasters(shape.format);
    let (plan, luminance) = luminance::append(plan, kernel, arithmetic, samples, "frame", rasters, "frame")?;
    let plan = plan.output("scores", WORDS, 4);
    append(plan, kernel, arithmetic, size, &luminance, ("scores", 0), "frame")
}

/// Adds the scores of the luminance in buffer `from`, of `size`, to a plan: [`WORDS`] of them, those of frame `to.1` of buffer
/// `to.0`. Labels carry `tag`.
pub(crate) fn append(
    plan: Plan,
    kernel: &'static str,
    arithmetic: Arithmetic,
    [width, height]: [u32; 2],
    from: &str,
    to: (&str, usize),
    tag: &str,
) -> Result<Plan, KernelError> {
    let source = [tree::WORKGROUP, include_str!("twin.wgsl")].join("\n");
    let module = arithmetic.module(kernel, &["divide", "seal", "grid"], &source)?;
    let workgroups = (u64::from(width) * u64::from(height)).div_ceil(BLOCK as u64);
    let [size, energies, scores] = ["size", "energies", "scores"].map(|part| format!("{part}_{tag}"));
    let plan = plan
        .module(SHARPNESS, module)
        .uniform(&size, &[width, height, to.1 as u32])
        .scratch("energies", 4 * workgroups, 4)
        .dispatch_of(SHARPNESS, &energies, "energies", &[from, &size, "energies"], workgroups);
    let (plan, sums) = tree::append(plan, kernel, arithmetic, workgroups, "energies", tag)?;
    Ok(plan.dispatch_of(SHARPNESS, &scores, "scores", &[&sums, &size, to.0], 1))
}

pub(super) fn finish(frame: usize, left: &Readback) -> Result<Vec<Output>, KernelError> {
    let left = left.f32s("scores")?;
    let word = |index: usize| left.get(index).copied().unwrap_or(f32::NAN);
    let found = Sharpness {
        gradient: word(0),
        laplacian: word(1),
        sharpness: word(2),
        level: word(3),
    };
    Ok(scores(frame, found).to_vec())
}

pub(super) fn stages(input: &Input, frame: usize) -> Vec<Stage> {
    let rasters = load(input, 0, frame);
    let luminance = luminance(&rasters);
    let (label, name) = match rasters.len() {
        1 => ("load_frame_0", "frame_0"),
        _ => ("luminance_frame", "frame_luminance"),
    };
    let stage = |label, buffer, width, values| Stage::new(label, buffer, width, Values::F32(values));
    let terms = blocks(&luminance).concat();
    let Sharpness {
        gradient,
        laplacian,
        sharpness,
        level,
    } = sharpness(&luminance);
    let scores = vec![gradient, laplacian, sharpness, level];
    vec![
        stage(label, name, luminance.width, luminance.samples),
        stage("energies_frame", "energies", 4, terms),
        stage("scores_frame", "scores", WORDS as u32, scores),
    ]
}
