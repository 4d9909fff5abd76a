//! Kernels that map each sample of each plane by one [`Transfer`], in the reference and on the device.

use isobit::execution::Readback;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, Input, Plane, PlaneShape};
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit_exact::samples::sample_plane;

use crate::transfer::{Extension, Samples, Transfer};

/// Invocations of a workgroup, one a sample; `INVOCATIONS` of plane_map.wgsl.
const SAMPLES_PER_WORKGROUP: u64 = 64;

/// Three colour planes at any depth.
pub(crate) fn accepts(format: Format) -> bool {
    format.layout == Layout::Rgb
}

/// Why a clip of this shape cannot be addressed by a twin.
pub(crate) fn refuses(shape: &ClipShape) -> Option<String> {
    let plane = shape
        .planes
        .iter()
        .find(|plane| words(plane, shape.format.depth).is_none())?;
    Some(unreachable_samples(plane))
}

fn words(plane: &PlaneShape, depth: Depth) -> Option<[u32; 4]> {
    sample_plane(plane.width, plane.height, plane.stride, depth.bits())
}

fn unreachable_samples(plane: &PlaneShape) -> String {
    format!(
        "a plane takes {} bytes, and samples are addressed up to 2^31",
        plane.bytes()
    )
}

/// Every plane of every frame with `transfer` applied.
pub(crate) fn reference(input: &Input, metric: &'static str, transfer: &Transfer) -> Vec<Output> {
    let samples = transfer.samples(input.shape().format.depth);
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        for (plane, shape) in input.shape().planes.iter().enumerate() {
            let values = mapped(input.plane(0, frame, plane), input.shape().format.depth, &samples);
            outputs.push(output(metric, frame, plane, shape, values));
        }
    }
    outputs
}

fn mapped(plane: &Plane, depth: Depth, samples: &Samples) -> Vec<f32> {
    let rows = 0..plane.shape().height;
    match depth {
        Depth::F32 => rows
            .flat_map(|y| plane.floats(y))
            .map(|sample| samples.of(sample))
            .collect(),
        _ => rows
            .flat_map(|y| plane.codes(y))
            .map(|code| samples.of(code as f32))
            .collect(),
    }
}

fn output(metric: &'static str, frame: usize, plane: usize, shape: &PlaneShape, values: Vec<f32>) -> Output {
    Output {
        metric,
        frame,
        plane,
        width: shape.width,
        height: shape.height,
        values: Values::F32(values),
    }
}

/// The exact plan of `transfer`.
pub(crate) fn exact(kernel: &'static str, shape: &ClipShape, transfer: &Transfer) -> Result<Plan, KernelError> {
    let source = [&transfer.sources(), include_str!("exact_map.wgsl")].join("\n");
    plan(kernel, shape, &["seal", "samples", "grid"], &source)
}

/// The native plan of `transfer`, over WGSL that defines `fn transfer(x: f32) -> f32` for finite values that are not
/// negative, and `OVERFLOW`, the bits of the smallest f32 that it takes beyond the range of f32.
pub(crate) fn native(
    kernel: &'static str,
    shape: &ClipShape,
    transfer: &Transfer,
    wgsl: &str,
) -> Result<Plan, KernelError> {
    let clipped = format!("const CLIPPED: bool = {};\n", transfer.extension == Extension::Clipped);
    let source = [&clipped, wgsl, include_str!("native_map.wgsl")].join("\n");
    plan(kernel, shape, &["samples", "grid"], &source)
}

/// One dispatch a plane of a module that defines `fn mapped_bits(stored: u32) -> u32`, from a stored sample to the bits of an
/// f32.
fn plan(kernel: &'static str, shape: &ClipShape, chunks: &[&str], source: &str) -> Result<Plan, KernelError> {
    let body = [source, include_str!("plane_map.wgsl")].join("\n");
    let module = isobit_exact::join(chunks, &body).map_err(|error| KernelError::Module {
        kernel,
        message: error.to_string(),
    })?;
    let mut plan = Plan::new(module);
    for (index, (plane, name)) in shape.planes.iter().zip(shape.format.layout.plane_names()).enumerate() {
        let buffer = |prefix: &str| format!("{prefix}_{name}");
        let (samples, uniform, mapped) = (buffer("samples"), buffer("plane"), buffer("mapped"));
        let words = words(plane, shape.format.depth).ok_or_else(|| KernelError::Unsupported {
            kernel,
            reason: unreachable_samples(plane),
        })?;
        plan = plan
            .input(&samples, 0, index, plane.bytes())
            .uniform(&uniform, &words)
            .output(&mapped, plane.samples(), 4)
            .dispatch_as(
                &mapped,
                "map_plane",
                &[&samples, &uniform, &mapped],
                plane.samples().div_ceil(SAMPLES_PER_WORKGROUP),
            );
    }
    Ok(plan)
}

