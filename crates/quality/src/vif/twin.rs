//! The exact twin of `vif`: for each scale its column moments and the sums over its windows, then the next level.
//!
//! Column moments take 16 bytes a window, more than a binding holds where frames are large: they are formed and summed in
//! bands of rows, one after the other in the same buffer.

use std::ops::Range;

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::{Dispatch, Plan, Step};

use super::KERNEL;
use super::reference::{self, FILTERS, LOG2, SCALES, Settings, Sums};
use crate::planes;

/// Invocations of a workgroup that filters: `FILTER_INVOCATIONS` of the shader.
const FILTER_INVOCATIONS: u64 = 64;
/// Groups of four windows that a workgroup sums: `INVOCATIONS` times `GROUPS_PER_INVOCATION` of the shader.
pub(super) const SUMMED_GROUPS: u64 = 16 * 4;
/// Neighbours that an invocation filters for at once.
pub(super) const NEIGHBOURS: u64 = 4;
/// Words of the column moments of one window.
const MOMENTS_WORDS: u64 = 4;
/// Bytes that a storage binding has on any adapter.
const BINDING_BYTES: u64 = 128 << 20;

/// The numbers of the shader's bindings.
mod binding {
    pub(super) const REFERENCE: u32 = 0;
    pub(super) const DISTORTED: u32 = 1;
    pub(super) const PLANE: u32 = 2;
    pub(super) const STRIP: u32 = 3;
    pub(super) const LEVEL: u32 = 4;
    pub(super) const COLUMNS: u32 = 5;
    pub(super) const MOMENTS: u32 = 6;
    pub(super) const LOGARITHMS: u32 = 7;
    pub(super) const PARTIALS: u32 = 8;
}

pub(super) fn plan(shape: &ClipShape, settings: Settings) -> Result<Plan, KernelError> {
    let luma = &shape.planes[0];
    let module = isobit_exact::join(&["soft64", "samples", "grid"], include_str!("twin.wgsl"));
    let module = module.map_err(|error| KernelError::Module {
        kernel: KERNEL.name,
        message: error.to_string(),
    })?;
    let plan = Plan::new(module)
        .input("reference", 0, 0, luma.bytes())
        .input("distorted", 1, 0, luma.bytes())
        .uniform("plane", &planes::uniform(KERNEL.name, luma, shape.format.depth)?)
        .constant("logarithms", &logarithms());
    let mut plan = (1..SCALES).fold(plan, |plan, scale| {
        let (above, here) = (size(shape, scale - 1), size(shape, scale));
        plan.scratch(&columns_buffer(scale), above.0 * here.1, 4)
            .scratch(&level_buffer(scale), here.0 * here.1, 4)
    });
    for scale in 0..SCALES {
        if scale > 0 {
            plan = halve(plan, shape, scale, settings);
        }
        if scale > 0 || !settings.skip_first {
            plan = sum(plan, shape, scale, settings);
        }
    }
    Ok(plan)
}

/// Adds the filters that make the level of `scale`.
fn halve(plan: Plan, shape: &ClipShape, scale: usize, settings: Settings) -> Plan {
    let (above, here) = (size(shape, scale - 1), size(shape, scale));
    let (columns, level) = (columns_buffer(scale), level_buffer(scale));
    let strip = format!("{level}_strip");
    let words = Strip {
        scale: scale - 1,
        filter: FILTERS[scale],
        rows: 0..here.1,
    }
    .words(above, settings);
    let plan = plan.uniform(&strip, &words);
    let four_rows = here.1.div_ceil(NEIGHBOURS);
    let four_columns = here.0.div_ceil(NEIGHBOURS);
    let mut bindings = source(scale - 1);
    bindings.extend([(binding::STRIP, strip.clone()), (binding::COLUMNS, columns.clone())]);
    let plan = dispatch(
        plan,
        &columns,
        "halve_columns",
        bindings,
        filter_workgroups(above.0 * four_rows),
    );
    let bindings = vec![
        (binding::STRIP, strip),
        (binding::COLUMNS, columns),
        (binding::LEVEL, level.clone()),
    ];
    dispatch(
        plan,
        &level,
        "halve_rows",
        bindings,
        filter_workgroups(four_columns * here.1),
    )
}

