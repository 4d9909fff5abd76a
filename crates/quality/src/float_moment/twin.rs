//! The exact twin of `float_moment`: one dispatch a clip, each workgroup leaving both sums of its samples.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::reference::Sums;
use super::{KERNEL, reference};
use crate::{planes, scaled};

/// Names of the inputs, and of the partial sums beside them, by clip.
const CLIPS: [(&str, &str); 2] = [("reference", "sums_reference"), ("distorted", "sums_distorted")];

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    let luma = &shape.planes[0];
    let workgroups = planes::workgroups(luma);
    let body = [include_str!("twin.wgsl"), scaled::SQUARE].concat();
    let mut plan = Plan::new(planes::module(KERNEL.name, &body)?)
        .uniform("plane", &planes::uniform(KERNEL.name, luma, shape.format.depth)?);
    for (clip, (codes, partials)) in CLIPS.into_iter().enumerate() {
        plan = plan
            .input(codes, clip, 0, luma.bytes())
            .output(partials, 2 * workgroups, 8)
            .dispatch_as(partials, "sums", &[codes, "plane", partials], workgroups);
    }
    Ok(plan)
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let mut outputs = Vec::new();
    for (clip, (_, partials)) in CLIPS.into_iter().enumerate() {
        let mut sums = Sums::default();
        for pair in readback.u64s(partials)?.chunks_exact(2) {
            sums.first = sums.first.wrapping_add(pair[0]);
            sums.second = sums.second.wrapping_add(pair[1]);
        }
        let samples = shape.planes[0].samples();
        outputs.extend(reference::scores(frame, clip, sums, samples, shape.format.depth));
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::*;

    #[test]
    fn partial_sums_are_pairs_of_first_and_second() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 2, 1);
        let words = |sums: &[u64]| sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        let readback = Readback {
            buffers: [
                ("sums_reference".to_owned(), words(&[1, 10, 3, 1 << 33])),
                ("sums_distorted".to_owned(), words(&[5, 6])),
            ]
            .into(),
        };
        let scores = |clip, first, second| reference::scores(2, clip, Sums { first, second }, 2, Depth::U8);
        assert_eq!(
            finish(&shape, 2, &readback).unwrap(),
            [scores(0, 4, (1 << 33) + 10), scores(1, 5, 6)].concat()
        );
        assert!(finish(&shape, 2, &Readback::default()).is_err());
    }
}
