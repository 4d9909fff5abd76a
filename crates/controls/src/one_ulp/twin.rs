//! The fractions on the device.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::{KernelError, Route, Twin};
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;

use super::{METRIC, NAME};
use crate::departure::Departure;
use crate::device;

const SHADER: Departure = Departure {
    kernel: NAME,
    sound: include_str!("twin.wgsl"),
    from: "let off = 0u;",
    to: "let off = select(0u, 1u, index == samples / 2u);",
};

pub const TWINS: &[Twin] = &device::twins(&[Route::Sealed], sound, broken, finish);

fn sound(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, SHADER.sound))
}

fn broken(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, &SHADER.broken()?))
}

fn plan(shape: &ClipShape, wgsl: &str) -> Plan {
    device::plan(shape, wgsl)
        .output(METRIC, shape.planes[0].samples(), 4)
        .dispatch("divide", &["picture", "shape", METRIC], device::per_sample(shape))
}

fn finish(shape: &ClipShape, _: &Options, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let values = Values::F32(readback.f32s(METRIC)?);
    Ok(vec![device::plane(METRIC, shape, frame, values)])
}
