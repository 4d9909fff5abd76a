//! The exact twin of `cambi`: pictures, masks and contrasts on the device, pooled on the host.

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::settings::{Analyses, SCALES, Settings};
use super::{KERNEL, reference};
use crate::planes;

/// Names of the clips.
const CLIPS: [&str; 2] = ["reference", "distorted"];
/// Invocations of a workgroup.
const INVOCATIONS: u64 = 64;
/// Rows that an invocation slides its window over, at least: the first window is counted anew for each strip.
const LEAST_STRIP_ROWS: u32 = 32;
/// Words of counts that are aimed at; taller strips need fewer.
const COUNTS: u64 = 1 << 24;
/// Elements of a picture at most: a binding of 128 MiB.
const MOST_SAMPLES: u64 = 1 << 25;

pub(super) fn plan(shape: &ClipShape, options: &Options) -> Result<Plan, KernelError> {
    let plane = planes::uniform(KERNEL.name, &shape.planes[0], shape.format.depth)?;
    let mut plan = Plan::new(module()?).uniform("plane", &plane);
    for (clip, settings) in Analyses::new(shape, options)?.clips() {
        plan = plan.input(CLIPS[clip], clip, 0, shape.planes[0].bytes());
        plan = analyse(plan, CLIPS[clip], settings)?;
    }
    Ok(plan)
}

/// Adds all that becomes of the luma of `clip`, up to its contrasts.
fn analyse(plan: Plan, clip: &str, settings: &Settings) -> Result<Plan, KernelError> {
    let (width, height) = (settings.columns.len() as u32, settings.rows.len() as u32);
    let samples = u64::from(width) * u64::from(height);
    if samples > MOST_SAMPLES {
        return Err(KernelError::Unsupported {
            kernel: KERNEL.name,
            reason: format!("the twin takes up to {MOST_SAMPLES} samples, and {width}x{height} are {samples}"),
        });
    }
    let steps: Vec<_> = settings
        .steps
        .iter()
        .flat_map(|step| [step.weight, step.brightest])
        .collect();
    let reciprocals: Vec<_> = settings.reciprocals.iter().map(|value| value.to_bits()).collect();
    let workgroups = samples.div_ceil(INVOCATIONS);
    let scales: Vec<_> = (0..SCALES).map(|scale| Scale::new(settings, scale)).collect();

    let of = |part: &str| format!("{clip}_{part}");
    let [picture, columns, rows, table, reciprocal] = ["picture", "columns", "rows", "steps", "reciprocals"].map(of);
    let [image, flat, mask, counts] = ["image", "flat", "mask", "counts"].map(of);
    let mut plan = plan
        .uniform(
            &picture,
            &[width, height, settings.anti_dither.into(), settings.flat_limit],
        )
        .constant(&columns, &settings.columns)
        .constant(&rows, &settings.rows)
        .constant(&table, &steps)
        .constant(&reciprocal, &reciprocals)
        .scratch(&image, samples, 4)
        .scratch(&flat, samples, 4)
        .scratch(&mask, samples, 4)
        .scratch(&counts, scales.iter().map(|scale| scale.counts).max().unwrap_or(0), 4)
        .dispatch_as(
            &image,
            "preprocess",
            &[&picture, "plane", clip, &columns, &rows, &image],
            workgroups,
        )
        .dispatch_as(&flat, "flat_in_rows", &[&picture, &image, &flat], workgroups)
        .dispatch_as(&mask, "mask", &[&picture, &flat, &mask], workgroups);

    let mut finer = image;
    for (number, scale) in scales.iter().enumerate() {
        let of = |part: &str| at_scale(clip, part, number);
        let [uniform, image, codes, contrasts] = ["scale", "image", "codes", "contrasts"].map(of);
        plan = plan
            .uniform(&uniform, &scale.words)
            .scratch(&image, scale.samples, 4)
            .scratch(&codes, scale.samples, 4)
            .output(&contrasts, scale.samples, 4)
            .dispatch_as(
                &image,
                "filter_modes",
                &[&uniform, &finer, &mask, &image, &codes],
                scale.samples.div_ceil(INVOCATIONS),
            )
            .clear(&counts)
            .dispatch_as(
                &contrasts,
                "find_contrasts",
                &[&uniform, &codes, &table, &reciprocal, &counts, &contrasts],
                scale.invocations.div_ceil(INVOCATIONS),
            );
        finer = image;
    }
    Ok(plan)
}

/// The name of a part of a clip's analysis at one scale.
fn at_scale(clip: &str, part: &str, scale: usize) -> String {
    format!("{clip}_{part}_{scale}")
}

