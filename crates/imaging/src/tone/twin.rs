//! The twins of `tone`: one dispatch a raster, of one text in exact and in native arithmetic.

use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::curve::Cubics;
use super::{NAME, Settings, apply};
use crate::arithmetic::Arithmetic;
use crate::filter;

/// Invocations of a workgroup, one a sample; `INVOCATIONS` of twin.wgsl.
const INVOCATIONS: u64 = 64;

/// The plan for one frame.
pub(super) fn plan(shape: &ClipShape, options: &Options, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    let settings = Settings::of(options)?;
    let size = [shape.width, shape.height];
    filter::plan(NAME, shape, arithmetic, size, |plan, from, to, tag| {
        append(plan, arithmetic, size, from, to, tag, &settings)
    })
}

/// What the plan holds after each dispatch for frame `frame`.
pub(super) fn stages(input: &Input, options: &Options, frame: usize) -> Result<Vec<Stage>, KernelError> {
    let settings = Settings::of(options)?;
    let rasters = filter::loaded_stages(input, frame).into_iter().enumerate();
    let stages = rasters.flat_map(|(index, (raster, loaded))| {
        let toned = apply(&raster, &settings);
        [
            loaded,
            filter::stage(&label(&index.to_string()), &filter::filtered(index), toned),
        ]
    });
    Ok(stages.collect())
}

fn label(tag: &str) -> String {
    format!("tone_{tag}")
}

/// Adds the toning of raster `from` of `size` to a plan, into the f32 buffer `to` of the same size. Labels and buffers carry
/// `tag`.
pub(crate) fn append(
    plan: Plan,
    arithmetic: Arithmetic,
    size: [u32; 2],
    from: &str,
    to: &str,
    tag: &str,
    settings: &Settings,
) -> Result<Plan, KernelError> {
    let chunks = ["divide", "seal", "math_pow", "grid"];
    let module = arithmetic.module(NAME, &chunks, include_str!("twin.wgsl"))?;
    let samples = u64::from(size[0]) * u64::from(size[1]);
    let uniform = format!("tone_settings_{tag}");
    Ok(plan
        .module(NAME, module)
        .uniform(&uniform, &words(samples as u32, settings))
        .dispatch_of(
            NAME,
            &label(tag),
            "tone",
            &[from, &uniform, to],
            samples.div_ceil(INVOCATIONS),
        ))
}

/// The words of `Settings` of twin.wgsl.
fn words(samples: u32, settings: &Settings) -> Vec<u32> {
    let numbers = [
        settings.black,
        settings.white,
        settings.range,
        settings.exponent,
        settings.output_black,
        settings.output_range,
    ];
    let cubics: Cubics = settings.curve.unwrap_or_default();
    let mut words = vec![samples, u32::from(settings.curve.is_some())];
    words.extend(
        numbers
            .iter()
            .chain(cubics.as_flattened())
            .map(|number| number.to_bits()),
    );
    words
}
