//! The twins of `accumulate`: one plan over the clip, in which each frame is loaded and added raster by raster.

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::reference::{accumulated, outputs};
use super::{KERNEL, Settings};
use crate::arithmetic::Arithmetic;
use crate::filter;
use crate::load;
use crate::raster::Raster;
use crate::taps::Interpolation;

/// Invocations of a workgroup, one a sample; `INVOCATIONS` of `twin.wgsl`.
const INVOCATIONS: u64 = 64;

/// What a raster is added from and to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffers<'a> {
    /// Its samples, of f32.
    pub raster: &'a str,
    /// Which of them count, 1 or 0.
    pub valid: &'a str,
    /// Four words a frame: its shift to the right and downwards in sixteenths of a sample, its weight as f32, and one unused.
    pub placements: &'a str,
    /// Sums of samples, of f32.
    pub sums: &'a str,
    /// Sums of weights, of f32.
    pub validity: &'a str,
}

pub(super) fn plan(
    shape: &ClipShape,
    frames: usize,
    settings: &Settings,
    arithmetic: Arithmetic,
) -> Result<Plan, KernelError> {
    let kernel = KERNEL.name;
    let size = [shape.width, shape.height];
    let samples = u64::from(shape.width) * u64::from(shape.height);
    let placements: Vec<u32> = (0..frames).flat_map(|frame| words(settings, frame)).collect();
    let mut plan = Plan::new("").constant("placements", &placements);
    for raster in 0..load::rasters(shape.format) {
        let [sums, validity] = maps(raster);
        plan = plan.output(&sums, samples, 4).output(&validity, samples, 4);
        plan = plan.clear(&sums).clear(&validity);
    }
    for frame in 0..frames {
        let tag = frame.to_string();
        let stored = format!("frame_{frame}");
        plan = load::inputs(plan, kernel, shape, frame, &stored)?;
        plan = load::append(plan, kernel, shape, arithmetic, &stored, "raster", &tag)?;
        plan = load::append_validity(plan, kernel, shape, arithmetic, &stored, "valid", &tag)?;
        for raster in 0..load::rasters(shape.format) {
            let [sums, validity] = maps(raster);
            let buffers = Buffers {
                raster: &format!("raster_{raster}"),
                valid: &format!("valid_{raster}"),
                placements: "placements",
                sums: &sums,
                validity: &validity,
            };
            let label = format!("accumulate_{frame}_{raster}");
            plan = append(
                plan,
                kernel,
                arithmetic,
                size,
                settings.interpolation,
                frame,
                buffers,
                &label,
            )?;
        }
    }
    Ok(plan)
}

/// The words of a frame's placement.
fn words(settings: &Settings, frame: usize) -> [u32; 4] {
    let (shift, weight) = settings.placed(frame);
    [shift.x.cast_unsigned(), shift.y.cast_unsigned(), weight.to_bits(), 0]
}

/// The buffers of a raster's sums and weights.
fn maps(raster: usize) -> [String; 2] {
    ["sums", "validity"].map(|map| format!("{map}_{raster}"))
}

/// Adds the addition of raster `buffers.raster` of frame `frame`, of `size`, to a plan.
#[expect(clippy::too_many_arguments, reason = "what a pass is made of, each of its own kind")]
pub(crate) fn append(
    plan: Plan,
    kernel: &'static str,
    arithmetic: Arithmetic,
    [width, height]: [u32; 2],
    interpolation: Interpolation,
    frame: usize,
    buffers: Buffers<'_>,
    label: &str,
) -> Result<Plan, KernelError> {
    let module = arithmetic.module(kernel, &["seal", "grid"], include_str!("twin.wgsl"))?;
    let taps: Vec<u32> = interpolation
        .table()
        .iter()
        .flatten()
        .map(|tap| tap.to_bits())
        .collect();
    let place = format!("accumulate_place_{frame}");
    let samples = u64::from(width) * u64::from(height);
    Ok(plan
        .module(KERNEL.name, module)
        .constant("accumulate_taps", &taps)
        .uniform(&place, &[width, height, frame as u32, interpolation.taps() as u32])
        .dispatch_of(
            KERNEL.name,
            label,
            "accumulate",
            &[
                buffers.raster,
                buffers.valid,
                "accumulate_taps",
                &place,
                buffers.placements,
                buffers.sums,
                buffers.validity,
            ],
            samples.div_ceil(INVOCATIONS),
        ))
}

pub(super) fn finish(shape: &ClipShape, left: &[Readback]) -> Result<Vec<Output>, KernelError> {
    let mut rasters = Vec::new();
    for left in left {
        for raster in 0..load::rasters(shape.format) {
            let [sums, validity] = maps(raster);
            let map = |name: &str| -> Result<Raster, KernelError> {
                Ok(Raster {
                    width: shape.width,
                    height: shape.height,
                    samples: left.f32s(name)?,
                })
            };
            rasters.push([map(&sums)?, map(&validity)?]);
        }
    }
    Ok(outputs(rasters.into_iter()))
}

pub(super) fn stages(input: &Input, settings: &Settings, frame: usize) -> Vec<Stage> {
    let accumulated = accumulated(input, settings, frame + 1);
    let stages = accumulated.into_iter().enumerate().flat_map(|(raster, found)| {
        let [sums, validity] = maps(raster);
        [(sums, found.sums), (validity, found.validity)]
            .map(|(buffer, map)| filter::stage(&format!("accumulate_{frame}_{raster}"), &buffer, map))
    });
    stages.collect()
}
