//! The sums on the device.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::{KernelError, Route, Twin};
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;

use super::{METRIC, NAME, TERMS};
use crate::departure::Departure;
use crate::device;

const SHADER: Departure = Departure {
    kernel: NAME,
    sound: include_str!("twin.wgsl"),
    from: "terms[lane] = term;\n    workgroupBarrier();",
    to: "terms[lane] = term;",
};

pub const TWINS: &[Twin] = &device::twins(&[Route::Integer], sound, broken, finish);

fn sound(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, SHADER.sound))
}

fn broken(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, &SHADER.broken()?))
}

fn plan(shape: &ClipShape, wgsl: &str) -> Plan {
    let sums = count(shape);
    device::plan(shape, wgsl)
        .output(METRIC, sums, 4)
        .dispatch("sum", &["picture", "shape", METRIC], sums)
}

fn count(shape: &ClipShape) -> u64 {
    shape.planes[0].samples().div_ceil(TERMS as u64)
}

fn finish(shape: &ClipShape, _: &Options, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let values = Values::U32(readback.u32s(METRIC)?);
    Ok(vec![Output {
        width: count(shape) as u32,
        height: 1,
        ..device::plane(METRIC, shape, frame, values)
    }])
}
