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

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::*;

    #[test]
    fn partial_sums_are_added_in_64_bits_plane_by_plane() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U16), 4, 2);
        let words = |sums: &[u64]| sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        let readback = Readback {
            buffers: [
                ("sse_y".to_owned(), words(&[u64::from(u32::MAX), 9])),
                ("sse_cb".to_owned(), words(&[6])),
                ("sse_cr".to_owned(), words(&[0])),
            ]
            .into(),
        };
        let outputs = finish(&shape, 3, &readback).unwrap();
        let scores = [(u64::from(u32::MAX) + 9, 8), (6, 2), (0, 2)];
        let expected: Vec<_> = (0..3)
            .flat_map(|plane| reference::scores(3, plane, scores[plane].0, scores[plane].1, Depth::U16))
            .collect();
        assert_eq!(outputs, expected);
        assert!(finish(&shape, 3, &Readback::default()).is_err());
    }
}
