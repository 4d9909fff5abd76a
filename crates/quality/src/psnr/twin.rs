//! The exact twin of `psnr`: one dispatch a plane, each workgroup leaving the squared errors of its samples.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::plan::Plan;

use super::KERNEL;
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

/// The sum of squared errors of each plane.
pub(super) fn sums(shape: &ClipShape, readback: &Readback) -> Result<[u64; 3], KernelError> {
    let mut sums = [0; 3];
    for (sum, name) in sums.iter_mut().zip(shape.format.layout.plane_names()) {
        let partials = readback.u64s(&format!("sse_{name}"))?;
        *sum = partials.into_iter().fold(0, u64::wrapping_add);
    }
    Ok(sums)
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
        let expected = [u64::from(u32::MAX) + 9, 6, 0];
        assert_eq!(sums(&shape, &readback).unwrap(), expected);
        assert!(sums(&shape, &Readback::default()).is_err());
    }
}
