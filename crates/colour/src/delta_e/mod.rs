//! Differences of the pixels of two clips: a map of f32 and its mean. What the kernels of colour differences share.
//!
//! The mean is formed by the host in the reference as for a twin: the map, read row by row, summed in f64 in that order, over
//! the number of pixels.

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::{KernelError, Metric, MetricKind, NanPolicy};
use isobit::output::{Output, Values};
use isobit::plan::Plan;

use crate::pixel_map;
use crate::srgb_to_linear::TRANSFER;

const MAP: &str = "map";
const MEAN: &str = "mean";

/// The outputs of a kernel of colour differences.
pub(crate) const METRICS: &[Metric] = &[
    Metric {
        name: MAP,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Class,
    },
    Metric {
        name: MEAN,
        kind: MetricKind::Score,
        nan: NanPolicy::Class,
    },
];

const SAMPLES: [[&str; 3]; 2] = [
    ["reference_r", "reference_g", "reference_b"],
    ["distorted_r", "distorted_g", "distorted_b"],
];

/// The exact plan over WGSL that defines `fn lab_bits(linear: vec3<u32>) -> vec3<u32>` and
/// `fn difference(a: vec3<u32>, b: vec3<u32>) -> u32`, all by bits.
pub(crate) fn exact(
    kernel: &'static str,
    shape: &ClipShape,
    chunks: &[&str],
    sources: &[&str],
) -> Result<Plan, KernelError> {
    let transfer = TRANSFER.sources();
    plan(
        kernel,
        shape,
        chunks,
        &[&[transfer.as_str()], sources, &[include_str!("exact.wgsl")]].concat(),
    )
}

/// The native plan over WGSL that defines `fn native_difference(a: vec3<f32>, b: vec3<f32>) -> f32` of linear light.
pub(crate) fn native(kernel: &'static str, shape: &ClipShape, sources: &[&str]) -> Result<Plan, KernelError> {
    plan(
        kernel,
        shape,
        &["samples", "grid"],
        &[sources, &[include_str!("native.wgsl")]].concat(),
    )
}

fn plan(kernel: &'static str, shape: &ClipShape, chunks: &[&str], sources: &[&str]) -> Result<Plan, KernelError> {
    if let Some(reason) = pixel_map::refuses(shape) {
        return Err(KernelError::Unsupported { kernel, reason });
    }
    let body = [sources, &[include_str!("pair_map.wgsl")]].concat().join("\n");
    let module = isobit_exact::join(chunks, &body).map_err(|error| KernelError::Module {
        kernel,
        message: error.to_string(),
    })?;
    let pixels = shape.planes[0].samples();
    let mut plan = Plan::new(module)
        .uniform("picture", &pixel_map::picture(shape))
        .output(MAP, pixels, 4);
    for (clip, names) in SAMPLES.into_iter().enumerate() {
        for (index, (plane, name)) in shape.planes.iter().zip(names).enumerate() {
            plan = plan.input(name, clip, index, plane.bytes());
        }
    }
    let bindings = [SAMPLES[0].as_slice(), &SAMPLES[1], &["picture", MAP]].concat();
    let workgroups = pixels.div_ceil(pixel_map::PIXELS_PER_WORKGROUP);
    Ok(plan.dispatch("map_pairs", &bindings, workgroups))
}

/// The outputs from the map that a plan left.
pub(crate) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    Ok(outputs(shape, frame, readback.f32s(MAP)?))
}

/// Both outputs of every frame, from the difference of two colours in linear light.
pub(crate) fn reference(input: &Input, difference: fn([f32; 3], [f32; 3]) -> f32) -> Vec<Output> {
    let shape = input.shape();
    let linear = TRANSFER.samples(shape.format.depth);
    let mut all = Vec::new();
    for frame in 0..input.frames() {
        let mut map = Vec::new();
        for y in 0..shape.height {
            let [a, b] = [0, 1].map(|clip| {
                let rows = [0, 1, 2].map(|plane| pixel_map::row(input, clip, frame, plane, y));
                (0..shape.width as usize).map(move |x| [rows[0][x], rows[1][x], rows[2][x]])
            });
            map.extend(a.zip(b).map(|(a, b)| {
                let [a, b] = [a, b].map(|stored| stored.map(|sample| linear.of(sample)));
                difference(a, b)
            }));
        }
        all.extend(outputs(shape, frame, map));
    }
    all
}

fn outputs(shape: &ClipShape, frame: usize, map: Vec<f32>) -> Vec<Output> {
    let sum = map.iter().fold(0.0, |sum, &difference| sum + f64::from(difference));
    let mean = sum / map.len() as f64;
    let map = Output {
        metric: MAP,
        frame,
        plane: 0,
        width: shape.width,
        height: shape.height,
        values: Values::F32(map),
    };
    vec![map, Output::score(MEAN, frame, mean)]
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::*;

    #[test]
    fn the_mean_is_that_of_the_map() {
        let shape = ClipShape::tight(Format::new(Layout::Rgb, Depth::U8), 3, 1);
        let bytes = [1.0f32, 2.0, 6.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let readback = Readback {
            buffers: [(MAP.to_owned(), bytes)].into(),
        };
        let [map, mean] = &finish(&shape, 2, &readback).unwrap()[..] else {
            panic!("two outputs");
        };
        assert_eq!(map.values, Values::F32(vec![1.0, 2.0, 6.0]));
        assert_eq!(mean, &Output::score(MEAN, 2, 3.0));
        assert!(finish(&shape, 2, &Readback::default()).is_err());
    }
}
