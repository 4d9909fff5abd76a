//! The exact twin of `adm`: the scales one after another, each down to sums over its rows.

use std::ops::Range;

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::stage::Stage;
use isobit_exact::samples::sample_plane;

use super::csf::{self, Weights};
use super::parameters::{Parameters, unsupported};
use super::reference::{
    self, COS_1DEG_SQUARED, Rows, SCALES, Size, ceil_log2, cube_shifts, denominator_square_shift, interior, margin,
    shifts,
};
use super::{KERNEL, scores};
use crate::planes;

/// Coefficients of a workgroup, in all entry points but those that sum rows.
const INVOCATIONS: usize = 64;
/// The pictures, by clip.
const CLIPS: [&str; 2] = ["reference", "distorted"];
/// The sums of rows: the fields of [`Rows`].
const ROWS: [&str; 3] = ["denominator", "numerator", "impairment"];

pub(super) fn plan(shape: &ClipShape, options: &Options) -> Result<Plan, KernelError> {
    let parameters = Parameters::new(options)?;
    let weights = csf::weights(&parameters)?;
    let chunks = ["wide", "samples", "grid", "soft", "soft64"];
    let mut plan = Plan::new(planes::module_with(KERNEL.name, &chunks, include_str!("twin.wgsl"))?);

    let luma = &shape.planes[0];
    let mut pictures = CLIPS.map(str::to_owned);
    for (clip, picture) in CLIPS.iter().enumerate() {
        plan = plan.input(picture, clip, 0, luma.bytes());
    }
    let mut picture_words = planes::uniform(KERNEL.name, luma, shape.format.depth)?;
    for (scale, size) in scores::sizes(shape).into_iter().enumerate() {
        plan = plan
            .uniform(
                &named("scale", scale),
                &uniform(scale, size, shape, &parameters, &weights[scale]),
            )
            .uniform(&named("picture", scale), &picture_words);
        plan = decompose(plan, scale, size, &pictures);
        plan = compare(plan, scale, size);

        pictures = CLIPS.map(|clip| named(&format!("{clip}_approximation"), scale));
        picture_words = sample_plane(size.width as u32, size.height as u32, 4 * size.width, 32)
            .ok_or_else(|| unsupported(format!("scale {scale} takes more than 2^31 bytes")))?;
    }
    Ok(plan)
}

/// The name of a buffer or a stage of a scale.
fn named(name: &str, scale: usize) -> String {
    format!("{name}_{scale}")
}

/// Adds the coefficients of both pictures.
fn decompose(mut plan: Plan, scale: usize, size: Size, pictures: &[String; 2]) -> Plan {
    for (clip, picture) in CLIPS.iter().zip(pictures) {
        let [approximation, details] = ["approximation", "details"].map(|part| named(&format!("{clip}_{part}"), scale));
        plan = plan
            .scratch(&approximation, size.samples(), 4)
            .scratch(&details, 3 * size.samples(), 4)
            .dispatch_as(
                &named(&format!("decompose_{clip}"), scale),
                "decompose",
                &[
                    &named("scale", scale),
                    &named("picture", scale),
                    picture,
                    &approximation,
                    &details,
                ],
                workgroups(size),
            );
    }
    plan
}

/// Adds all that follows from the coefficients.
fn compare(mut plan: Plan, scale: usize, size: Size) -> Plan {
    let named = |name: &str| named(name, scale);
    let uniform = named("scale");
    let [reference, distorted, restored, additive] =
        ["reference", "distorted", "restored", "additive"].map(|part| named(&format!("{part}_details")));
    let [restored_mask, additive_mask] = ["restored_mask", "additive_mask"].map(named);
    let [denominator, numerator, impairment] = ROWS.map(named);

    plan = plan
        .scratch(&restored, 3 * size.samples(), 4)
        .scratch(&additive, 3 * size.samples(), 4)
        .dispatch_as(
            &named("decouple"),
            "decouple",
            &[&uniform, &reference, &distorted, &restored, &additive],
            workgroups(size),
        );
    for (mask, details) in [(&restored_mask, &restored), (&additive_mask, &additive)] {
        let bindings = [uniform.as_str(), details, mask];
        plan = plan
            .scratch(mask, 2 * size.samples(), 4)
            .dispatch_as(mask, "mask", &bindings, workgroups(size));
    }
    let rows = interior(size.height).len() as u64;
    plan = plan.output(&denominator, 3 * rows, 8).dispatch_as(
        &denominator,
        "cubes",
        &[&uniform, &reference, &denominator],
        rows,
    );
    for (sums, details, mask) in [
        (&numerator, &restored, &additive_mask),
        (&impairment, &additive, &restored_mask),
    ] {
        let bindings = [uniform.as_str(), details, sums, mask];
        plan = plan
            .output(sums, 3 * rows, 8)
            .dispatch_as(sums, "visible_cubes", &bindings, rows);
    }
    plan
}

