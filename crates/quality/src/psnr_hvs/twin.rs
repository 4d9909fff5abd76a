//! The exact twin of `psnr_hvs`: coefficients, what blocks hide, and squared errors on the device; their running sum and the
//! decibels on the host.

use std::ops::Range;

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::reference::{self, Analysis, Blocks, Codes};
use super::weights::WEIGHTS;
use super::{KERNEL, Weights};
use crate::planes;

/// Blocks that are transformed at a time, which make 16 MiB of coefficients.
const BLOCKS_PER_BAND: u64 = 1 << 16;
/// Invocations of a workgroup of the shader.
const INVOCATIONS: u64 = 64;

const CLIPS: [&str; 2] = ["reference", "distorted"];

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    let chunks = ["samples", "grid", "seal", "divide", "square_root"];
    let module = planes::module_with(KERNEL.name, &chunks, include_str!("twin.wgsl"))?;
    // Planes and bands follow each other through the same scratch; that of the first plane, the largest, fits all.
    let largest = Blocks::new(&shape.planes[0])?.count().min(BLOCKS_PER_BAND);
    let mut plan = Plan::new(module).scratch("columns", 64 * largest, 4);
    for clip in CLIPS {
        plan = plan.scratch(&format!("coefficients_{clip}"), 64 * largest, 4).scratch(
            &format!("masking_{clip}"),
            largest,
            4,
        );
    }
    for (index, (plane, name)) in shape.planes.iter().zip(shape.format.layout.plane_names()).enumerate() {
        let blocks = Blocks::new(plane)?;
        let samples = planes::uniform(KERNEL.name, plane, shape.format.depth)?;
        plan = plan.constant(&format!("weights_{name}"), &words(&WEIGHTS[index]));
        for (clip, codes) in CLIPS.into_iter().enumerate() {
            plan = plan.input(&format!("{codes}_{name}"), clip, index, plane.bytes());
        }
        for band in bands(blocks) {
            let numbers = numbers(blocks, band);
            let count = numbers.end - numbers.start;
            let place = [blocks.across, numbers.start as u32, count as u32, 0];
            plan = plan.uniform(&format!("band_{name}_{band}"), [samples, place].as_flattened());
            plan = transform(plan, &format!("{name}_{band}"), name, count);
        }
    }
    Ok(plan)
}

/// The dispatches of a band of `count` blocks of plane `name`.
fn transform(mut plan: Plan, place: &str, name: &str, count: u64) -> Plan {
    let uniform = format!("band_{place}");
    let weights = format!("weights_{name}");
    for clip in CLIPS {
        let buffer = |prefix: &str| format!("{prefix}_{clip}");
        let (codes, coefficients, masking) = (format!("{clip}_{name}"), buffer("coefficients"), buffer("masking"));
        let label = |stage: &str| format!("{stage}_{clip}_{place}");
        plan = plan
            .dispatch_as(
                &label("columns"),
                "transform_columns",
                &[&uniform, &codes, "columns"],
                (8 * count).div_ceil(INVOCATIONS),
            )
            .dispatch_as(
                &label("coefficients"),
                "transform_rows",
                &[&uniform, "columns", &coefficients],
                (8 * count).div_ceil(INVOCATIONS),
            )
            .dispatch_as(
                &label("masking"),
                "masking",
                &[&uniform, &codes, &coefficients, &weights, &masking],
                count.div_ceil(INVOCATIONS),
            );
    }
    let terms = format!("terms_{place}");
    plan.output(&terms, 64 * count, 4).dispatch_as(
        &terms,
        "terms",
        &[
            &uniform,
            "coefficients_reference",
            "coefficients_distorted",
            &weights,
            "masking_reference",
            "masking_distorted",
            &terms,
        ],
        (64 * count).div_ceil(INVOCATIONS),
    )
}

/// The bands of a plane, by number.
const fn bands(blocks: Blocks) -> Range<u64> {
    0..blocks.count().div_ceil(BLOCKS_PER_BAND)
}