/// The planes that a plan of [`plan`] left, as they are.
pub(crate) fn finish(
    shape: &ClipShape,
    frame: usize,
    readback: &Readback,
    metric: &'static str,
) -> Result<Vec<Output>, KernelError> {
    let planes = shape.planes.iter().zip(shape.format.layout.plane_names());
    planes
        .enumerate()
        .map(|(index, (plane, name))| {
            let values = readback.f32s(&format!("mapped_{name}"))?;
            Ok(output(metric, frame, index, plane, values))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use isobit::frame::{Clip, Frame};

    use super::*;
    use crate::{linear_to_srgb, srgb_to_linear};

    /// The bits of the smallest f32 that `transfer` takes beyond the range of f32, found by bisection; those of infinity
    /// where there is none.
    fn overflow(transfer: &Transfer) -> u32 {
        let overflows = |bits: u32| transfer.of_f32(f32::from_bits(bits)).is_infinite();
        let (mut below, mut above) = (0, f32::INFINITY.to_bits());
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            if overflows(middle) {
                above = middle;
            } else {
                below = middle;
            }
        }
        above
    }

    #[test]
    fn the_native_shaders_know_where_their_function_leaves_the_range_of_f32() {
        for (source, transfer) in [
            (include_str!("srgb_to_linear/native.wgsl"), srgb_to_linear::TRANSFER),
            (include_str!("linear_to_srgb/native.wgsl"), linear_to_srgb::TRANSFER),
        ] {
            let line = format!("const OVERFLOW: u32 = {:#010x}u;", overflow(&transfer));
            assert!(source.contains(&line), "expected `{line}`");
        }
    }

    fn input(depth: Depth, padding: usize, row: &[u8]) -> Input {
        let width = (row.len() / depth.bytes()) as u32;
        let shape = ClipShape::padded(Format::new(Layout::Rgb, depth), width, 2, padding);
        let mut bytes = [row, &[0xee].repeat(padding * depth.bytes())].concat();
        bytes.extend_from_within(..);
        let plane = || Plane::new(shape.planes[0], depth, bytes.clone()).unwrap();
        let planes = vec![plane(), plane(), plane()];
        Input::new(vec![Clip::new(shape, vec![Frame { planes }]).unwrap()]).unwrap()
    }

    #[test]
    fn every_sample_of_every_plane_is_mapped_and_padding_is_not() {
        let values = |depth, padding, row: &[u8]| {
            let outputs = reference(&input(depth, padding, row), "linear", &srgb_to_linear::TRANSFER);
            assert_eq!(outputs.len(), 3);
            outputs[2].values.clone()
        };
        let linear = |code, max| srgb_to_linear::TRANSFER.of_code(code, max);
        let row = [0, 51, 255].map(|code| linear(code, 255));
        assert_eq!(values(Depth::U8, 3, &[0, 51, 255]), Values::F32([row, row].concat()));
        // 1023 of 10 bits, and a code beyond them.
        let row = [1023, 2046].map(|code| linear(code, 1023));
        assert_eq!(
            values(Depth::U10, 1, &[0xff, 3, 0xfe, 7]),
            Values::F32([row, row].concat())
        );
        let row = [srgb_to_linear::srgb_to_linear(-0.1)];
        assert_eq!(
            values(Depth::F32, 0, &(-0.1f32).to_le_bytes()),
            Values::F32([row, row].concat())
        );
    }

    #[test]
    fn the_planes_of_a_readback_are_told_apart() {
        let shape = ClipShape::tight(Format::new(Layout::Rgb, Depth::U8), 1, 1);
        let plane = |name: &str, value: f32| (format!("mapped_{name}"), value.to_le_bytes().to_vec());
        let readback = Readback {
            buffers: [plane("g", 2.0), plane("b", 3.0), plane("r", 1.0)].into(),
        };
        let outputs = finish(&shape, 4, &readback, "same").unwrap();
        let values: Vec<_> = outputs.iter().map(|o| (o.frame, o.plane, o.values.clone())).collect();
        let expected = [(0, 1.0), (1, 2.0), (2, 3.0)].map(|(plane, value)| (4, plane, Values::F32(vec![value])));
        assert_eq!(values, expected);
        assert!(finish(&shape, 4, &Readback::default(), "same").is_err());
    }
}
