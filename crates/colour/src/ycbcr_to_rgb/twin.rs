//! The twins of the `ycbcr_to_rgb` kernels: one dispatch, each invocation making one word of each output plane.

use isobit::execution::Readback;
use isobit::format::Layout;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::RGB;
use crate::ycbcr::codes::{self, Place};
use crate::ycbcr::coefficients::HALF;
use crate::ycbcr::{ToRgb, VARIANTS, Variant, max_code, middle};

const INPUTS: [&str; 3] = ["y", "cb", "cr"];
const OUTPUTS: [&str; 3] = ["r", "g", "b"];
const NAME: &str = "ycbcr_to_rgb";

pub(super) fn exact<const V: usize>(shape: &ClipShape) -> Result<Plan, KernelError> {
    let chunks = ["samples", "grid", "wide"];
    let module = codes::module(NAME, &chunks, &[include_str!("twin.wgsl"), include_str!("exact.wgsl")])?;
    plan(module, shape, &exact_words(VARIANTS[V], shape.format.depth.bits()))
}

pub(super) fn native<const V: usize>(shape: &ClipShape) -> Result<Plan, KernelError> {
    let chunks = ["samples", "grid"];
    let module = codes::module(NAME, &chunks, &[include_str!("twin.wgsl"), include_str!("native.wgsl")])?;
    plan(module, shape, &native_words(VARIANTS[V], shape.format.depth.bits()))
}

fn plan(module: String, shape: &ClipShape, coefficients: &[u32]) -> Result<Plan, KernelError> {
    if let Some(reason) = codes::refuses(shape) {
        return Err(KernelError::Unsupported { kernel: NAME, reason });
    }
    let (depth, pixels) = (shape.format.depth, shape.planes[0].samples());
    let mut plan = Plan::new(module)
        .uniform("picture", &picture(shape))
        .uniform("coefficients", coefficients);
    for (index, plane) in shape.planes.iter().enumerate() {
        plan = plan
            .input(INPUTS[index], 0, index, plane.bytes())
            .output(OUTPUTS[index], pixels, depth.bytes() as u32);
    }
    let [y, cb, cr] = INPUTS;
    let [r, g, b] = OUTPUTS;
    let bindings = [y, cb, cr, "picture", "coefficients", r, g, b];
    Ok(plan.dispatch(NAME, &bindings, codes::workgroups(pixels, depth)))
}

/// The words of `Picture`; all of them fit, since no plane was refused.
fn picture(shape: &ClipShape) -> [u32; 12] {
    let [y, cb, cr] = [0, 1, 2].map(|plane| shape.planes[plane].stride as u32);
    let chroma = shape.planes[1];
    let (horizontal, vertical) = Layout::subsampling(shape.format.layout, 1);
    let bits = shape.format.depth.bits();
    let pixels = shape.width * shape.height;
    [
        y,
        cb,
        cr,
        bits, // one line a vec4 of words
        shape.width,
        pixels,
        chroma.width,
        chroma.height, //
        horizontal,
        vertical,
        max_code(bits),
        0,
    ]
}

/// The words of `Coefficients` in exact.wgsl: the zeros of luma and chroma and the half of the rounding are gathered into one
/// constant for each colour.
fn exact_words(variant: Variant, bits: u32) -> [u32; 12] {
    let c = ToRgb::new(variant, bits);
    let zero = |coefficient: u32, code: u32| i64::from(coefficient) * 8 * i64::from(code);
    let (black, middle) = (variant.black(bits), middle(bits));
    let luma = HALF - zero(c.luma, black);
    let [red, green, blue] = [
        luma - zero(c.cr_in_red, middle),
        luma + zero(c.cb_in_green, middle) + zero(c.cr_in_green, middle),
        luma - zero(c.cb_in_blue, middle),
    ]
    .map(|constant| [constant as u32, (constant >> 32) as u32]);
    [
        red[0],
        red[1],
        green[0],
        green[1], //
        blue[0],
        blue[1],
        c.luma,
        c.cr_in_red, //
        c.cb_in_green,
        c.cr_in_green,
        c.cb_in_blue,
        0,
    ]
}

/// The words of `Coefficients` in native.wgsl.
fn native_words(variant: Variant, bits: u32) -> [u32; 8] {
    let c = ToRgb::new(variant, bits);
    let per_eighth = |coefficient: u32| (f64::from(coefficient) / 4_294_967_296.0) as f32;
    [
        per_eighth(c.luma),
        per_eighth(c.cr_in_red),
        per_eighth(c.cb_in_green),
        per_eighth(c.cr_in_green),
        per_eighth(c.cb_in_blue),
        8.0 * variant.black(bits) as f32,
        8.0 * middle(bits) as f32,
        0.0,
    ]
    .map(f32::to_bits)
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let plane = |(plane, buffer)| {
        let place = Place {
            metric: RGB,
            frame,
            plane,
            size: (shape.width, shape.height),
        };
        place.read(buffer, shape.format.depth, readback)
    };
    OUTPUTS.into_iter().enumerate().map(plane).collect()
}
