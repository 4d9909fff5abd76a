//! The exact twin of `ssim`: for each band of rows one dispatch for the moments in rows, and one for those of windows.

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::KERNEL;
use super::bands::{Band, bands};
use super::reference::{Moments, RADIUS, TAPS, each_row, row_moments, score, stabilisers, term, weights};
use crate::planes;

/// Samples of a row or of a column that an invocation takes, one after the other: `RUN` of the shader.
const RUN: u32 = 8;
/// Runs that a workgroup takes: `INVOCATIONS` of the shader.
const INVOCATIONS: u64 = 64;
/// Names and elements of a row's moments: pairs of first ones, and second ones in 64 bits.
const ROWS: [(&str, u64, u32); 4] = [
    ("row_pairs", 2, 4),
    ("row_xx", 1, 8),
    ("row_xy", 1, 8),
    ("row_yy", 1, 8),
];
/// Words of a window's second moments, which are below 2^48: the low words, then the high ones, the first two in one.
const SECONDS: usize = 5;

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    let luma = &shape.planes[0];
    let samples = |rows: u32| u64::from(rows) * u64::from(luma.width);
    let row_runs = |rows: u32| u64::from(rows) * u64::from(luma.width.div_ceil(RUN));
    let column_runs = |rows: u32| samples(rows.div_ceil(RUN));
    let mut plan = Plan::new(planes::module(KERNEL.name, include_str!("twin.wgsl"))?)
        .input("reference", 0, 0, luma.bytes())
        .input("distorted", 1, 0, luma.bytes())
        .uniform("plane", &planes::uniform(KERNEL.name, luma, shape.format.depth)?);
    let bands = bands(luma);
    // Every band overwrites what the one before it left in rows.
    let held = bands.iter().map(|band| samples(band.bottom - band.top)).max();
    for (name, count, element) in ROWS {
        plan = plan.scratch(name, count * held.unwrap_or(0), element);
    }
    let [row_pairs, row_xx, row_xy, row_yy] = ROWS.map(|(name, ..)| name);
    for (index, band) in bands.iter().enumerate() {
        let [uniform, rows, windows, pairs, seconds] = names(index);
        let outputs = samples(band.end - band.first);
        plan = plan
            .uniform(&uniform, &words(band, luma.height))
            .output(&pairs, 2 * outputs, 4)
            .output(&seconds, SECONDS as u64 * outputs, 4)
            .dispatch_as(
                &rows,
                "rows",
                &[
                    "plane",
                    &uniform,
                    "reference",
                    "distorted",
                    row_pairs,
                    row_xx,
                    row_xy,
                    row_yy,
                ],
                row_runs(band.bottom - band.top).div_ceil(INVOCATIONS),
            )
            .dispatch_as(
                &windows,
                "windows",
                &["plane", &uniform, row_pairs, row_xx, row_xy, row_yy, &pairs, &seconds],
                column_runs(band.end - band.first).div_ceil(INVOCATIONS),
            );
    }
    Ok(plan)
}

/// What belongs to band `index`: its uniform, its two dispatches and its two outputs.
fn names(index: usize) -> [String; 5] {
    ["band", "rows", "windows", "pairs", "seconds"].map(|name| format!("{name}_{index}"))
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

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let luma = &shape.planes[0];
    let stabilisers = stabilisers(shape.format.depth);
    let across: Vec<u32> = weights(luma.width).collect();
    let mut weights = weights(luma.height).flat_map(|down| across.iter().map(move |across| down * across));
    let mut terms = Vec::with_capacity(luma.samples() as usize);
    for index in 0..bands(luma).len() {
        let [.., pairs, seconds] = names(index);
        let (pairs, seconds) = (readback.u32s(&pairs)?, readback.u32s(&seconds)?);
        let moments = pairs.as_chunks().0.iter().zip(seconds.as_chunks().0);
        let windows = moments.zip(&mut weights);
        terms.extend(windows.map(|((pair, seconds), weight)| term(&unpacked(weight, pair, seconds), stabilisers)));
    }
    Ok(vec![score(frame, terms, luma)])
}

/// The words of a window's second moments.
fn packed(moments: &Moments) -> [u32; SECONDS] {
    let &Moments { xx, xy, yy, .. } = moments;
    let high = |moment: u64| (moment >> 32) as u32;
    [xx as u32, xy as u32, yy as u32, high(xx) | (high(xy) << 16), high(yy)]
}

fn unpacked(weight: u32, &[x, y]: &[u32; 2], &[xx, xy, yy, highs, high_yy]: &[u32; SECONDS]) -> Moments {
    let wide = |low: u32, high: u32| (u64::from(high) << 32) | u64::from(low);
    Moments {
        weight,
        x,
        y,
        xx: wide(xx, highs & 0xffff),
        xy: wide(xy, highs >> 16),
        yy: wide(yy, high_yy),
    }
}

