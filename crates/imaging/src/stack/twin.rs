//! The twins of `stack`: one plan over the clip. A first pass over the frames scores them and keeps the pyramid of the
//! sharpest so far; then all are ranked; a second pass over the frames aligns and adds those that are kept.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::reference::{Stack, outputs};
use super::{KERNEL, Settings};
use crate::accumulate::{self, Shift};
use crate::align::{self, Choice};
use crate::arithmetic::Arithmetic;
use crate::raster::Raster;
use crate::taps::Interpolation;
use crate::{load, luminance, sharpness};

/// Invocations of a workgroup; `INVOCATIONS` of the shaders.
const INVOCATIONS: u64 = 64;

pub(super) fn plan(
    shape: &ClipShape,
    frames: usize,
    settings: &Settings,
    arithmetic: Arithmetic,
) -> Result<Plan, KernelError> {
    let kernel = KERNEL.name;
    let rank = arithmetic.module(kernel, &["grid"], include_str!("rank.wgsl"))?;
    let count = frames as u64;
    let plan = Plan::new("")
        .module("rank", rank)
        .scratch("scores", sharpness::WORDS * count, 4)
        .scratch("leader", 1, 4)
        .scratch("ranks", count, 4)
        .uniform("count", &[frames as u32])
        .output("placements", 4 * count, 4);
    let size = [shape.width, shape.height];
    let plan = ["best", "own"]
        .into_iter()
        .fold(plan, |plan, pyramid| align::storage(plan, size, pyramid));
    let mut plan = (0..frames).try_fold(plan, |plan, frame| scored(plan, shape, frame, arithmetic))?;
    plan = align::halved(plan, size, "best", "best").dispatch_of(
        "rank",
        "rank",
        "rank",
        &["scores", "count", "ranks"],
        count.div_ceil(INVOCATIONS),
    );
    let samples = u64::from(shape.width) * u64::from(shape.height);
    for raster in 0..load::rasters(shape.format) {
        let [sums, validity, _] = maps(raster, settings);
        plan = match settings.normalise {
            true => plan.scratch(&sums, samples, 4),
            false => plan.output(&sums, samples, 4),
        };
        plan = plan.output(&validity, samples, 4).clear(&sums).clear(&validity);
    }
    let keep = settings.kept(frames);
    plan = (0..frames).try_fold(plan, |plan, frame| {
        added(plan, shape, frame, keep, settings, arithmetic)
    })?;
    if settings.normalise {
        let module = arithmetic.module(kernel, &["divide", "seal", "grid"], include_str!("normalise.wgsl"))?;
        plan = plan.module("normalise", module).uniform("samples", &[samples as u32]);
        for raster in 0..load::rasters(shape.format) {
            let [sums, validity, stacked] = maps(raster, settings);
            plan = plan.output(&stacked, samples, 4).dispatch_of(
                "normalise",
                &format!("normalise_{raster}"),
                "normalise",
                &[&sums, &validity, "samples", &stacked],
                samples.div_ceil(INVOCATIONS),
            );
        }
    }
    Ok(plan)
}

/// The buffers of a raster's sums, of how many frames counted in them, and of the result.
pub(super) fn maps(raster: usize, settings: &Settings) -> [String; 3] {
    let sums = if settings.normalise { "sums" } else { "stacked" };
    [sums, "validity", "stacked"].map(|map| format!("{map}_{raster}"))
}

/// The rasters of a frame and its luminance, whose buffer is returned.
fn loaded(
    plan: Plan,
    shape: &ClipShape,
    frame: usize,
    arithmetic: Arithmetic,
    tag: &str,
) -> Result<(Plan, String), KernelError> {
    let kernel = KERNEL.name;
    let stored = format!("frame_{frame}");
    let samples = u64::from(shape.width) * u64::from(shape.height);
    let plan = load::append(plan, kernel, shape, arithmetic, &stored, "raster", tag)?;
    let rasters = load::rasters(shape.format);
    luminance::append(plan, kernel, arithmetic, samples, "raster", rasters, tag)
}