/// Adds the sums over the windows of `scale`, band by band.
fn sum(plan: Plan, shape: &ClipShape, scale: usize, settings: Settings) -> Plan {
    let here = size(shape, scale);
    let moments = moments_buffer(scale);
    let bands = bands(here);
    let largest = bands.iter().map(|band| band.end - band.start).max().unwrap_or(0);
    let plan = plan.scratch(&moments, MOMENTS_WORDS * here.0 * largest, 4);
    bands.into_iter().enumerate().fold(plan, |plan, (index, band)| {
        let rows = band.end - band.start;
        let strip = Strip {
            scale,
            filter: FILTERS[scale],
            rows: band,
        };
        let (label, partials) = (moments_label(scale, index), sums_buffer(scale, index));
        let uniform = format!("{label}_strip");
        let groups = (here.0.div_ceil(NEIGHBOURS) * rows).div_ceil(SUMMED_GROUPS);
        let plan = plan
            .uniform(&uniform, &strip.words(here, settings))
            .output(&partials, 4 * groups, 8);
        let mut bindings = source(scale);
        bindings.extend([(binding::STRIP, uniform.clone()), (binding::MOMENTS, moments.clone())]);
        let plan = dispatch(
            plan,
            &label,
            "column_moments",
            bindings,
            filter_workgroups(here.0 * rows.div_ceil(NEIGHBOURS)),
        );
        let bindings = vec![
            (binding::STRIP, uniform),
            (binding::MOMENTS, moments.clone()),
            (binding::LOGARITHMS, "logarithms".to_owned()),
            (binding::PARTIALS, partials.clone()),
        ];
        dispatch(plan, &partials, "information", bindings, groups)
    })
}

pub(super) fn finish(
    shape: &ClipShape,
    settings: Settings,
    frame: usize,
    readback: &Readback,
) -> Result<Vec<Output>, KernelError> {
    let mut outputs = Vec::new();
    for scale in 0..SCALES {
        if scale == 0 && settings.skip_first {
            outputs.extend(reference::skipped(frame));
            continue;
        }
        let mut sums = Sums::default();
        for (index, _) in bands(size(shape, scale)).into_iter().enumerate() {
            let partials = readback.u64s(&sums_buffer(scale, index))?;
            for partial in partials.as_chunks::<4>().0 {
                let [kept, whole, flat_variance, flat] = partial.map(u64::cast_signed);
                sums.kept += kept;
                sums.whole += whole;
                sums.flat_variance += flat_variance;
                sums.flat += flat;
            }
        }
        outputs.extend(reference::scores(frame, scale, sums));
    }
    Ok(outputs)
}

/// What a dispatch covers of a level, and the filter that it applies.
struct Strip {
    /// The scale of the level.
    scale: usize,
    filter: &'static [u32],
    /// The rows of the result.
    rows: Range<u64>,
}

impl Strip {
    /// The words of the shader's uniform, for a level of `width` by `height` samples.
    fn words(&self, (width, height): (u64, u64), settings: Settings) -> Vec<u32> {
        let limit = settings.gain_limit.to_bits();
        let mut words = vec![
            width as u32,
            height as u32,
            self.scale as u32,
            (self.filter.len() / 2) as u32,
            self.rows.start as u32,
            (self.rows.end - self.rows.start) as u32,
            limit as u32,
            (limit >> 32) as u32,
        ];
        words.extend(self.filter);
        words.resize(8 + 5 * 4, 0);
        words
    }
}

/// Width and height of the level of `scale`, in samples.
fn size(shape: &ClipShape, scale: usize) -> (u64, u64) {
    let luma = &shape.planes[0];
    (u64::from(luma.width) >> scale, u64::from(luma.height) >> scale)
}

/// The rows of each band of a level of `width` by `height` samples.
pub(super) fn bands((width, height): (u64, u64)) -> Vec<Range<u64>> {
    let rows = (BINDING_BYTES / (4 * MOMENTS_WORDS) / width).max(1);
    let starts = (0..height).step_by(rows as usize);
    starts.map(|start| start..(start + rows).min(height)).collect()
}

const fn filter_workgroups(invocations: u64) -> u64 {
    invocations.div_ceil(FILTER_INVOCATIONS)
}

pub(super) fn columns_buffer(scale: usize) -> String {
    format!("columns_{scale}")
}

pub(super) fn level_buffer(scale: usize) -> String {
    format!("level_{scale}")
}

pub(super) fn moments_buffer(scale: usize) -> String {
    format!("moments_{scale}")
}

pub(super) fn moments_label(scale: usize, band: usize) -> String {
    format!("moments_{scale}_{band}")
}

pub(super) fn sums_buffer(scale: usize, band: usize) -> String {
    format!("sums_{scale}_{band}")
}

/// The bindings through which the shader reads the samples of `scale`. The first scale reads the clips alone, and is given
/// the next level to have all bindings.
fn source(scale: usize) -> Vec<(u32, String)> {
    vec![
        (binding::REFERENCE, "reference".to_owned()),
        (binding::DISTORTED, "distorted".to_owned()),
        (binding::PLANE, "plane".to_owned()),
        (binding::LEVEL, level_buffer(scale.max(1))),
    ]
}

fn dispatch(mut plan: Plan, label: &str, entry: &str, bindings: Vec<(u32, String)>, workgroups: u64) -> Plan {
    plan.steps.push(Step::Dispatch(Dispatch {
        label: label.to_owned(),
        module: "main".to_owned(),
        entry: entry.to_owned(),
        bindings: bindings.into_iter().collect(),
        constants: Default::default(),
        workgroups,
    }));
    plan
}