const fn workgroups(size: Size) -> u64 {
    size.samples().div_ceil(INVOCATIONS as u64)
}

/// The words of the shader's `Scale`.
fn uniform(scale: usize, size: Size, shape: &ClipShape, parameters: &Parameters, weights: &Weights) -> [u32; 32] {
    let depth = shape.format.depth;
    let range = |range: Range<usize>| [range.start as u32, range.end as u32];
    let double = |number: f64| [number.to_bits() as u32, (number.to_bits() >> 32) as u32];
    let middle = if scale == 0 { 1 << (depth.bits() - 1) } else { 0 };
    let cubes = cube_shifts(scale, size.width);
    let denominator =
        denominator_square_shift(scale).map_or([0, 0], |square| [square, ceil_log2(interior(size.width).len())]);
    let mut words = [0; 32];
    for (at, values) in [
        (0, [size.width as u32, size.height as u32].as_slice()),
        (2, &range(margin(size.width))),
        (4, &range(margin(size.height))),
        (6, &range(interior(size.width))),
        (8, &range(interior(size.height))),
        (10, &shifts(scale, depth)),
        (12, &double(parameters.enhn_gain_limit)),
        (14, &[middle, scale as u32]),
        (16, &weights.fixed),
        (20, &cubes.map(|shifts| shifts[0])),
        (24, &cubes.map(|shifts| shifts[1])),
        (28, &denominator),
        (30, &double(f64::from(COS_1DEG_SQUARED))),
    ] {
        words[at..][..values.len()].copy_from_slice(values);
    }
    words
}

pub(super) fn finish(
    shape: &ClipShape,
    options: &Options,
    frame: usize,
    readback: &Readback,
) -> Result<Vec<Output>, KernelError> {
    let parameters = Parameters::new(options)?;
    let weights = csf::weights(&parameters)?;
    let mut rows: [Rows; SCALES] = Default::default();
    for (scale, rows) in rows.iter_mut().enumerate() {
        let sums = |name| {
            Ok::<_, KernelError>(
                readback
                    .u64s(&named(name, scale))?
                    .chunks_exact(3)
                    .map(|row| [row[0], row[1], row[2]])
                    .collect::<Vec<_>>(),
            )
        };
        let signed =
            |name| Ok::<_, KernelError>(sums(name)?.into_iter().map(|row| row.map(u64::cast_signed)).collect());
        *rows = Rows {
            denominator: sums(ROWS[0])?,
            numerator: signed(ROWS[1])?,
            impairment: signed(ROWS[2])?,
        };
    }
    Ok(scores::outputs(frame, shape, &parameters, &weights, &rows))
}

/// What the reference holds after each dispatch.
pub(super) fn stages(input: &Input, options: &Options, frame: usize) -> Result<Vec<Stage>, KernelError> {
    let parameters = Parameters::new(options)?;
    let weights = csf::weights(&parameters)?;
    let mut stages = Vec::new();
    for (scale, left) in reference::stages(input, frame, &parameters, &weights)
        .into_iter()
        .enumerate()
    {
        let mut stage = |label: &str, buffer: &str, width: usize, values: Values| {
            let [label, buffer] = [label, buffer].map(|name| named(name, scale));
            stages.push(Stage::new(label, buffer, width as u32, values));
        };
        let width = left.size.width;
        for (clip, bands) in CLIPS.iter().zip([&left.reference, &left.distorted]) {
            let label = format!("decompose_{clip}");
            stage(
                &label,
                &format!("{clip}_approximation"),
                width,
                words(&[&bands.approximation]),
            );
            stage(
                &label,
                &format!("{clip}_details"),
                width,
                words(&bands.details.each_ref().map(Vec::as_slice)),
            );
        }
        for (part, details) in [
            ("restored", &left.decoupled.restored),
            ("additive", &left.decoupled.additive),
        ] {
            let details = details.each_ref().map(Vec::as_slice);
            stage("decouple", &format!("{part}_details"), width, words(&details));
        }
        for (name, mask) in [
            ("restored_mask", &left.restored_mask),
            ("additive_mask", &left.additive_mask),
        ] {
            stage(name, name, width, words(&[&mask.around, &mask.within]));
        }
        let unsigned = |rows: &[[i64; 3]]| rows.as_flattened().iter().map(|sum| sum.cast_unsigned()).collect();
        for (name, sums) in ROWS.iter().zip([
            left.rows.denominator.as_flattened().to_vec(),
            unsigned(&left.rows.numerator),
            unsigned(&left.rows.impairment),
        ]) {
            stage(name, name, 3, Values::U64(sums));
        }
    }
    Ok(stages)
}

