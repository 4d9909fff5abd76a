//! The twins of `pq_inverse_eotf`: one dispatch a plane, in sealed pairs of f32 and in plain f32.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::{KERNEL, SIGNAL, TRANSFER};
use crate::plane_map;

pub(super) fn exact(shape: &ClipShape) -> Result<Plan, KernelError> {
    plane_map::exact(KERNEL.name, shape, &TRANSFER)
}

pub(super) fn native(shape: &ClipShape) -> Result<Plan, KernelError> {
    plane_map::native(KERNEL.name, shape, &TRANSFER, include_str!("native.wgsl"))
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    plane_map::finish(shape, frame, readback, SIGNAL)
}
