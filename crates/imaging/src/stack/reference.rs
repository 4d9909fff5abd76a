//! The specification of `stack`: what other kernels specify, in turn.
//!
//! A quotient of the normalised stack is of a sum that is zero or at least 2^-63 and of a count, and held.

use isobit::frame::Input;
use isobit::output::Output;

use super::{RANK, SHIFT_X, SHIFT_Y, STACKED, Settings, VALIDITY};
use crate::accumulate::{Accumulator, Shift};
use crate::align::{Pyramid, found, pyramid, shift};
use crate::load::{load, validity};
use crate::luminance::luminance;
use crate::raster::{Raster, held};
use crate::sharpness::{Sharpness, sharpness};
use crate::taps::Interpolation;

/// What a clip is stacked to.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// The sum, or the normalised one, of each raster.
    pub stacked: Vec<Raster>,
    /// How many frames counted in it, of each raster.
    pub validity: Vec<Raster>,
    /// The rank of each frame, 0 the sharpest.
    pub ranks: Vec<u32>,
    /// How far each frame has moved; nothing where it is not kept. A frame that has moved beyond
    /// [`farthest`](crate::align::farthest) is not in the stack.
    pub shifts: Vec<Shift>,
}

pub(super) fn reference(input: &Input, settings: &Settings) -> Vec<Output> {
    outputs(stack(input, settings))
}

/// The stack of the first clip of an input.
pub fn stack(input: &Input, settings: &Settings) -> Stack {
    let ranked = Ranked::of(input);
    let mut accumulators = Vec::new();
    let mut shifts = Vec::new();
    for frame in 0..input.frames() {
        let (shift, weight) = ranked.placed(input, settings, frame);
        add(&mut accumulators, input, frame, shift, weight);
        shifts.push(shift);
    }
    let finished = accumulators.into_iter().map(|found| match settings.normalise {
        true => (normalised(&found.sums, &found.validity), found.validity),
        false => (found.sums, found.validity),
    });
    let (stacked, validity) = finished.unzip();
    Stack {
        stacked,
        validity,
        ranks: ranked.ranks,
        shifts,
    }
}

/// What is known of the frames before any is added.
pub(super) struct Ranked {
    /// The scores of each frame.
    pub scores: Vec<Sharpness>,
    /// The rank of each.
    pub ranks: Vec<u32>,
    /// The quantised luminance of the sharpest; nothing where there is no frame.
    pub best: Pyramid,
}

impl Ranked {
    pub(super) fn of(input: &Input) -> Self {
        let frames = 0..input.frames();
        let score = |frame| sharpness(&luminance(&load(input, 0, frame)));
        let scores: Vec<_> = frames.map(score).collect();
        let ranks = ranks(&scores.iter().map(|score| score.sharpness).collect::<Vec<_>>());
        let mut ranked = Self {
            scores,
            ranks,
            best: Pyramid::new(),
        };
        if let Some(best) = ranked.ranks.iter().position(|&rank| rank == 0) {
            ranked.best = ranked.pyramid(input, best);
        }
        ranked
    }

    /// The quantised luminance of a frame.
    pub(super) fn pyramid(&self, input: &Input, frame: usize) -> Pyramid {
        pyramid(&luminance(&load(input, 0, frame)), self.scores[frame].level)
    }

    /// How far a frame has moved, and its weight: 1 of those that are kept and have not moved too far.
    pub(super) fn placed(&self, input: &Input, settings: &Settings, frame: usize) -> (Shift, f32) {
        let rank = self.ranks[frame] as usize;
        if rank >= settings.kept(self.ranks.len()) {
            return (Shift::default(), 0.0);
        }
        let moved = match rank {
            0 => Shift::default(),
            _ => shift(&self.best, &self.pyramid(input, frame)),
        };
        let weight = if found(moved, input.shape().width, input.shape().height) {
            1.0
        } else {
            0.0
        };
        (moved, weight)
    }
}

/// Adds a frame to the accumulators of its rasters, which it makes where there are none.
pub(super) fn add(accumulators: &mut Vec<Accumulator>, input: &Input, frame: usize, shift: Shift, weight: f32) {
    let shape = input.shape();
    let rasters = load(input, 0, frame);
    accumulators.resize_with(rasters.len(), || {
        Accumulator::new(shape.width, shape.height, Interpolation::Lanczos3)
    });
    let rasters = rasters.iter().zip(validity(input, 0, frame));
    for (accumulator, (raster, valid)) in accumulators.iter_mut().zip(rasters) {
        accumulator.add(raster, &valid, shift, weight);
    }
}

/// The rank of each frame by its score: how many are sharper, or as sharp and earlier.
fn ranks(scores: &[f32]) -> Vec<u32> {
    let rank = |(frame, &score): (usize, &f32)| {
        let before = |&(other, &others): &(usize, &f32)| others > score || (others == score && other < frame);
        scores.iter().enumerate().filter(before).count() as u32
    };
    scores.iter().enumerate().map(rank).collect()
}

/// The mean of what counted, and 0 where nothing did.
pub(super) fn normalised(sums: &Raster, validity: &Raster) -> Raster {
    Raster::of(sums.width, sums.height, |x, y| match validity.at(x, y) {
        counted if counted > 0.0 => held(sums.at(x, y) / counted),
        _ => 0.0,
    })
}

/// A stack as outputs.
pub(super) fn outputs(stack: Stack) -> Vec<Output> {
    let planes = |metric: &'static str, rasters: Vec<Raster>| {
        let rasters = rasters.into_iter().enumerate();
        rasters.map(move |(plane, raster)| raster.output(metric, 0, plane))
    };
    let mut outputs: Vec<Output> = planes(STACKED, stack.stacked)
        .chain(planes(VALIDITY, stack.validity))
        .collect();
    for (frame, (rank, shift)) in stack.ranks.into_iter().zip(stack.shifts).enumerate() {
        outputs.extend([
            Output::score(RANK, frame, rank.into()),
            Output::score(SHIFT_X, frame, shift.x.into()),
            Output::score(SHIFT_Y, frame, shift.y.into()),
        ]);
    }
    outputs
}

#[cfg(test)]
mod tests;
