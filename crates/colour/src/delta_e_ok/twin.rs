//! The twins of `delta_e_ok`: one dispatch over all pixels, in sealed f32 and in plain f32; the host forms the mean.

use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::plan::Plan;

use super::KERNEL;
use crate::constants::declarations;
use crate::delta_e;
use crate::oklab::{self, SETTLED, TO_WGSL};

pub(super) fn exact(shape: &ClipShape) -> Result<Plan, KernelError> {
    let chunks = ["math_cbrt", "math_hypot", "seal", "samples", "grid"];
    let sources = [
        &declarations(oklab::CONSTANTS),
        SETTLED,
        TO_WGSL,
        include_str!("exact.wgsl"),
    ];
    delta_e::exact(KERNEL.name, shape, &chunks, &sources)
}

pub(super) fn native(shape: &ClipShape) -> Result<Plan, KernelError> {
    let sources = [
        &declarations(oklab::CONSTANTS),
        include_str!("../oklab/native.wgsl"),
        include_str!("native.wgsl"),
    ];
    delta_e::native(KERNEL.name, shape, &sources)
}
