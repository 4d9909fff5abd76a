//! The packed words on the device.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::{KernelError, Route, Twin};
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;

use super::NAME;
use crate::departure::Departure;
use crate::device;
use crate::picture::CODES;

const SHADER: Departure = Departure {
    kernel: NAME,
    sound: include_str!("twin.wgsl"),
    from: "let current = packed[word];",
    to: "let current = before;",
};

pub const TWINS: &[Twin] = &device::twins(&[Route::Integer], sound, broken, finish);

fn sound(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, SHADER.sound))
}

fn broken(shape: &ClipShape, _: &Options) -> Result<Plan, KernelError> {
    Ok(plan(shape, &SHADER.broken()?))
}

fn plan(shape: &ClipShape, wgsl: &str) -> Plan {
    let results = u64::from(pitch(shape)) * u64::from(shape.planes[0].height);
    device::plan(shape, wgsl)
        .output("packed", results, 2)
        .clear("packed")
        .dispatch(
            "widen",
            &["picture", "shape", "packed"],
            results.div_ceil(device::WORKGROUP),
        )
}

/// Results in a stored row: whole words.
fn pitch(shape: &ClipShape) -> u32 {
    shape.planes[0].width.next_multiple_of(2)
}

fn finish(shape: &ClipShape, _: &Options, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let (pitch, width) = (pitch(shape) as usize, shape.planes[0].width as usize);
    let packed = readback.u16s("packed")?;
    let shown = packed.chunks(pitch).flat_map(|row| row.iter().take(width));
    let values = Values::U32(shown.copied().map(u32::from).collect());
    Ok(vec![device::plane(CODES.name, shape, frame, values)])
}
