//! The specification of `delta_e_ok`.

use isobit::frame::Input;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit_exact::math::hypot;

use crate::delta_e;
use crate::oklab::oklab;

/// The distance of two colours in Oklab, both as L, a and b: √(ΔL² + Δa² + Δb²); NaN if a component is.
pub fn delta_e_ok(a: [f32; 3], b: [f32; 3]) -> f32 {
    hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2])
}

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    Ok(delta_e::reference(input, |a, b| delta_e_ok(oklab(a), oklab(b))))
}