/// Planes one behind the other.
fn words(planes: &[&[i32]]) -> Values {
    Values::U32(planes.concat().into_iter().map(i32::cast_unsigned).collect())
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::plan::Role;

    use super::*;

    /// What every adapter binds at once.
    const BINDING: u64 = 128 << 20;

    fn plan_of(width: u32, height: u32) -> Plan {
        let shape = ClipShape::tight(Format::new(Layout::Yuv444, Depth::U16), width, height);
        plan(&shape, &KERNEL.options).unwrap()
    }

    #[test]
    fn a_picture_of_8192_by_4320_fits_any_binding_and_3_gb() {
        let buffers = plan_of(8192, 4320).buffers;
        assert!(buffers.values().all(|buffer| buffer.bytes <= BINDING));
        assert!(buffers.values().map(|buffer| buffer.bytes).sum::<u64>() < 3_000_000_000);
    }

    #[test]
    fn workgroups_are_as_large_as_the_plan_counts_on() {
        let size = format!("const INVOCATIONS: u32 = {INVOCATIONS}u;");
        assert!(include_str!("twin.wgsl").contains(&size));
    }

    /// One unit in the last of these digits is too little for any score to show.
    #[test]
    fn the_shader_has_the_constants_of_the_reference() {
        let [finest, others] = reference::SHARES;
        let vector = |taps: [i64; 4]| format!("vec4<i32>({}, {}, {}, {});", taps[0], taps[1], taps[2], taps[3]);
        for text in [
            format!("const LOW: vec4<i32> = {}", vector(reference::LOW)),
            format!("const HIGH: vec4<i32> = {}", vector(reference::HIGH)),
            format!("({}u * magnitude + 2048u)", finest[0]),
            format!("({}u * magnitude + 2048u)", finest[1]),
            format!("share({}u, magnitude), share({}u, magnitude)", others[0], others[1]),
        ] {
            assert!(include_str!("twin.wgsl").contains(&text), "{text}");
        }
    }

    #[test]
    fn sums_of_rows_are_read_by_scale_and_band() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 64, 48);
        let mut readback = Readback::default();
        let mut rows: [Rows; SCALES] = Default::default();
        for (scale, (rows, size)) in rows.iter_mut().zip(scores::sizes(&shape)).enumerate() {
            let seed = (scale as u64 + 1) << 40;
            let sums: Vec<_> = (0..interior(size.height).len() as u64)
                .map(|row| [0, 1, 2].map(|band| seed + 1_000_000 * row + (band << 33)))
                .collect();
            *rows = Rows {
                numerator: sums.iter().map(|row| row.map(|sum| (sum / 3) as i64)).collect(),
                impairment: sums.iter().map(|row| row.map(|sum| -((sum / 5) as i64))).collect(),
                denominator: sums,
            };
            let bytes = |sums: Vec<u64>| sums.into_iter().flat_map(u64::to_le_bytes).collect::<Vec<u8>>();
            let signed = |sums: &[[i64; 3]]| bytes(sums.as_flattened().iter().map(|sum| sum.cast_unsigned()).collect());
            for (name, bytes) in ROWS.iter().zip([
                bytes(rows.denominator.as_flattened().to_vec()),
                signed(&rows.numerator),
                signed(&rows.impairment),
            ]) {
                readback.buffers.insert(named(name, scale), bytes);
            }
        }
        let parameters = Parameters::new(&KERNEL.options).unwrap();
        let weights = csf::weights(&parameters).unwrap();
        let bits = |outputs: Vec<Output>| {
            outputs
                .iter()
                .map(|output| output.values.get(0).bits)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            bits(finish(&shape, &KERNEL.options, 3, &readback).unwrap()),
            bits(scores::outputs(3, &shape, &parameters, &weights, &rows))
        );
        assert!(finish(&shape, &KERNEL.options, 3, &Readback::default()).is_err());
    }

    #[test]
    fn every_stage_is_a_buffer_that_its_dispatch_leaves() {
        let format = Format::new(Layout::Yuv420, Depth::U8);
        let input = isobit_fixtures::named("padded").unwrap().input(format, 2).unwrap();
        let plan = plan(input.shape(), &KERNEL.options).unwrap();
        let stages = stages(&input, &KERNEL.options, 1).unwrap();
        assert_eq!(stages.len(), SCALES * 11);
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
}
