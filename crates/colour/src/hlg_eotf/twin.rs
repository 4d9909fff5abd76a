//! The twins of `hlg_eotf`: one dispatch over all pixels, in sealed pairs of f32 and in plain f32.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::reference::INVERSE_OETF;
use super::{DISPLAY, KERNEL};
use crate::pixel_map::{self, Shader};

pub(super) fn exact(shape: &ClipShape) -> Result<Plan, KernelError> {
    let shader = Shader {
        chunks: &["seal", "samples", "grid"],
        sources: &[&INVERSE_OETF.sources(), include_str!("exact_pixel.wgsl")],
        parameters: &[],
    };
    pixel_map::plan(KERNEL.name, shape, &shader)
}

pub(super) fn native(shape: &ClipShape) -> Result<Plan, KernelError> {
    let shader = Shader {
        chunks: &["samples", "grid"],
        sources: &[include_str!("native.wgsl")],
        parameters: &[],
    };
    pixel_map::plan(KERNEL.name, shape, &shader)
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    pixel_map::finish(shape, frame, readback, DISPLAY)
}
