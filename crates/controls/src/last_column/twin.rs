//! The inversion on the device.

use isobit::frame::ClipShape;
use isobit::kernel::{KernelError, Route, Twin};
use isobit::options::Options;
use isobit::plan::Plan;

use super::NAME;
use crate::departure::Departure;
use crate::device;

const SHADER: Departure = Departure {
    kernel: NAME,
    sound: include_str!("twin.wgsl"),
    from: "x < shape.width;",
    to: "x < shape.width - 1u;",
};

pub const TWINS: &[Twin] = &device::twins(&[Route::Integer], sound, broken, device::finish_codes);

fn sound(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, SHADER.sound))
}

fn broken(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, &SHADER.broken()?))
}

fn plan(shape: &ClipShape, wgsl: &str) -> Plan {
    device::codes_plan(shape, wgsl, "invert", device::per_row(shape))
}
