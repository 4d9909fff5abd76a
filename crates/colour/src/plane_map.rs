//! Kernels that map each sample of each plane by one odd function of a real number, in the reference and on the device.
//!
//! An integer code `c` of depth `d` means c / (2^d − 1); an f32 sample means itself. The function is evaluated in f64 and
//! rounded once to f32.

use isobit::execution::Readback;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, Input, Plane, PlaneShape};
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit_exact::samples::sample_plane;

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

/// Every plane of every frame with `function` applied.
pub(crate) fn reference(input: &Input, metric: &'static str, function: fn(f64) -> f64) -> Vec<Output> {
    let map = Map::new(input.shape().format.depth, function);
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        for (plane, shape) in input.shape().planes.iter().enumerate() {
            let values = map.plane(input.plane(0, frame, plane));
            outputs.push(output(metric, frame, plane, shape, values));
        }
    }
    outputs
}

/// A function of the samples of one depth.
struct Map {
    function: fn(f64) -> f64,
    max_code: Option<u32>,
    /// What each code is mapped to; a clip has far more samples than codes.
    codes: Vec<f32>,
}

impl Map {
    fn new(depth: Depth, function: fn(f64) -> f64) -> Self {
        let mut map = Self {
            function,
            max_code: depth.max_code(),
            codes: Vec::new(),
        };
        if let Some(max) = map.max_code {
            map.codes = (0..=max).map(|code| map.code(code, max)).collect();
        }
        map
    }

    fn plane(&self, plane: &Plane) -> Vec<f32> {
        let rows = 0..plane.shape().height;
        match self.max_code {
            // A 16-bit word may hold a code beyond its depth: a value beyond 1, like any other.
            Some(max) => rows
                .flat_map(|y| plane.codes(y))
                .map(|code| {
                    self.codes
                        .get(code as usize)
                        .copied()
                        .unwrap_or_else(|| self.code(code, max))
                })
                .collect(),
            None => rows
                .flat_map(|y| plane.floats(y))
                .map(|value| self.value(value.into()))
                .collect(),
        }
    }

    fn code(&self, code: u32, max: u32) -> f32 {
        self.value(f64::from(code) / f64::from(max))
    }

    fn value(&self, value: f64) -> f32 {
        (self.function)(value) as f32
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

/// One dispatch a plane of the function that `transfer` defines in WGSL: `fn transfer(x: f32) -> f32` for finite values
/// that are not negative, and `OVERFLOW`, the bits of the smallest f32 that it takes beyond the range of f32.
pub(crate) fn plan(kernel: &'static str, shape: &ClipShape, transfer: &str) -> Result<Plan, KernelError> {
    let body = [transfer, include_str!("plane_map.wgsl")].join("\n");
    let module = isobit_exact::join(&["samples", "grid"], &body).map_err(|error| KernelError::Module {
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

    /// The bits of the smallest f32 that `function` takes beyond the range of f32, found by bisection; those of infinity
    /// where there is none.
    fn overflow(function: fn(f64) -> f64) -> u32 {
        let overflows = |bits: u32| (function(f64::from(f32::from_bits(bits))) as f32).is_infinite();
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
    fn the_shaders_know_where_their_function_leaves_the_range_of_f32() {
        for (source, function) in [
            (
                include_str!("srgb_to_linear/twin.wgsl"),
                srgb_to_linear::srgb_to_linear as fn(f64) -> f64,
            ),
            (include_str!("linear_to_srgb/twin.wgsl"), linear_to_srgb::linear_to_srgb),
        ] {
            let line = format!("const OVERFLOW: u32 = {:#010x}u;", overflow(function));
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
    fn a_code_means_its_fraction_of_the_largest_and_a_float_itself() {
        let values = |depth, padding, row: &[u8]| {
            let outputs = reference(&input(depth, padding, row), "same", |value| value);
            assert_eq!(outputs.len(), 3);
            outputs[2].values.clone()
        };
        assert_eq!(
            values(Depth::U8, 3, &[0, 51, 255]),
            Values::F32(vec![0.0, 0.2, 1.0, 0.0, 0.2, 1.0])
        );
        // 1023 of 10 bits, and a code beyond them.
        let beyond = 2046.0 / 1023.0;
        assert_eq!(
            values(Depth::U10, 1, &[0xff, 3, 0xfe, 7]),
            Values::F32(vec![1.0, beyond, 1.0, beyond])
        );
        let float = -0.1f32;
        assert_eq!(
            values(Depth::F32, 0, &float.to_le_bytes()),
            Values::F32(vec![float, float])
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