fn module() -> Result<String, KernelError> {
    isobit_exact::join(&["samples", "grid", "seal", "soft"], include_str!("twin.wgsl")).map_err(|error| {
        KernelError::Module {
            kernel: KERNEL.name,
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

pub(super) fn finish(
    shape: &ClipShape,
    options: &Options,
    frame: usize,
    readback: &Readback,
) -> Result<Vec<Output>, KernelError> {
    let analyses = Analyses::new(shape, options)?;
    let score = |(clip, settings): (usize, &Settings)| {
        let contrasts = (0..SCALES).map(|scale| readback.f32s(&at_scale(CLIPS[clip], "contrasts", scale)));
        Ok(reference::combine(contrasts.collect::<Result<Vec<_>, _>>()?, settings))
    };
    let scores = analyses.clips().map(score).collect::<Result<Vec<_>, KernelError>>()?;
    Ok(reference::outputs(frame, &scores, analyses.greatest))
}

pub(super) fn stages(input: &Input, options: &Options, frame: usize) -> Result<Vec<Stage>, KernelError> {
    let mut stages = Vec::new();
    for (clip, settings) in Analyses::new(input.shape(), options)?.clips() {
        let found = reference::stages(input.plane(clip, frame, 0), settings);
        let clip = CLIPS[clip];
        let width = settings.columns.len() as u32;
        for (part, values) in [
            ("image", found.image.words()),
            ("flat", found.flat.words()),
            ("mask", found.mask.words()),
        ] {
            let buffer = format!("{clip}_{part}");
            stages.push(Stage::new(&*buffer, &*buffer, width, values));
        }
        for (number, scale) in found.scales.into_iter().enumerate() {
            let [width, _] = settings.size(number);
            let [image, codes, contrasts] = ["image", "codes", "contrasts"].map(|part| at_scale(clip, part, number));
            stages.push(Stage::new(&*image, &*image, width, scale.image.words()));
            stages.push(Stage::new(&*image, codes, width, scale.codes.words()));
            stages.push(Stage::new(
                &*contrasts,
                &*contrasts,
                width,
                Values::F32(scale.contrasts.values),
            ));
        }
    }
    Ok(stages)
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::plan::Role;

    use super::super::FULL_REFERENCE;
    use super::*;

    fn shape(width: u32, height: u32) -> ClipShape {
        ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), width, height)
    }

    #[test]
    fn contrasts_of_each_clip_and_scale_are_pooled_and_weighted() {
        let words = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let buffers = (0..SCALES).flat_map(|scale| {
            let distorted = if scale == 1 {
                vec![5.0, 0.0, 3.0, 1.0, 2.0]
            } else {
                vec![0.0]
            };
            [
                (at_scale("distorted", "contrasts", scale), words(&distorted)),
                (at_scale("reference", "contrasts", scale), words(&[0.25])),
            ]
        });
        let readback = Readback {
            buffers: buffers.collect(),
        };
        let (encode, source) = (8.0 * (10.0 / 3.0) / 25.0, 31.0 * 0.25 / 25.0);
        let finish = |kernel: &isobit::kernel::Kernel, readback| finish(&shape(216, 216), &kernel.options, 4, readback);
        assert_eq!(
            finish(&KERNEL, &readback).unwrap(),
            [Output::score(reference::CAMBI, 4, encode)]
        );
        let outputs = finish(&FULL_REFERENCE, &readback).unwrap();
        let scores: Vec<_> = outputs.iter().map(|output| output.values.get(0).as_f64()).collect();
        assert_eq!(scores, [encode, source, encode - source]);
        assert!(finish(&KERNEL, &Readback::default()).is_err());
    }

    #[test]
    fn every_stage_is_a_buffer_that_its_dispatch_leaves() {
        let fixture = isobit_fixtures::named("odd").unwrap();
        let input = fixture.input(Format::new(Layout::Yuv420, Depth::U8), 2).unwrap();
        let plan = plan(input.shape(), &FULL_REFERENCE.options).unwrap();
        let stages = stages(&input, &FULL_REFERENCE.options, 1).unwrap();
        assert_eq!(stages.len(), 2 * (3 + 3 * SCALES));
        for stage in stages {
            let part = plan.until(&stage.label, &stage.buffer).unwrap();
            let buffer = &part.buffers[&stage.buffer];
            assert_eq!(buffer.role, Role::Output);
            assert_eq!(
                buffer.bytes,
                stage.values.to_le_bytes().len() as u64,
                "{}",
                stage.buffer
            );
        }
    }

    #[test]
    fn a_large_picture_is_counted_within_a_binding_and_the_loops_that_a_device_allows() {
        let mut settings = Analyses::new(&shape(3046, 3046), &KERNEL.options).unwrap().encode;
        assert_eq!(settings.window, 65);
        settings.steps.last_mut().unwrap().brightest = 1023;
        let scale = Scale::new(&settings, 0);
        assert!(scale.counts <= MOST_SAMPLES);
        let (rows, reach) = (scale.words[10], scale.words[6]);
        assert!((rows + 2 * reach) * settings.window + 4 * rows < 65_535 / 2);
    }

    #[test]
    fn a_picture_beyond_a_binding_has_no_plan() {
        let given = ("window_size".to_owned(), "15".to_owned());
        let kernel = KERNEL.with_options(&[given]).unwrap();
        assert!(plan(&shape(8192, 4096), &kernel.options).is_ok());
        let error = plan(&shape(8192, 4098), &kernel.options).unwrap_err();
        assert_eq!(
            error.to_string(),
            "kernel `cambi` is not defined for this input: the twin takes up to 33554432 samples, and 8192x4098 are 33570816"
        );
    }

    #[test]
    fn the_workgroups_are_as_large_as_the_plan_counts_on() {
        let constant = format!("const INVOCATIONS: u32 = {INVOCATIONS}u;");
        assert!(include_str!("twin.wgsl").contains(&constant));
    }
}
