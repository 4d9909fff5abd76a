//! The plan of kernels that map each pixel of three planes to three f32, one dispatch a frame. Knows no colour.

use isobit::execution::Readback;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit_exact::samples::sample_plane;

/// Invocations of a workgroup, one a pixel; `INVOCATIONS` of pixel_map.wgsl.
pub(crate) const PIXELS_PER_WORKGROUP: u64 = 64;

const SAMPLES: [&str; 3] = ["samples_r", "samples_g", "samples_b"];
const MAPPED: [&str; 3] = ["mapped_0", "mapped_1", "mapped_2"];

/// Three colour planes at any depth.
pub(crate) fn accepts(format: Format) -> bool {
    format.layout == Layout::Rgb
}

/// Why a clip of this shape cannot be addressed by a twin.
pub(crate) fn refuses(shape: &ClipShape) -> Option<String> {
    let addressed = |width, height, stride| sample_plane(width, height, stride, shape.format.depth.bits());
    let plane = shape
        .planes
        .iter()
        .find(|plane| addressed(plane.width, plane.height, plane.stride).is_none())?;
    Some(format!(
        "a plane takes {} bytes, and samples are addressed up to 2^31",
        plane.bytes()
    ))
}

/// A twin's WGSL, in parts: chunks of `isobit-exact`, then source that defines
/// `fn map_pixel(stored: vec3<u32>) -> vec3<u32>` from stored samples to the bits of three f32, over `parameters`, a uniform at
/// binding 7 where there are any.
pub(crate) struct Shader<'a> {
    /// Names of the chunks.
    pub(crate) chunks: &'a [&'a str],
    /// The source, in order.
    pub(crate) sources: &'a [&'a str],
    /// The words of the uniform; none where the source declares none.
    pub(crate) parameters: &'a [u32],
}

/// One dispatch of `shader` over all pixels.
pub(crate) fn plan(kernel: &'static str, shape: &ClipShape, shader: &Shader) -> Result<Plan, KernelError> {
    if let Some(reason) = refuses(shape) {
        return Err(KernelError::Unsupported { kernel, reason });
    }
    let body = [shader.sources, &[include_str!("pixel_map.wgsl")]].concat().join("\n");
    let module = isobit_exact::join(shader.chunks, &body).map_err(|error| KernelError::Module {
        kernel,
        message: error.to_string(),
    })?;
    let mut plan = Plan::new(module).uniform("picture", &picture(shape));
    let pixels = shape.planes[0].samples();
    for (index, plane) in shape.planes.iter().enumerate() {
        plan = plan
            .input(SAMPLES[index], 0, index, plane.bytes())
            .output(MAPPED[index], pixels, 4);
    }
    let [r, g, b] = SAMPLES;
    let [first, second, third] = MAPPED;
    let mut bindings = vec![r, g, b, "picture", first, second, third];
    if !shader.parameters.is_empty() {
        plan = plan.uniform("parameters", shader.parameters);
        bindings.push("parameters");
    }
    Ok(plan.dispatch("map_pixels", &bindings, pixels.div_ceil(PIXELS_PER_WORKGROUP)))
}

/// The words of `Picture`; all of them fit, since [`refuses`] has not refused.
pub(crate) fn picture(shape: &ClipShape) -> [u32; 8] {
    let [r, g, b] = [0, 1, 2].map(|plane| shape.planes[plane].stride as u32);
    let pixels = shape.width * shape.height;
    [r, g, b, shape.width, pixels, shape.format.depth.bits(), 0, 0]
}

/// The planes that a plan of [`plan`] left, as they are.
pub(crate) fn finish(
    shape: &ClipShape,
    frame: usize,
    readback: &Readback,
    metric: &'static str,
) -> Result<Vec<Output>, KernelError> {
    let plane = |(plane, name)| Ok(output(metric, shape, frame, plane, readback.f32s(name)?));
    MAPPED.into_iter().enumerate().map(plane).collect()
}

