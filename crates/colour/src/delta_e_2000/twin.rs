//! The twins of `delta_e_2000`: one dispatch over all pixels, in sealed f32 and in plain f32; the host forms the mean.

use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::plan::Plan;

use super::KERNEL;
use super::reference::CONSTANTS;
use crate::constants::declarations;
use crate::delta_e;
use crate::oklab::{self, SETTLED};

pub(super) fn exact(shape: &ClipShape) -> Result<Plan, KernelError> {
    let chunks = [
        "divide",
        "square_root",
        "math_cbrt",
        "math_hypot",
        "math_atan2",
        "math_exp",
        "math_sin",
        "math_cos",
        "seal",
        "samples",
        "grid",
    ];
    let constants = [declarations(oklab::CONSTANTS), declarations(CONSTANTS)].concat();
    delta_e::exact(
        KERNEL.name,
        shape,
        &chunks,
        &[&constants, SETTLED, include_str!("exact.wgsl")],
    )
}

pub(super) fn native(shape: &ClipShape) -> Result<Plan, KernelError> {
    let constants = [declarations(oklab::CONSTANTS), declarations(CONSTANTS)].concat();
    let sources = [
        &constants,
        include_str!("../oklab/native.wgsl"),
        include_str!("native.wgsl"),
    ];
    delta_e::native(KERNEL.name, shape, &sources)
}