/// The numbers of the blocks of a band.
fn numbers(blocks: Blocks, band: u64) -> Range<u64> {
    let first = band * BLOCKS_PER_BAND;
    first..blocks.count().min(first + BLOCKS_PER_BAND)
}

/// Of each coefficient in turn the sensitivity, the weight for masking, and the reciprocal of the weight's significand.
fn words(weights: &Weights) -> Vec<u32> {
    let pairs = weights.sensitivity.iter().zip(&weights.masking);
    pairs
        .flat_map(|(sensitivity, masking)| {
            let significand = f32::from_bits(masking.to_bits() & 0x007f_ffff | 0x3f80_0000);
            [*sensitivity, *masking, 1.0 / significand].map(f32::to_bits)
        })
        .collect()
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let mut errors = [0.0; 3];
    for ((error, plane), name) in errors
        .iter_mut()
        .zip(&shape.planes)
        .zip(shape.format.layout.plane_names())
    {
        let blocks = Blocks::new(plane)?;
        let mut sum = 0.0;
        for band in bands(blocks) {
            sum = reference::running_sum(sum, &readback.f32s(&format!("terms_{name}_{band}"))?);
        }
        *error = reference::mean(sum, blocks, shape.format.depth);
    }
    Ok(reference::scores(frame, errors).into())
}