/// A frame's score, and its quantised luminance if it is the sharpest so far.
fn scored(plan: Plan, shape: &ClipShape, frame: usize, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    let kernel = KERNEL.name;
    let size = [shape.width, shape.height];
    let samples = u64::from(shape.width) * u64::from(shape.height);
    let plan = load::inputs(plan, kernel, shape, frame, &format!("frame_{frame}"))?;
    let (plan, luminance) = loaded(plan, shape, frame, arithmetic, &format!("score_{frame}"))?;
    let scores = ("scores", frame);
    let plan = sharpness::append(plan, kernel, arithmetic, size, &luminance, scores, &frame.to_string())?;
    let index = format!("index_{frame}");
    let plan = plan.uniform(&index, &[frame as u32]).dispatch_of(
        "rank",
        &format!("lead_{frame}"),
        "lead",
        &["scores", &index, "leader"],
        1,
    );
    let leads = Choice {
        buffer: "leader",
        word: 0,
        limit: 0,
    };
    align::quantised(
        plan,
        kernel,
        arithmetic,
        samples,
        [&luminance, "scores"],
        frame,
        leads,
        "best",
    )
}

/// A frame aligned and added, if it is kept.
fn added(
    plan: Plan,
    shape: &ClipShape,
    frame: usize,
    keep: usize,
    settings: &Settings,
    arithmetic: Arithmetic,
) -> Result<Plan, KernelError> {
    let kernel = KERNEL.name;
    let size = [shape.width, shape.height];
    let samples = u64::from(shape.width) * u64::from(shape.height);
    let tag = format!("add_{frame}");
    let (plan, luminance) = loaded(plan, shape, frame, arithmetic, &tag)?;
    let stored = format!("frame_{frame}");
    let plan = load::append_validity(plan, kernel, shape, arithmetic, &stored, "valid", &tag)?;
    let kept = Choice {
        buffer: "ranks",
        word: frame,
        limit: keep,
    };
    let plan = align::quantised(
        plan,
        kernel,
        arithmetic,
        samples,
        [&luminance, "scores"],
        frame,
        kept,
        "own",
    )?;
    let plan = align::halved(plan, size, "own", &tag);
    let aligned = align::Frame {
        index: frame,
        keep,
        pyramids: ["best", "own"],
        ranks: "ranks",
        placements: "placements",
    };
    let plan = align::append(plan, kernel, arithmetic, size, aligned)?;
    (0..load::rasters(shape.format)).try_fold(plan, |plan, raster| {
        let [sums, validity, _] = maps(raster, settings);
        let buffers = accumulate::Buffers {
            raster: &format!("raster_{raster}"),
            valid: &format!("valid_{raster}"),
            placements: "placements",
            sums: &sums,
            validity: &validity,
        };
        let label = format!("accumulate_{frame}_{raster}");
        accumulate::append(
            plan,
            kernel,
            arithmetic,
            size,
            Interpolation::Lanczos3,
            frame,
            buffers,
            &label,
        )
    })
}

pub(super) fn finish(shape: &ClipShape, left: &[Readback]) -> Result<Vec<Output>, KernelError> {
    let mut found = Vec::new();
    for left in left {
        let rasters = |map: &str| -> Result<Vec<Raster>, KernelError> {
            let rasters = 0..load::rasters(shape.format);
            rasters
                .map(|raster| {
                    Ok(Raster {
                        width: shape.width,
                        height: shape.height,
                        samples: left.f32s(&format!("{map}_{raster}"))?,
                    })
                })
                .collect()
        };
        let placements = left.u32s("placements")?;
        let placements = placements.as_chunks::<4>().0;
        found.extend(outputs(Stack {
            stacked: rasters("stacked")?,
            validity: rasters("validity")?,
            ranks: placements.iter().map(|[.., rank]| *rank).collect(),
            shifts: placements
                .iter()
                .map(|[x, y, ..]| Shift {
                    x: x.cast_signed(),
                    y: y.cast_signed(),
                })
                .collect(),
        }));
    }
    Ok(found)
}
