//! The sums on the device. The shader is the same for both twins: the fault lies in the plan.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::{KernelError, Route, Twin};
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;

use super::METRIC;
use crate::device;

pub const TWINS: &[Twin] = &device::twins(&[Route::Integer], sound, broken, finish);

fn sound(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(add(shape, buffers(shape).clear(METRIC)))
}

fn broken(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(add(shape, buffers(shape)))
}

fn buffers(shape: &ClipShape) -> Plan {
    device::plan(shape, include_str!("twin.wgsl")).output(METRIC, u64::from(shape.planes[0].height), 4)
}

fn add(shape: &ClipShape, plan: Plan) -> Plan {
    plan.dispatch("add", &["picture", "shape", METRIC], device::per_sample(shape))
}

fn finish(shape: &ClipShape, _: &Options, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let values = Values::U32(readback.u32s(METRIC)?);
    Ok(vec![device::column(METRIC, shape, frame, values)])
}
