//! What filters have in common: each raster of a frame goes through them alone, on both sides. Knows no filter.

use std::collections::BTreeMap;

use isobit::execution::Readback;
use isobit::format::Format;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::stage::Stage;

use crate::arithmetic::Arithmetic;
use crate::load;
use crate::raster::Raster;

/// The name under which a plan loads the frame: its rasters are `frame_0` and on.
const FRAME: &str = "frame";

/// The plane `metric` of every raster of every frame, with `apply` applied.
pub(crate) fn reference(input: &Input, metric: &'static str, apply: impl Fn(&Raster) -> Raster) -> Vec<Output> {
    let frames = 0..input.frames();
    let planes = frames.flat_map(|frame| {
        let rasters = load::load(input, 0, frame).into_iter().enumerate();
        rasters.map(move |(plane, raster)| (frame, plane, raster))
    });
    planes
        .map(|(frame, plane, raster)| apply(&raster).output(metric, frame, plane))
        .collect()
}

/// A plan of nothing yet.
pub(crate) const fn empty() -> Plan {
    Plan {
        modules: BTreeMap::new(),
        buffers: BTreeMap::new(),
        steps: Vec::new(),
    }
}

/// A plan that loads a frame and takes each raster through what `append` adds, from the buffer that it is told first to the
/// one that it is told second, of `size` f32, under a tag that tells the rasters apart.
pub(crate) fn plan(
    kernel: &'static str,
    shape: &ClipShape,
    arithmetic: Arithmetic,
    size: [u32; 2],
    append: impl Fn(Plan, &str, &str, &str) -> Result<Plan, KernelError>,
) -> Result<Plan, KernelError> {
    let mut plan = load::plan(empty(), kernel, shape, 0, FRAME, arithmetic)?;
    for raster in 0..load::rasters(shape.format) {
        let to = filtered(raster);
        plan = plan.output(&to, u64::from(size[0]) * u64::from(size[1]), 4);
        plan = append(plan, &loaded(raster), &to, &raster.to_string())?;
    }
    Ok(plan)
}

/// The planes of `size` that a plan of [`plan`] left, as they are.
pub(crate) fn finish(
    format: Format,
    size: [u32; 2],
    metric: &'static str,
    frame: usize,
    readback: &Readback,
) -> Result<Vec<Output>, KernelError> {
    let planes = 0..load::rasters(format);
    planes
        .map(|plane| {
            Ok(Output {
                metric,
                frame,
                plane,
                width: size[0],
                height: size[1],
                values: Values::F32(readback.f32s(&filtered(plane))?),
            })
        })
        .collect()
}

/// What the plan holds in `buffer` behind its dispatch `label`.
pub(crate) fn stage(label: &str, buffer: &str, raster: Raster) -> Stage {
    Stage::new(label, buffer, raster.width, Values::F32(raster.samples))
}

/// The rasters of frame `frame`, each with the stage that says so.
pub(crate) fn loaded_stages(input: &Input, frame: usize) -> Vec<(Raster, Stage)> {
    let rasters = load::load(input, 0, frame).into_iter().enumerate();
    rasters
        .map(|(index, raster)| {
            let buffer = loaded(index);
            (raster.clone(), stage(&format!("load_{buffer}"), &buffer, raster))
        })
        .collect()
}

/// The buffer that holds raster `raster` of the frame.
pub(crate) fn loaded(raster: usize) -> String {
    format!("{FRAME}_{raster}")
}

/// The buffer that holds raster `raster` when the filter is done.
pub(crate) fn filtered(raster: usize) -> String {
    format!("filtered_{raster}")
}
