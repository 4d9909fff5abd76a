//! The native twin of `linear_to_srgb`: plain f32, one dispatch a plane.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::{KERNEL, SRGB};
use crate::plane_map;

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    plane_map::plan(KERNEL.name, shape, include_str!("twin.wgsl"))
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    plane_map::finish(shape, frame, readback, SRGB)
}
