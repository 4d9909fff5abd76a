//! The specification of `sharpness`.
//!
//! The measures are the energy of the gradient and of the Laplacian, of the family that compares focus (Subbarao, Choi,
//! Nikzad: "Focusing techniques", Optical Engineering 32, 1993), divided by the squared mean level, so that a passing cloud
//! does not count as blur.
//!
//! No number is subnormal on the way. Samples are 0 or at least 2^-40, hence multiples of 2^-63; so are their
//! differences, which are held before they are squared, and squares are 0 or at least 2^-80. They are at most 2^80, and sums of
//! 2^29 pairs of them at most 2^110.

use isobit::frame::Input;
use isobit::output::Output;

use super::{GRADIENT, LAPLACIAN, SHARPNESS};
use crate::load::load;
use crate::luminance::luminance;
use crate::raster::{Raster, held};
use crate::tree::{Terms, block_sums, sum_of_blocks};

/// The scores of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sharpness {
    /// Mean energy of the gradient in units of the squared mean level.
    pub gradient: f32,
    /// The same of the Laplacian.
    pub laplacian: f32,
    /// Both together, held: what frames are ranked by. The gradient tells blurred frames apart where the Laplacian is noise.
    pub sharpness: f32,
    /// The mean of the samples' magnitudes, held.
    pub level: f32,
}

pub(super) fn reference(input: &Input) -> Vec<Output> {
    let frames = 0..input.frames();
    frames
        .flat_map(|frame| scores(frame, sharpness(&luminance(&load(input, 0, frame)))))
        .collect()
}

/// The scores as outputs.
pub(super) fn scores(frame: usize, scores: Sharpness) -> [Output; 3] {
    [
        Output::score(GRADIENT, frame, scores.gradient.into()),
        Output::score(LAPLACIAN, frame, scores.laplacian.into()),
        Output::score(SHARPNESS, frame, scores.sharpness.into()),
    ]
}

/// The scores of a luminance.
///
/// A frame is continued beyond its edges by the samples there. With `n` samples and sums in the order of a
/// tree, an energy's score is `((energy / n) / level) / level`, where `level` is the mean of magnitudes; all
/// quotients of a frame without light, `level` below 2^-40, are 0. Scores are held.
pub fn sharpness(luminance: &Raster) -> Sharpness {
    scores_of(sum_of_blocks(blocks(luminance)), luminance.samples.len())
}

/// The sums of level, energy of the gradient and energy of the Laplacian over blocks of samples in reading order.
pub(crate) fn blocks(luminance: &Raster) -> Vec<Terms> {
    let rows = 0..luminance.height;
    let places = rows.flat_map(|y| (0..luminance.width).map(move |x| (x, y)));
    block_sums(&places.map(|(x, y)| terms(luminance, x, y)).collect::<Vec<_>>())
}

fn terms(luminance: &Raster, x: u32, y: u32) -> Terms {
    let at = |across: i64, down: i64| luminance.clamped(i64::from(x) + across, i64::from(y) + down);
    let here = at(0, 0);
    let across = held(at(1, 0) - here);
    let down = held(at(0, 1) - here);
    let around = (at(-1, 0) + at(1, 0)) + (at(0, -1) + at(0, 1));
    let laplacian = held(around - 4.0 * here);
    [here.abs(), across * across + down * down, laplacian * laplacian, 0.0]
}

fn scores_of([level, gradient, laplacian, _]: Terms, samples: usize) -> Sharpness {
    let samples = samples as f32;
    let level = held(level / samples);
    let score = |energy: f32| {
        if level == 0.0 {
            return 0.0;
        }
        held(((energy / samples) / level) / level)
    };
    let [gradient, laplacian] = [gradient, laplacian].map(score);
    Sharpness {
        gradient,
        laplacian,
        sharpness: held(gradient + laplacian),
        level,
    }
}

#[cfg(test)]
mod tests;