/// The moments in rows and of windows, band by band.
pub(super) fn stages(input: &Input, frame: usize) -> Vec<Stage> {
    let (reference, distorted) = (input.plane(0, frame, 0), input.plane(1, frame, 0));
    let luma = reference.shape();
    let mut windows = Vec::new();
    each_row(reference, distorted, |row| windows.extend_from_slice(row));
    let pairs = |moments: &[Moments]| Values::U32(moments.iter().flat_map(|m| [m.x, m.y]).collect());
    let mut stages = Vec::new();
    for (index, band) in bands(&luma).into_iter().enumerate() {
        let [_, rows_label, windows_label, pairs_buffer, seconds_buffer] = names(index);
        let mut stage = |label: &str, buffer: &str, elements: usize, values| {
            stages.push(Stage {
                label: label.to_owned(),
                buffer: buffer.to_owned(),
                width: luma.width * elements as u32,
                values,
            });
        };
        let rows = (band.top..band.bottom).flat_map(|y| row_moments(reference, distorted, y));
        let rows: Vec<_> = rows.collect();
        stage(&rows_label, ROWS[0].0, 2, pairs(&rows));
        for ((buffer, ..), of) in ROWS[1..]
            .iter()
            .zip([|m: &Moments| m.xx, |m: &Moments| m.xy, |m: &Moments| m.yy])
        {
            stage(&rows_label, buffer, 1, Values::U64(rows.iter().map(of).collect()));
        }
        let row = |y: u32| y as usize * luma.width as usize;
        let windows = &windows[row(band.first)..row(band.end)];
        stage(&windows_label, &pairs_buffer, 2, pairs(windows));
        let seconds = windows.iter().flat_map(packed).collect();
        stage(&windows_label, &seconds_buffer, SECONDS, Values::U32(seconds));
    }
    stages
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_windows_of_all_bands_are_one_plane() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 400_000, 4);
        // The moments of a band of two rows in which every code of both planes is `code`.
        let band = |index: usize, code: u32| {
            let down = weights(4).skip(2 * index).take(2);
            let weights = down.flat_map(|down| weights(400_000).map(move |across| down * across));
            let (mut pairs, mut seconds) = (Vec::new(), Vec::new());
            for weight in weights {
                let second = u64::from(weight * code) * u64::from(code);
                let moments = Moments {
                    xx: second,
                    xy: second,
                    yy: second,
                    ..Moments::default()
                };
                pairs.extend([weight * code; 2].into_iter().flat_map(u32::to_le_bytes));
                seconds.extend(packed(&moments).into_iter().flat_map(u32::to_le_bytes));
            }
            let [.., pairs_name, seconds_name] = names(index);
            [(pairs_name, pairs), (seconds_name, seconds)]
        };
        let readback = Readback {
            buffers: band(0, 7).into_iter().chain(band(1, 200)).collect(),
        };
        assert_eq!(finish(&shape, 1, &readback).unwrap(), [Output::score("ssim", 1, 1.0)]);
        assert!(finish(&shape, 1, &Readback::default()).is_err());
    }

    #[test]
    fn stages_are_those_of_the_plan() {
        let fixture = isobit_fixtures::named("padded").unwrap();
        let input = fixture.input(Format::new(Layout::Yuv420, Depth::U16), 2).unwrap();
        let plan = plan(input.shape()).unwrap();
        let stages = stages(&input, 1);
        assert_eq!(stages.len(), 6);
        for stage in stages {
            let part = plan.until(&stage.label, &stage.buffer).unwrap();
            let bytes = stage.values.to_le_bytes().len();
            assert_eq!(part.buffers[&stage.buffer].bytes, bytes as u64, "{}", stage.buffer);
        }
    }

    #[test]
    fn the_shader_divides_a_band_as_the_plan_does() {
        let source = include_str!("twin.wgsl");
        for (name, value) in [("RUN", u64::from(RUN)), ("INVOCATIONS", INVOCATIONS)] {
            assert!(source.contains(&format!("const {name}: u32 = {value}u;")), "{name}");
        }
    }

    #[test]
    fn a_plane_of_8k_fits_the_bindings_of_every_device() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv444, Depth::U16), 8192, 4320);
        let plan = plan(&shape).unwrap();
        let sizes = plan.buffers.values().map(|buffer| buffer.bytes);
        assert!(sizes.clone().max() <= Some(128 << 20));
        assert!(sizes.sum::<u64>() < 5 << 28);
    }

    proptest! {
        #[test]
        fn packing_loses_nothing(weight: u32, x: u32, y: u32, seconds in prop::array::uniform3(0..1u64 << 48)) {
            let [xx, xy, yy] = seconds;
            let moments = Moments { weight, x, y, xx, xy, yy };
            prop_assert_eq!(unpacked(weight, &[x, y], &packed(&moments)), moments);
        }
    }
}
