//! The twins of the `rgb_to_ycbcr` kernels: one dispatch for luma and one for each subsampling of chroma, each invocation
//! making one word of each output plane.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::{CHROMA, LUMA};
use crate::ycbcr::codes::{self, Place};
use crate::ycbcr::{FromRgb, VARIANTS, Variant, max_code, middle};

const INPUTS: [&str; 3] = ["r", "g", "b"];
const NAME: &str = "rgb_to_ycbcr";

pub(super) fn exact<const V: usize>(shape: &ClipShape) -> Result<Plan, KernelError> {
    let chunks = ["samples", "grid", "wide"];
    let module = codes::module(NAME, &chunks, &[include_str!("twin.wgsl"), include_str!("exact.wgsl")])?;
    plan(module, shape, VARIANTS[V], |coefficient| coefficient, |zero| zero)
}

pub(super) fn native<const V: usize>(shape: &ClipShape) -> Result<Plan, KernelError> {
    let chunks = ["samples", "grid"];
    let module = codes::module(NAME, &chunks, &[include_str!("twin.wgsl"), include_str!("native.wgsl")])?;
    let per_eighth = |coefficient| ((f64::from(coefficient) / 4_294_967_296.0) as f32).to_bits();
    plan(module, shape, VARIANTS[V], per_eighth, |zero| (zero as f32).to_bits())
}

/// The plan of `module`, which wants coefficients in 2^29ths and the codes of zero as words of its own kind.
fn plan(
    module: String,
    shape: &ClipShape,
    variant: Variant,
    coefficient: fn(u32) -> u32,
    zero: fn(u32) -> u32,
) -> Result<Plan, KernelError> {
    if let Some(reason) = codes::refuses(shape) {
        return Err(KernelError::Unsupported { kernel: NAME, reason });
    }
    let depth = shape.format.depth;
    let c = FromRgb::new(variant, depth.bits());
    let rows = [c.luma, c.cb, c.cr].map(|row| row.map(coefficient));
    // A row takes four words in a uniform; the last holds the zero of luma and of chroma.
    let (black, middle) = (variant.black(depth.bits()), middle(depth.bits()));
    let zeros = [black, middle, middle].map(zero);
    let words = [0, 1, 2].map(|i| [rows[i][0], rows[i][1], rows[i][2], zeros[i]]);

    let size = (shape.width, shape.height);
    let samples = shape.planes[0].samples();
    let mut plan = Plan::new(module).uniform("coefficients", words.as_flattened());
    for (index, plane) in shape.planes.iter().enumerate() {
        plan = plan.input(INPUTS[index], 0, index, plane.bytes());
    }
    let [r, g, b] = INPUTS;
    plan = plan
        .uniform("picture_luma", &picture(shape, size, (1, 1)))
        .output(LUMA, samples, depth.bytes() as u32)
        .dispatch(
            "rgb_to_luma",
            &[r, g, b, "picture_luma", "coefficients", LUMA],
            codes::workgroups(samples, depth),
        );
    for chroma in CHROMA {
        let size = chroma.layout.plane_size(1, shape.width, shape.height);
        let samples = u64::from(size.0) * u64::from(size.1);
        let picture_name = format!("picture_{}", chroma.metric);
        let [cb, cr] = chroma.buffers;
        plan = plan
            .uniform(&picture_name, &picture(shape, size, chroma.layout.subsampling(1)))
            .output(cb, samples, depth.bytes() as u32)
            .output(cr, samples, depth.bytes() as u32)
            .dispatch_as(
                chroma.metric,
                "rgb_to_chroma",
                &[r, g, b, &picture_name, "coefficients", cb, cr],
                codes::workgroups(samples, depth),
            );
    }
    Ok(plan)
}

/// The words of `Picture`; all of them fit, since no plane was refused.
fn picture(shape: &ClipShape, size: (u32, u32), subsampling: (u32, u32)) -> [u32; 12] {
    let [r, g, b] = [0, 1, 2].map(|plane| shape.planes[plane].stride as u32);
    let bits = shape.format.depth.bits();
    [
        r,
        g,
        b,
        bits, // one line a vec4 of words
        shape.width,
        shape.height,
        subsampling.0,
        subsampling.1, //
        size.0,
        size.0 * size.1,
        max_code(bits),
        0,
    ]
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let read = |metric, plane, size, buffer| {
        let place = Place {
            metric,
            frame,
            plane,
            size,
        };
        place.read(buffer, shape.format.depth, readback)
    };
    let mut outputs = vec![read(LUMA, 0, (shape.width, shape.height), LUMA)?];
    for chroma in CHROMA {
        let size = chroma.layout.plane_size(1, shape.width, shape.height);
        for (plane, buffer) in [1, 2].into_iter().zip(chroma.buffers) {
            outputs.push(read(chroma.metric, plane, size, buffer)?);
        }
    }
    Ok(outputs)
}