/// Coefficients and masking of each clip, then the terms, band by band; one row a block.
pub(super) fn stages(input: &Input, frame: usize) -> Result<Vec<Stage>, KernelError> {
    let shape = input.shape();
    let mut stages = Vec::new();
    for (index, (plane, name)) in shape.planes.iter().zip(shape.format.layout.plane_names()).enumerate() {
        let blocks = Blocks::new(plane)?;
        let weights = &WEIGHTS[index];
        let codes = [0, 1].map(|clip| Codes::new(input.plane(clip, frame, index)));
        for band in bands(blocks) {
            let [reference, distorted] = [0, 1].map(|clip: usize| -> Vec<Analysis> {
                let block = |number| Analysis::new(&codes[clip].block(blocks, number), weights);
                numbers(blocks, band).map(block).collect()
            });
            let stage = |label: &str, buffer: &str, width, values| {
                Stage::new(format!("{label}_{name}_{band}"), buffer, width, values)
            };
            for (clip, analyses) in CLIPS.into_iter().zip([&reference, &distorted]) {
                let coefficients = analyses.iter().flat_map(|analysis| analysis.coefficients);
                let coefficients = Values::U32(coefficients.map(i32::cast_unsigned).collect());
                let masking = Values::F32(analyses.iter().map(|analysis| analysis.masking).collect());
                for (stem, width, values) in [("coefficients", 64, coefficients), ("masking", 1, masking)] {
                    let buffer = format!("{stem}_{clip}");
                    stages.push(stage(&buffer, &buffer, width, values));
                }
            }
            let pairs = reference.iter().zip(&distorted);
            let terms = Values::F32(pairs.flat_map(|(r, d)| reference::terms(r, d, weights)).collect());
            stages.push(stage("terms", &format!("terms_{name}_{band}"), 64, terms));
        }
    }
    Ok(stages)
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::plan::Role;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_large_fixture_has_several_bands_and_8k_fits_in_3_gb() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 4160, 4096);
        assert_eq!(
            shape
                .planes
                .iter()
                .map(|plane| bands(Blocks::new(plane).unwrap()).end)
                .collect::<Vec<_>>(),
            [6, 2, 2]
        );

        let shape = ClipShape::tight(Format::new(Layout::Yuv444, Depth::U12), 8192, 4320);
        let plan = plan(&shape).unwrap();
        assert!(plan.buffers.values().all(|buffer| buffer.bytes <= 128 << 20));
        assert!(plan.buffers.values().map(|buffer| buffer.bytes).sum::<u64>() < 3 << 30);
        let terms = plan.buffers.values().filter(|buffer| buffer.role == Role::Output);
        assert_eq!(terms.map(|buffer| buffer.bytes).sum::<u64>(), 3 * 1170 * 617 * 64 * 4);
    }

    #[test]
    fn the_shader_spells_the_factors_of_variances_as_f32() {
        let source = include_str!("twin.wgsl");
        for factor in [64.0_f32 / 63.0, 16.0 / 15.0] {
            assert!(source.contains(&format!(", {factor:?})")), "{factor:?}");
        }
    }

    /// The steps of `threshold` of the shader.
    fn threshold(masking: f32, weight: f32, reciprocal: f32) -> f32 {
        let (x, y) = (masking.to_bits(), weight.to_bits());
        let (p, q) = (x & 0x007f_ffff | 0x0080_0000, y & 0x007f_ffff | 0x0080_0000);
        let estimate = (f32::from_bits(p + 0x3f00_0000) * reciprocal).to_bits();
        let below_one = u32::from(p < q);
        let mut quotient = estimate - [0x3f00_0000, 0x3e80_0000][below_one as usize] - 4;
        let mut rest = (p << (23 + below_one)).wrapping_sub(quotient.wrapping_mul(q));
        for step in [4, 2, 1] {
            if rest >= step * q {
                quotient += step;
                rest -= step * q;
            }
        }
        assert!(rest < q);
        let exponent = (x >> 23).wrapping_sub(y >> 23).wrapping_add(126 - below_one);
        f32::from_bits((exponent << 23) + quotient + u32::from(2 * rest > q))
    }

    proptest! {
        #[test]
        fn a_threshold_is_a_quotient_rounded_once(masking in 1e-12_f32..1e6, significand in 0u32..1 << 23) {
            for weights in WEIGHTS {
                for weight in words(&weights).chunks_exact(3) {
                    let [weight, reciprocal] = [1, 2].map(|at: usize| f32::from_bits(weight[at]));
                    for masking in [masking, f32::from_bits(significand | 0x3f80_0000)] {
                        prop_assert_eq!(threshold(masking, weight, reciprocal), masking / weight);
                    }
                }
            }
        }
    }

    #[test]
    fn stages_are_those_of_the_plan() {
        let format = Format::new(Layout::Yuv420, Depth::U8);
        let input = isobit_fixtures::named("odd").unwrap().input(format, 2).unwrap();
        let plan = plan(input.shape()).unwrap();
        let stages = stages(&input, 0).unwrap();
        assert_eq!(stages.len(), 3 * 5);
        for stage in stages {
            let part = plan.until(&stage.label, &stage.buffer).unwrap();
            assert!(
                part.buffers[&stage.buffer].bytes >= stage.values.to_le_bytes().len() as u64,
                "{}",
                stage.label
            );
        }
    }

    #[test]
    fn terms_are_added_in_order_over_the_bands_of_each_plane() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 4160, 4096);
        let words = |terms: &[f32]| terms.iter().flat_map(|term| term.to_le_bytes()).collect();
        let readback = Readback {
            buffers: [
                ("terms_y_0".to_owned(), words(&[1.0, 33_554_432.0])),
                ("terms_y_1".to_owned(), words(&[2.0, 2.0])),
                ("terms_y_2".to_owned(), words(&[4.0])),
                ("terms_y_3".to_owned(), words(&[])),
                ("terms_y_4".to_owned(), words(&[])),
                ("terms_y_5".to_owned(), words(&[0.0])),
                ("terms_cb_0".to_owned(), words(&[6.0])),
                ("terms_cb_1".to_owned(), words(&[0.0])),
                ("terms_cr_0".to_owned(), words(&[])),
                ("terms_cr_1".to_owned(), words(&[])),
            ]
            .into(),
        };
        let mean = |sum, plane: usize| reference::mean(sum, Blocks::new(&shape.planes[plane]).unwrap(), Depth::U8);
        let errors = [mean(33_554_436.0, 0), mean(6.0, 1), mean(0.0, 2)];
        assert_eq!(finish(&shape, 5, &readback).unwrap(), reference::scores(5, errors));
        assert!(finish(&shape, 5, &Readback::default()).is_err());
    }
}
