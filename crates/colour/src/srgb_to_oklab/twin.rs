//! The twins of `srgb_to_oklab`: one dispatch over all pixels, in sealed f32 and in plain f32.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::{KERNEL, OKLAB};
use crate::constants::declarations;
use crate::oklab::{CONSTANTS, SETTLED, TO_WGSL};
use crate::pixel_map::{self, Shader};
use crate::srgb_to_linear::TRANSFER;

pub(super) fn exact(shape: &ClipShape) -> Result<Plan, KernelError> {
    let shader = Shader {
        chunks: &["math_cbrt", "seal", "samples", "grid"],
        sources: &[
            &declarations(CONSTANTS),
            &TRANSFER.sources(),
            SETTLED,
            TO_WGSL,
            include_str!("exact.wgsl"),
        ],
        parameters: &[],
    };
    pixel_map::plan(KERNEL.name, shape, &shader)
}

pub(super) fn native(shape: &ClipShape) -> Result<Plan, KernelError> {
    let shader = Shader {
        chunks: &["samples", "grid"],
        sources: &[
            &declarations(CONSTANTS),
            include_str!("../oklab/native.wgsl"),
            include_str!("native.wgsl"),
        ],
        parameters: &[],
    };
    pixel_map::plan(KERNEL.name, shape, &shader)
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    pixel_map::finish(shape, frame, readback, OKLAB)
}
