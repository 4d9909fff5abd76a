//! What the passes of `stack` leave on their way: scores and ranks of all frames first, then each frame's shift and sums.

use isobit::frame::Input;
use isobit::output::Values;
use isobit::stage::Stage;

use super::Settings;
use super::reference::{Ranked, add, normalised};
use super::twin::maps;
use crate::align::{Level, Pyramid, steps};
use crate::load::{load, validity};
use crate::luminance::luminance;
use crate::raster::Raster;
use crate::sharpness::{self, Sharpness};

/// The stages of frame `frame`. All that comes before the first sum belongs to frame 0, whichever frame it is of: ranks that
/// are wrong have their cause in any of them.
pub(super) fn stages(input: &Input, settings: &Settings, frame: usize) -> Vec<Stage> {
    let ranked = Ranked::of(input);
    let mut stages = Vec::new();
    if frame == 0 {
        (0..input.frames()).for_each(|frame| stages.extend(scored(input, &ranked, frame)));
        stages.extend(led(&ranked));
    }
    let mut accumulators = Vec::new();
    let mut placements = Vec::new();
    for earlier in 0..=frame {
        let (shift, weight) = ranked.placed(input, settings, earlier);
        add(&mut accumulators, input, earlier, shift, weight);
        let shift = [shift.x, shift.y].map(i32::cast_unsigned);
        placements.extend([shift[0], shift[1], weight.to_bits(), ranked.ranks[earlier]]);
    }
    if (ranked.ranks[frame] as usize) < settings.kept(input.frames()) {
        stages.extend(aligned(input, &ranked, frame));
    }
    stages.push(words(&format!("settle_{frame}"), "placements", 4, placements));
    let added = accumulators.iter().enumerate().zip(validity(input, 0, frame));
    for ((raster, accumulator), valid) in added {
        let [sums, validity, _] = maps(raster, settings);
        let valid = valid.into_iter().map(u32::from).collect();
        let width = input.shape().width;
        let label = format!("validity_add_{frame}_{raster}");
        let valid = words(&label, &format!("valid_{raster}"), width, valid);
        let label = format!("accumulate_{frame}_{raster}");
        let map = |buffer: &str, map: &Raster| floats(&label, buffer, width, map.samples.clone());
        stages.extend([
            valid,
            map(&sums, &accumulator.sums),
            map(&validity, &accumulator.validity),
        ]);
    }
    if settings.normalise && frame + 1 == input.frames() {
        for (raster, accumulator) in accumulators.iter().enumerate() {
            let [.., stacked] = maps(raster, settings);
            let mean = normalised(&accumulator.sums, &accumulator.validity);
            stages.push(floats(
                &format!("normalise_{raster}"),
                &stacked,
                mean.width,
                mean.samples,
            ));
        }
    }
    stages
}

/// What the first pass over the frames leaves of one.
fn scored(input: &Input, ranked: &Ranked, frame: usize) -> Vec<Stage> {
    let rasters = load(input, 0, frame);
    let luminance = luminance(&rasters);
    let (width, terms) = (luminance.width, sharpness::blocks(&luminance).concat());
    let mut stages: Vec<Stage> = rasters
        .into_iter()
        .enumerate()
        .map(|(raster, samples)| {
            let label = format!("load_score_{frame}_{raster}");
            floats(&label, &format!("raster_{raster}"), width, samples.samples)
        })
        .collect();
    if stages.len() > 1 {
        let label = format!("luminance_score_{frame}");
        stages.push(floats(&label, "raster_luminance", width, luminance.samples));
    }
    let scores = ranked.scores[..=frame].iter().flat_map(|score| {
        let Sharpness {
            gradient,
            laplacian,
            sharpness,
            level,
        } = *score;
        [gradient, laplacian, sharpness, level]
    });
    stages.push(floats(&format!("energies_{frame}"), "energies", 4, terms));
    stages.push(floats(&format!("scores_{frame}"), "scores", 4, scores.collect()));
    stages
}

/// What is left between the two passes over the frames: luminance of the sharpest, and the ranks.
fn led(ranked: &Ranked) -> Vec<Stage> {
    let last = ranked.ranks.len() - 1;
    let mut stages = pyramid(&ranked.best, "best", &last.to_string(), "best");
    stages.push(words("rank", "ranks", 1, ranked.ranks.clone()));
    stages
}

/// What aligns a frame that is kept.
fn aligned(input: &Input, ranked: &Ranked, frame: usize) -> Vec<Stage> {
    let own = ranked.pyramid(input, frame);
    let mut stages = pyramid(&own, "own", &frame.to_string(), &format!("add_{frame}"));
    for (step, found) in steps(&ranked.best, &own).into_iter().enumerate() {
        let found = found.map(i32::cast_unsigned).to_vec();
        stages.push(words(&format!("choose_{step}_{frame}"), "found", 2, found));
    }
    stages
}

/// The levels of a pyramid, the finest behind a label that carries `finest`, the others behind labels that carry `tag`.
fn pyramid(levels: &Pyramid, name: &str, finest: &str, tag: &str) -> Vec<Stage> {
    let stage = |(index, level): (usize, &Level)| {
        let label = match index.checked_sub(1) {
            None => format!("quantise_{name}_{finest}"),
            Some(halving) => format!("halve_{name}_{halving}_{tag}"),
        };
        let samples = level.samples.iter().map(|sample| sample.cast_unsigned()).collect();
        words(&label, &format!("{name}_{index}"), level.width, samples)
    };
    levels.iter().enumerate().map(stage).collect()
}

fn floats(label: &str, buffer: &str, width: u32, values: Vec<f32>) -> Stage {
    Stage::new(label, buffer, width, Values::F32(values))
}

fn words(label: &str, buffer: &str, width: u32, values: Vec<u32>) -> Stage {
    Stage::new(label, buffer, width, Values::U32(values))
}
