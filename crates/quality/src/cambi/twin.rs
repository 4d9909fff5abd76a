//! The exact twin of `cambi`: pictures, masks and contrasts on the device, pooled on the host.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::reference::{self, CAMBI};
use super::settings::{SCALES, Settings};
use crate::planes;

/// Invocations of a workgroup.
const INVOCATIONS: u64 = 64;
/// Rows that an invocation slides its window over, at least: the first window is counted anew for each strip.
const LEAST_STRIP_ROWS: u32 = 32;
/// Words of counts that are aimed at; taller strips need fewer.
const COUNTS: u64 = 1 << 24;
/// Elements of a picture at most: a binding of 128 MiB.
const MOST_SAMPLES: u64 = 1 << 25;

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    let settings = reference::settings(shape)?;
    let (luma, depth) = (&shape.planes[0], shape.format.depth);
    let (width, height) = (settings.columns.len() as u32, settings.rows.len() as u32);
    let samples = u64::from(width) * u64::from(height);
    if samples > MOST_SAMPLES {
        return Err(KernelError::Unsupported {
            kernel: CAMBI,
            reason: format!(
                "the twin holds pictures of up to {MOST_SAMPLES} samples, and {width}x{height} are {samples}"
            ),
        });
    }
    let picture = [width, height, settings.anti_dither.into(), settings.flat_limit];
    let steps: Vec<_> = settings
        .steps
        .iter()
        .flat_map(|step| [step.weight, step.brightest])
        .collect();
    let reciprocals: Vec<_> = settings.reciprocals.iter().map(|value| value.to_bits()).collect();
    let workgroups = samples.div_ceil(INVOCATIONS);
    let mut plan = Plan::new(module()?)
        .input("luma", 1, 0, luma.bytes())
        .uniform("plane", &planes::uniform(CAMBI, luma, depth)?)
        .uniform("picture", &picture)
        .constant("columns", &settings.columns)
        .constant("rows", &settings.rows)
        .constant("steps", &steps)
        .constant("reciprocals", &reciprocals)
        .scratch("image", samples, 4)
        .scratch("flat", samples, 4)
        .scratch("mask", samples, 4)
        .dispatch(
            "preprocess",
            &["picture", "plane", "luma", "columns", "rows", "image"],
            workgroups,
        )
        .dispatch("flat_in_rows", &["picture", "image", "flat"], workgroups)
        .dispatch("mask", &["picture", "flat", "mask"], workgroups);

    let scales: Vec<_> = (0..SCALES).map(|scale| Scale::new(&settings, scale)).collect();
    let counts = scales.iter().map(|scale| scale.counts).max().unwrap_or(0);
    plan = plan.scratch("counts", counts, 4);
    let mut finer = "image".to_owned();
    for (number, scale) in scales.iter().enumerate() {
        let buffer = |prefix: &str| format!("{prefix}_{number}");
        let (uniform, image, codes, contrasts) =
            (buffer("scale"), buffer("image"), buffer("codes"), buffer("contrasts"));
        plan = plan
            .uniform(&uniform, &scale.words)
            .scratch(&image, scale.samples, 4)
            .scratch(&codes, scale.samples, 4)
            .output(&contrasts, scale.samples, 4)
            .dispatch_as(
                &image,
                "filter_modes",
                &[&uniform, &finer, "mask", &image, &codes],
                scale.samples.div_ceil(INVOCATIONS),
            )
            .clear("counts")
            .dispatch_as(
                &contrasts,
                "find_contrasts",
                &[&uniform, &codes, "steps", "reciprocals", "counts", &contrasts],
                scale.invocations.div_ceil(INVOCATIONS),
            );
        finer = image;
    }
    Ok(plan)
}

fn module() -> Result<String, KernelError> {
    isobit_exact::join(&["samples", "grid", "seal", "soft"], include_str!("twin.wgsl")).map_err(|error| {
        KernelError::Module {
            kernel: CAMBI,
            message: error.to_string(),
        }
    })
}

/// The sizes of one scale's work.
struct Scale {
    samples: u64,
    /// Windows that slide at the same time.
    invocations: u64,
    /// Words that they count in.
    counts: u64,
    /// The uniform.
    words: [u32; 12],
}

impl Scale {
    fn new(settings: &Settings, scale: usize) -> Self {
        let [width, height] = settings.size(scale);
        let samples = u64::from(width) * u64::from(height);
        // Two codes share a word; codes begin at 0.
        let pairs = u64::from(settings.brightest_counted() / 2 + 1);
        let strip_rows = (samples * pairs).div_ceil(COUNTS) as u32;
        let strip_rows = strip_rows.max(2 * settings.window).max(LEAST_STRIP_ROWS);
        let invocations = u64::from(width) * u64::from(height.div_ceil(strip_rows));
        let picture_width = settings.columns.len() as u32;
        let halvings = settings.halvings(scale);
        let (finer_width, finer_step) = match scale {
            0 => (picture_width, 1 << halvings),
            _ => (settings.size(scale - 1)[0], 2),
        };
        Self {
            samples,
            invocations,
            counts: invocations * pairs,
            words: [
                width,
                height,
                finer_width,
                finer_step,
                picture_width,
                1 << halvings,
                settings.window / 2,
                settings.steps.len() as u32,
                settings.darkest,
                settings.brightest_counted(),
                strip_rows,
                invocations as u32,
            ],
        }
    }
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let settings = reference::settings(shape)?;
    let mut pooled = [0.0; SCALES];
    for (scale, pooled) in pooled.iter_mut().enumerate() {
        *pooled = reference::pool(readback.f32s(&format!("contrasts_{scale}"))?, settings.topk);
    }
    Ok(vec![Output::score(
        CAMBI,
        frame,
        reference::combine(&pooled, &settings),
    )])
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::*;

    #[test]
    fn contrasts_of_each_scale_are_pooled_and_weighted() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 216, 216);
        let words = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let buffers = (0..SCALES).map(|scale| {
            let contrasts = if scale == 1 {
                words(&[5.0, 0.0, 3.0, 1.0, 2.0])
            } else {
                words(&[0.0])
            };
            (format!("contrasts_{scale}"), contrasts)
        });
        let readback = Readback {
            buffers: buffers.collect(),
        };
        let expected = 8.0 * (10.0 / 3.0) / 25.0;
        assert_eq!(
            finish(&shape, 4, &readback).unwrap(),
            [Output::score(CAMBI, 4, expected)]
        );
        assert!(finish(&shape, 4, &Readback::default()).is_err());
    }

    #[test]
    fn a_large_picture_is_counted_within_one_binding_and_the_loops_that_a_device_ends() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv444, Depth::U16), 3046, 3046);
        let mut settings = reference::settings(&shape).unwrap();
        assert_eq!(settings.window, 65);
        settings.steps.last_mut().unwrap().brightest = 1023;
        let scale = Scale::new(&settings, 0);
        assert!(scale.counts <= 1 << 25);
        let rows = scale.words[10] + 2 * scale.words[6];
        assert!(rows * settings.window + scale.words[10] * 4 < 65_535 / 2);
    }

    #[test]
    fn the_workgroups_are_as_large_as_the_plan_counts_on() {
        let constant = format!("const INVOCATIONS: u32 = {INVOCATIONS}u;");
        assert!(include_str!("twin.wgsl").contains(&constant));
    }
}