/// The table of logarithms, two to a word.
fn logarithms() -> Vec<u32> {
    let pairs = LOG2.as_chunks::<2>().0;
    pairs
        .iter()
        .map(|&[low, high]| u32::from(low) | u32::from(high) << 16)
        .collect()
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::plan::Role;

    use super::*;

    const DEFAULT: Settings = Settings {
        gain_limit: 100.0,
        skip_first: false,
    };

    fn shape(width: u32, height: u32) -> ClipShape {
        ClipShape::tight(Format::new(Layout::Yuv444, Depth::U16), width, height)
    }

    #[test]
    fn the_shader_holds_the_constants_of_the_reference_and_of_the_plan() {
        let source = include_str!("twin.wgsl");
        let epsilon = reference::EPSILON.to_bits();
        let constants = [
            format!("NOISE: u32 = {:#x}u;", reference::NOISE),
            format!("LOG_UNIT: u32 = {}u;", reference::LOG_UNIT),
            format!(
                "EPSILON: vec2<u32> = vec2<u32>({:#x}u, {:#x}u);",
                epsilon as u32,
                epsilon >> 32
            ),
            format!("FILTER_INVOCATIONS: u32 = {FILTER_INVOCATIONS}u;"),
            "INVOCATIONS: u32 = 16u;".to_owned(),
            format!("GROUPS_PER_INVOCATION: u32 = {}u;", SUMMED_GROUPS / 16),
        ];
        for constant in constants {
            assert!(source.contains(&format!("const {constant}")), "no `const {constant}`");
        }
    }

    #[test]
    fn bands_cover_all_rows_and_fit_a_binding() {
        for size in [(16, 16), (4160, 4096), (8192, 4320), (65_535, 200)] {
            let bands = bands(size);
            assert_eq!((bands[0].start, bands.last().unwrap().end), (0, size.1));
            assert!(bands.windows(2).all(|pair| pair[0].end == pair[1].start));
            let largest = bands.iter().map(|band| band.end - band.start).max().unwrap();
            assert!(largest * size.0 * 16 <= BINDING_BYTES);
        }
        assert_eq!(bands((8192, 4320)).len(), 5);
    }

    #[test]
    fn the_largest_frames_fit_their_bindings_and_a_gigabyte() {
        let plan = plan(&shape(8192, 4320), DEFAULT).unwrap();
        assert!(plan.buffers.values().all(|buffer| buffer.bytes <= BINDING_BYTES));
        assert!(plan.buffers.values().map(|buffer| buffer.bytes).sum::<u64>() < 1 << 30);
    }

    #[test]
    fn a_skipped_scale_is_neither_summed_nor_read() {
        let skipping = Settings {
            skip_first: true,
            ..DEFAULT
        };
        let plan = plan(&shape(64, 48), skipping).unwrap();
        let outputs: Vec<_> = plan
            .buffers
            .iter()
            .filter(|(_, buffer)| buffer.role == Role::Output)
            .collect();
        assert_eq!(outputs.len(), 3);
        let left = |bytes: u64| vec![1; bytes as usize];
        let readback = Readback {
            buffers: outputs
                .into_iter()
                .map(|(name, buffer)| (name.clone(), left(buffer.bytes)))
                .collect(),
        };
        let scores = finish(&shape(64, 48), skipping, 5, &readback).unwrap();
        assert_eq!(scores[..3], reference::skipped(5));
        assert_eq!(scores.len(), 12);
        assert!(finish(&shape(64, 48), DEFAULT, 5, &readback).is_err());
    }

    #[test]
    fn partial_sums_are_added_over_all_workgroups() {
        let shape = shape(40, 32);
        let sums = |scale: usize| {
            let quadruples = [[1 << 40, 2, 3, 4], [5, 6 << scale, 7, 8]];
            quadruples
                .concat()
                .iter()
                .flat_map(|sum: &u64| sum.to_le_bytes())
                .collect()
        };
        let readback = Readback {
            buffers: (0..SCALES).map(|scale| (sums_buffer(scale, 0), sums(scale))).collect(),
        };
        let expected = (0..SCALES).flat_map(|scale| {
            let sums = Sums {
                kept: (1 << 40) + 5,
                whole: 2 + (6 << scale),
                flat_variance: 10,
                flat: 12,
            };
            reference::scores(3, scale, sums)
        });
        assert!(finish(&shape, DEFAULT, 3, &readback).unwrap().into_iter().eq(expected));
    }

    #[test]
    fn every_stage_is_left_by_the_plan() {
        let input = isobit_fixtures::named("padded").unwrap();
        let input = input.input(Format::new(Layout::Yuv420, Depth::U8), 2).unwrap();
        let plan = plan(input.shape(), DEFAULT).unwrap();
        let stages = super::super::stages::stages(&input, DEFAULT, 1);
        assert_eq!(stages.len(), 3 * 2 + 4 * 2);
        for stage in stages {
            let part = plan.until(&stage.label, &stage.buffer);
            let bytes = part.unwrap().buffers[&stage.buffer].bytes;
            assert_eq!(bytes, stage.values.to_le_bytes().len() as u64, "{}", stage.label);
        }
    }
}
