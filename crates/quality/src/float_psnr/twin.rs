//! The exact twin of `float_psnr`: one dispatch, each workgroup leaving the squared errors of its samples.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::{KERNEL, reference};
use crate::{planes, scaled};

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    let luma = &shape.planes[0];
    let workgroups = planes::workgroups(luma);
    let body = [include_str!("twin.wgsl"), scaled::SQUARE].concat();
    Ok(Plan::new(planes::module(KERNEL.name, &body)?)
        .input("reference", 0, 0, luma.bytes())
        .input("distorted", 1, 0, luma.bytes())
        .uniform("plane", &planes::uniform(KERNEL.name, luma, shape.format.depth)?)
        .output("noise", workgroups, 8)
        .dispatch("noise", &["reference", "distorted", "plane", "noise"], workgroups))
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let partials = readback.u64s("noise")?;
    let noise = partials.into_iter().fold(0, u64::wrapping_add);
    let samples = shape.planes[0].samples();
    Ok(vec![reference::score(frame, noise, samples, shape.format.depth)])
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::*;

    #[test]
    fn partial_sums_are_added_in_64_bits() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U16), 4, 2);
        let sums = [u64::from(u32::MAX), 9];
        let bytes = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        let readback = Readback {
            buffers: [("noise".to_owned(), bytes)].into(),
        };
        let expected = reference::score(3, u64::from(u32::MAX) + 9, 8, Depth::U16);
        assert_eq!(finish(&shape, 3, &readback).unwrap(), [expected]);
        assert!(finish(&shape, 3, &Readback::default()).is_err());
    }
}
