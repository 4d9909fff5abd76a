//! The energies on the device.

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
    from: "let x = step;",
    to: "let x = shape.width - 1u - step;",
};

pub const TWINS: &[Twin] = &device::twins(&[Route::Sealed, Route::Ordered], sound, broken, finish);

fn sound(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, SHADER.sound))
}

fn broken(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, &SHADER.broken()?))
}

fn plan(shape: &ClipShape, wgsl: &str) -> Plan {
    device::plan(shape, wgsl)
        .output(METRIC, u64::from(shape.planes[0].height), 4)
        .dispatch("energy", &["picture", "shape", METRIC], device::per_row(shape))
}

fn finish(shape: &ClipShape, _: &Options, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let values = Values::F32(readback.f32s(METRIC)?);
    Ok(vec![device::column(METRIC, shape, frame, values)])
}
