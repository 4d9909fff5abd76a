//! The exact twin of `ssim`: for each band of rows one dispatch for the moments in rows, and one for the terms of windows.

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input, PlaneShape};
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::KERNEL;
use super::bands::{Band, bands};
use super::reference::{Moments, RADIUS, TAPS, row_moments, score, stabilisers, terms, weighed, weights};
use crate::planes;

/// Samples of a row or of a column that an invocation takes, one after the other: `RUN` of the shader.
const RUN: u32 = 32;
/// Runs that a workgroup takes: `INVOCATIONS` of the shader.
const INVOCATIONS: u64 = 64;
/// Words of the moments in rows: the first ones, and the second ones with their high bytes in one word.
const ROWS: [(&str, u64); 2] = [("row_firsts", 2), ("row_seconds", 4)];
/// Words of a `Weight` of the shader.
const WEIGHT: usize = 12;

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    let luma = &shape.planes[0];
    let samples = |rows: u32| u64::from(rows) * u64::from(luma.width);
    let row_runs = |rows: u32| u64::from(rows) * u64::from(luma.width.div_ceil(RUN));
    let column_runs = |rows: u32| samples(rows.div_ceil(RUN));
    let mut plan = Plan::new(planes::module(KERNEL.name, include_str!("twin.wgsl"))?)
        .input("reference", 0, 0, luma.bytes())
        .input("distorted", 1, 0, luma.bytes())
        .uniform("plane", &planes::uniform(KERNEL.name, luma, shape.format.depth)?)
        .constant("weights", &weight_words(luma, stabilisers(shape.format.depth)));
    let bands = bands(luma);
    // Every band overwrites what the one before it left in rows.
    let held = bands.iter().map(|band| samples(band.bottom - band.top)).max();
    for (name, words) in ROWS {
        plan = plan.scratch(name, words * held.unwrap_or(0), 4);
    }
    let [row_firsts, row_seconds] = ROWS.map(|(name, _)| name);
    for (index, band) in bands.iter().enumerate() {
        let [uniform, rows, terms] = names(index);
        plan = plan
            .uniform(&uniform, &words(band, luma.height))
            .output(&terms, samples(band.end - band.first), 8)
            .dispatch_as(
                &rows,
                "rows",
                &["plane", &uniform, "reference", "distorted", row_firsts, row_seconds],
                row_runs(band.bottom - band.top).div_ceil(INVOCATIONS),
            )
            .dispatch_as(
                &terms,
                "windows",
                &["plane", &uniform, row_firsts, row_seconds, "weights", &terms],
                column_runs(band.end - band.first).div_ceil(INVOCATIONS),
            );
    }
    Ok(plan)
}

/// What belongs to band `index`: its uniform, its first dispatch, and its second with the output of the same name.
fn names(index: usize) -> [String; 3] {
    ["band", "rows", "terms"].map(|name| format!("{name}_{index}"))
}

/// The words of the uniform `Band`: its rows, the rows of the plane, and, from a whole vector on, the taps up to the centre.
fn words(band: &Band, height: u32) -> [u32; 16] {
    let &Band {
        first,
        end,
        top,
        bottom,
    } = band;
    let mut words = [0; 16];
    words[..5].copy_from_slice(&[first, end, top, bottom, height]);
    words[8..][..=RADIUS].copy_from_slice(&TAPS[..=RADIUS]);
    words
}

/// The words of the `weights`: an entry for each number of samples on the shorter side of a window, down and then across. No
/// window of the plane has the entries for more than there are.
fn weight_words(luma: &PlaneShape, stabilisers: [f64; 2]) -> Vec<u32> {
    let sides = |length: u32| -> Vec<u32> {
        let weights: Vec<u32> = weights(length.min(TAPS.len() as u32)).collect();
        (0..=RADIUS)
            .map(|side| weights.get(side).copied().unwrap_or(0))
            .collect()
    };
    let entry = |weight: u32| -> [u32; WEIGHT] {
        let [[a, b, c], [d, e, f]] = weighed(stabilisers, weight).map(fixed);
        // As 2^exponent times a number of 63 bits, which begin in bit 30 of the high word.
        let zeros = weight.leading_zeros().saturating_sub(1);
        let exponent = zeros.wrapping_neg().wrapping_sub(32);
        [a, b, c, weight, d, e, f, exponent, weight << zeros, 0, 0, 0]
    };
    let across = sides(luma.width);
    let down = sides(luma.height).into_iter();
    let weights = down.flat_map(|down| across.iter().map(move |across| down * across));
    weights.flat_map(entry).collect()
}

/// A number from 0 to 2^64 in units of 2^-32, the low word first; a weighed stabiliser is a whole number of them.
fn fixed(c: f64) -> [u32; 3] {
    let units = (c * f64::from(1 << 16) * f64::from(1 << 16)) as u128;
    [units as u32, (units >> 32) as u32, (units >> 64) as u32]
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let luma = &shape.planes[0];
    let mut terms = Vec::with_capacity(luma.samples() as usize);
    for index in 0..bands(luma).len() {
        let [.., buffer] = names(index);
        terms.extend(readback.u64s(&buffer)?.into_iter().map(f64::from_bits));
    }
    Ok(vec![score(frame, terms, luma)])
}

