//! What the twins of all controls share: the plane as they see it, and the way back from their buffers.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::{Finish, KernelError, Route, Twin};
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::work::{PlanFrame, Work};
use isobit_exact::samples;

use crate::picture::CODES;

/// Invocations in a workgroup of every twin but those that state their own number.
pub const WORKGROUP: u64 = 64;

/// The shader text that declares bindings 0 and 1 of every twin, `picture` and `shape`, and reads codes from them.
const CHUNK: &str = include_str!("picture.wgsl");

type FinishOf = fn(&ClipShape, &Options, usize, &Readback) -> Result<Vec<Output>, KernelError>;

/// The two twins of a control.
pub const fn twins(routes: &'static [Route], sound: PlanFrame, broken: PlanFrame, finish: FinishOf) -> [Twin; 2] {
    [
        Twin {
            name: "sound",
            routes,
            work: Work::Frame(sound),
            finish: Finish::Frame(finish),
            stages: None,
        },
        Twin {
            name: "broken",
            routes,
            work: Work::Frame(broken),
            finish: Finish::Frame(finish),
            stages: None,
        },
    ]
}

/// A plan of the shader `wgsl`, the plane in the buffer `picture` and its geometry in the buffer `shape`.
///
/// The text does not depend on the format, so that one pipeline serves all.
pub fn plan(shape: &ClipShape, wgsl: &str) -> Plan {
    let picture = shape.planes[0];
    let depth = shape.format.depth;
    let words = [
        picture.width,
        picture.height,
        picture.stride as u32,
        depth.bytes() as u32,
        depth.bits(),
        0,
        0,
        0,
    ];
    Plan::new([samples::CHUNK.source, CHUNK, wgsl].join("\n"))
        .input("picture", 0, 0, picture.bytes())
        .uniform("shape", &words)
}

/// A plan whose entry point `entry` writes a word for each sample into the buffer `codes`, in `workgroups` workgroups.
pub fn codes_plan(shape: &ClipShape, wgsl: &str, entry: &str, workgroups: u64) -> Plan {
    plan(shape, wgsl)
        .output("codes", shape.planes[0].samples(), 4)
        .dispatch(entry, &["picture", "shape", "codes"], workgroups)
}

/// Workgroups for one invocation a sample.
pub fn per_sample(shape: &ClipShape) -> u64 {
    shape.planes[0].samples().div_ceil(WORKGROUP)
}

/// Workgroups for one invocation a row.
pub fn per_row(shape: &ClipShape) -> u64 {
    u64::from(shape.planes[0].height).div_ceil(WORKGROUP)
}

/// The plane of codes that a [`codes_plan`] leaves.
pub fn finish_codes(
    shape: &ClipShape,
    _: &Options,
    frame: usize,
    readback: &Readback,
) -> Result<Vec<Output>, KernelError> {
    let values = Values::U32(readback.u32s("codes")?);
    Ok(vec![plane(CODES.name, shape, frame, values)])
}

/// An output with a value for each sample.
pub fn plane(metric: &'static str, shape: &ClipShape, frame: usize, values: Values) -> Output {
    Output {
        metric,
        frame,
        plane: 0,
        width: shape.planes[0].width,
        height: shape.planes[0].height,
        values,
    }
}

/// An output with a value for each row.
pub fn column(metric: &'static str, shape: &ClipShape, frame: usize, values: Values) -> Output {
    Output {
        width: 1,
        ..plane(metric, shape, frame, values)
    }
}
