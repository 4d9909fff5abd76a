//! The twins of `colourise`: one dispatch over the stored samples, of one text in exact and in native arithmetic.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit_exact::samples::sample_plane;

use super::{COLOUR, NAME, Settings};
use crate::arithmetic::Arithmetic;
use crate::{filter, load};

/// Invocations of a workgroup, one a sample; `INVOCATIONS` of twin.wgsl.
const INVOCATIONS: u64 = 64;

const PLANES: [&str; 3] = ["red", "green", "blue"];

/// The plan for one frame.
pub(super) fn plan(shape: &ClipShape, options: &Options, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    if let Some(reason) = load::refuses(shape) {
        return Err(KernelError::Unsupported { kernel: NAME, reason });
    }
    let plane = shape.planes[0];
    let geometry = sample_plane(plane.width, plane.height, plane.stride, shape.format.depth.bits());
    let chunks = ["divide", "seal", "samples", "grid"];
    let module = arithmetic.module(NAME, &chunks, include_str!("twin.wgsl"))?;
    let mut plan = filter::empty()
        .module(NAME, module)
        .input("stored", 0, 0, plane.bytes())
        .uniform("plane", &geometry.unwrap_or_default())
        .uniform("settings", &words(&Settings::of(options)));
    for name in PLANES {
        plan = plan.output(name, plane.samples(), 4);
    }
    let [red, green, blue] = PLANES;
    let bindings = ["stored", "plane", "settings", red, green, blue];
    let workgroups = plane.samples().div_ceil(INVOCATIONS);
    Ok(plan.dispatch_of(NAME, NAME, "colourise_samples", &bindings, workgroups))
}

/// The words of `Settings` of twin.wgsl.
fn words(settings: &Settings) -> Vec<u32> {
    let vector = |[r, g, b]: &[f32; 3]| [r.to_bits(), g.to_bits(), b.to_bits(), 0];
    let mut words = vec![
        settings.grey.to_bits(),
        settings.strength.to_bits(),
        u32::from(settings.invert),
        0,
    ];
    words.extend(settings.starts.iter().chain(&settings.rises).flat_map(vector));
    words
}

/// The colour planes as they were left.
pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let planes = PLANES.iter().enumerate();
    planes
        .map(|(plane, name)| {
            Ok(Output {
                metric: COLOUR,
                frame,
                plane,
                width: shape.width,
                height: shape.height,
                values: Values::F32(readback.f32s(name)?),
            })
        })
        .collect()
}