/// The moments in rows and the terms of windows, band by band.
pub(super) fn stages(input: &Input, frame: usize) -> Vec<Stage> {
    let (reference, distorted) = (input.plane(0, frame, 0), input.plane(1, frame, 0));
    let luma = reference.shape();
    let all = terms(reference, distorted, input.shape().format.depth);
    let mut stages = Vec::new();
    for (index, band) in bands(&luma).into_iter().enumerate() {
        let [_, rows_label, terms_label] = names(index);
        let mut stage = |label: &str, buffer: &str, elements: u32, values| {
            stages.push(Stage::new(label, buffer, luma.width * elements, values));
        };
        let rows = (band.top..band.bottom).flat_map(|y| row_moments(reference, distorted, y));
        let rows: Vec<_> = rows.collect();
        let [firsts, seconds] = ROWS.map(|(name, _)| name);
        stage(
            &rows_label,
            firsts,
            2,
            Values::U32(rows.iter().flat_map(|row| [row.x, row.y]).collect()),
        );
        stage(
            &rows_label,
            seconds,
            4,
            Values::U32(rows.iter().flat_map(packed).collect()),
        );
        let row = |y: u32| y as usize * luma.width as usize;
        let terms = all[row(band.first)..row(band.end)].to_vec();
        stage(&terms_label, &terms_label, 1, Values::F64(terms));
    }
    stages
}

/// The words of second moments in a row, which are below 2^40.
fn packed(row: &Moments) -> [u32; 4] {
    let &Moments { xx, xy, yy, .. } = row;
    let high = |moment: u64| (moment >> 32) as u32;
    [
        xx as u32,
        xy as u32,
        yy as u32,
        high(xx) | (high(xy) << 8) | (high(yy) << 16),
    ]
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::plan::Role;

    use super::*;

    #[test]
    fn the_terms_of_all_bands_are_one_plane() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 400_000, 4);
        let row = |y: usize| move |x: u32| f64::from(x % 256) + 1e-3 * y as f64;
        let terms: Vec<f64> = (0..4).flat_map(|y| (0..400_000).map(row(y))).collect();
        let bytes = |terms: &[f64]| terms.iter().flat_map(|term| term.to_le_bytes()).collect();
        let buffers = terms.chunks(800_000).enumerate().map(|(index, terms)| {
            let [.., name] = names(index);
            (name, bytes(terms))
        });
        let readback = Readback {
            buffers: buffers.collect(),
        };
        assert_eq!(
            finish(&shape, 1, &readback).unwrap(),
            [score(1, terms, &shape.planes[0])]
        );
        assert!(finish(&shape, 1, &Readback::default()).is_err());
    }

    #[test]
    fn the_weight_of_a_window_is_that_of_its_shorter_sides() {
        for (width, height) in [(1, 1), (2, 8), (9, 10), (30, 7)] {
            let luma = PlaneShape::tight(width, height, Depth::U8);
            let words = weight_words(&luma, stabilisers(Depth::U8));
            let entries = words.as_chunks::<WEIGHT>().0;
            assert_eq!(entries.len(), 25);
            let side = |place: u32, length: u32| place.min(length - 1 - place).min(4) as usize;
            for (y, down) in (0..).zip(weights(height)) {
                for (x, across) in (0..).zip(weights(width)) {
                    let entry = entries[5 * side(y, height) + side(x, width)];
                    assert_eq!(entry[3], down * across, "{width}x{height}: {x}, {y}");
                    assert!(entry[8] >> 30 == 1);
                    let exponent = entry[7].cast_signed() + 32;
                    assert_eq!(f64::from(entry[8]) * 2f64.powi(exponent), f64::from(entry[3]));
                }
            }
        }
    }

    /// Of all weighed stabilisers, those of a single sample at 8 bits have the most bits below the point.
    #[test]
    fn weighed_stabilisers_are_whole_numbers_of_units() {
        let least = weights(1).next().unwrap();
        for depth in Depth::INTEGER {
            for weight in [least * least, least * 256, 256 * 256] {
                for c in weighed(stabilisers(depth), weight) {
                    let [low, middle, high] = fixed(c).map(f64::from);
                    assert_eq!(
                        (high * 2f64.powi(32) + middle) + low * 2f64.powi(-32),
                        c,
                        "{depth}: {weight}"
                    );
                }
            }
        }
    }

    #[test]
    fn stages_are_those_of_the_plan() {
        let fixture = isobit_fixtures::named("padded").unwrap();
        let input = fixture.input(Format::new(Layout::Yuv420, Depth::U16), 2).unwrap();
        let plan = plan(input.shape()).unwrap();
        let stages = stages(&input, 1);
        assert_eq!(stages.len(), 3);
        for stage in stages {
            let part = plan.until(&stage.label, &stage.buffer).unwrap();
            let bytes = stage.values.to_le_bytes().len();
            assert_eq!(part.buffers[&stage.buffer].bytes, bytes as u64, "{}", stage.buffer);
        }
    }

    #[test]
    fn the_shader_divides_a_band_as_the_plan_does() {
        let source = include_str!("twin.wgsl");
        for (name, value) in [
            ("RUN", u64::from(RUN)),
            ("INVOCATIONS", INVOCATIONS),
            ("RADIUS", RADIUS as u64),
        ] {
            assert!(source.contains(&format!("const {name}: u32 = {value}u;")), "{name}");
        }
    }

    /// What is read back of both runs of a frame shares one allocation, which software adapters limit to 1 GiB.
    #[test]
    fn a_plane_of_8k_fits_the_bindings_and_allocations_of_every_device() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv444, Depth::U16), 8192, 4320);
        let plan = plan(&shape).unwrap();
        let sizes = plan.buffers.values().map(|buffer| buffer.bytes);
        assert!(sizes.clone().max() <= Some(128 << 20));
        assert!(sizes.sum::<u64>() < 1 << 29);
        let outputs = plan.buffers.values().filter(|buffer| buffer.role == Role::Output);
        assert!(outputs.map(|buffer| buffer.bytes).sum::<u64>() < 300 << 20);
    }
}
