//! The blur on the device.

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
    from: "2 * width - 2 - folded",
    to: "2 * width - 1 - folded",
};

pub const TWINS: &[Twin] = &device::twins(&[Route::Integer], sound, broken, device::finish_codes);

fn sound(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, SHADER.sound))
}

fn broken(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, &SHADER.broken()?))
}

fn plan(shape: &ClipShape, wgsl: &str) -> Plan {
    device::codes_plan(shape, wgsl, "blur", device::per_sample(shape))
}