/// Every pixel of every frame with `function` applied to its three samples: f32 as they are, codes as numbers.
pub(crate) fn reference(input: &Input, metric: &'static str, function: impl Fn([f32; 3]) -> [f32; 3]) -> Vec<Output> {
    let shape = input.shape();
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        let mut planes = [const { Vec::new() }; 3];
        for y in 0..shape.height {
            let [r, g, b] = [0, 1, 2].map(|plane| row(input, 0, frame, plane, y));
            for ((r, g), b) in r.into_iter().zip(g).zip(b) {
                for (plane, value) in planes.iter_mut().zip(function([r, g, b])) {
                    plane.push(value);
                }
            }
        }
        let planes = planes.into_iter().enumerate();
        outputs.extend(planes.map(|(plane, values)| output(metric, shape, frame, plane, values)));
    }
    outputs
}

/// The samples of a row of a clip; a code is exact in f32.
pub(crate) fn row(input: &Input, clip: usize, frame: usize, plane: usize, y: u32) -> Vec<f32> {
    let plane = input.plane(clip, frame, plane);
    match input.shape().format.depth {
        Depth::F32 => plane.floats(y).collect(),
        _ => plane.codes(y).map(|code| code as f32).collect(),
    }
}

fn output(metric: &'static str, shape: &ClipShape, frame: usize, plane: usize, values: Vec<f32>) -> Output {
    Output {
        metric,
        frame,
        plane,
        width: shape.width,
        height: shape.height,
        values: Values::F32(values),
    }
}

#[cfg(test)]
mod tests {
    use isobit::frame::{Clip, Frame, Plane};

    use super::*;

    /// Two frames of two rows of three samples, `padding` samples after each row; no sample occurs twice.
    fn input(depth: Depth, padding: usize) -> Input {
        let shape = ClipShape::padded(Format::new(Layout::Rgb, depth), 3, 2, padding);
        let frame = |frame: u32| {
            let plane = |plane: u32| {
                let mut bytes = Vec::new();
                for y in 0..2 {
                    for x in 0..3 {
                        let sample = frame * 100 + plane * 10 + y * 3 + x;
                        match depth {
                            Depth::F32 => bytes.extend((sample as f32).to_le_bytes()),
                            _ => bytes.extend(&sample.to_le_bytes()[..depth.bytes()]),
                        }
                    }
                    bytes.extend([0xee].repeat(padding * depth.bytes()));
                }
                Plane::new(shape.planes[plane as usize], depth, bytes).unwrap()
            };
            Frame {
                planes: [0, 1, 2].map(plane).into(),
            }
        };
        let frames = vec![frame(0), frame(1)];
        Input::new(vec![Clip::new(shape.clone(), frames).unwrap()]).unwrap()
    }

    #[test]
    fn a_pixel_is_the_samples_at_its_place() {
        for depth in Depth::ALL {
            let outputs = reference(&input(depth, 2), "turned", |[r, g, b]| [g, b, r]);
            let places: Vec<_> = outputs.iter().map(|o| (o.frame, o.plane)).collect();
            assert_eq!(places, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
            let expected = [120.0, 121.0, 122.0, 123.0, 124.0, 125.0];
            assert_eq!(outputs[4].values, Values::F32(expected.into()), "{depth}");
        }
    }

    #[test]
    fn the_planes_of_a_readback_are_told_apart() {
        let shape = ClipShape::tight(Format::new(Layout::Rgb, Depth::U8), 1, 1);
        let plane = |name: &str, value: f32| (name.to_owned(), value.to_le_bytes().to_vec());
        let readback = Readback {
            buffers: [plane(MAPPED[1], 2.0), plane(MAPPED[2], 3.0), plane(MAPPED[0], 1.0)].into(),
        };
        let outputs = finish(&shape, 4, &readback, "same").unwrap();
        let values: Vec<_> = outputs.iter().map(|o| (o.frame, o.plane, o.values.clone())).collect();
        let expected = [(0, 1.0), (1, 2.0), (2, 3.0)].map(|(plane, value)| (4, plane, Values::F32(vec![value])));
        assert_eq!(values, expected);
        assert!(finish(&shape, 4, &Readback::default(), "same").is_err());
    }
}
