//! The exact twin of `psnr`: one dispatch a plane, each workgroup leaving the squared errors of its samples.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::{KERNEL, reference};
use crate::planes;

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    let mut plan = Plan::new(planes::module(KERNEL.name, include_str!("twin.wgsl"))?);
    for (index, (plane, name)) in shape.planes.iter().zip(shape.format.layout.plane_names()).enumerate() {
        let buffer = |prefix: &str| format!("{prefix}_{name}");
        let (reference, distorted, uniform, partials) =
            (buffer("reference"), buffer("distorted"), buffer("plane"), buffer("sse"));
        let workgroups = planes::workgroups(plane);
        plan = plan
            .input(&reference, 0, index, plane.bytes())
            .input(&distorted, 1, index, plane.bytes())
            .uniform(&uniform, &planes::uniform(KERNEL.name, plane, shape.format.depth)?)
            .output(&partials, workgroups, 8)
            .dispatch_as(
                &partials,
                "sse",
                &[&reference, &distorted, &uniform, &partials],
                workgroups,
            );
    }
    Ok(plan)
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let mut outputs = Vec::new();
    for (plane, name) in shape.format.layout.plane_names().iter().enumerate() {
        let sse = readback
            .u64s(&format!("sse_{name}"))?
            .into_iter()
            .fold(0, u64::wrapping_add);
        let samples = shape.planes[plane].samples();
        outputs.extend(reference::scores(frame, plane, sse, samples, shape.format.depth));
    }
    Ok(outputs)
}
