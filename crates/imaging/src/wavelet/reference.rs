//! The reference of `wavelet`.

use isobit::format::{Depth, Format, Layout};
use isobit::frame::Input;
use isobit::options::Options;
use isobit::output::Output;

use super::layers::smoothed;
use super::{CUTS, GAINS};
use crate::convolve::LEAST_WEIGHT;
use crate::filter;
use crate::raster::{Raster, held};

/// Layers of detail.
pub const LAYERS: usize = 6;

/// The options of `wavelet` as numbers; the finest layer comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How much of each layer is kept: zero or at least 2^-30, at most 100.
    pub gains: [f32; LAYERS],
    /// What counts as noise in each layer, as a part of full scale.
    pub cuts: [f32; LAYERS],
    /// Whether what exceeds a cut is kept whole.
    pub hard: bool,
}

impl Settings {
    /// The settings that `options` hold. A gain below 2^-30 is none.
    pub fn of(options: &Options) -> Self {
        let gain = |name| {
            let gain = options.number(name) as f32;
            if gain < LEAST_WEIGHT { 0.0 } else { gain }
        };
        Self {
            gains: GAINS.map(|option| gain(option.name)),
            cuts: CUTS.map(|option| held(options.number(option.name) as f32)),
            hard: options.choice("thresholding") == "hard",
        }
    }

    /// Whether a raster is returned as it is.
    pub fn is_identity(&self) -> bool {
        self.gains == [1.0; LAYERS] && self.cuts == [0.0; LAYERS]
    }
}

/// `raster`, whose samples are held unless the settings are the identity, with its layers strengthened and cut.
pub fn apply(raster: &Raster, settings: &Settings) -> Raster {
    if settings.is_identity() {
        return raster.clone();
    }
    transformed(raster, settings, |_, _| {})
}

/// The same through the layers in any case. `left` is told of the rasters of each layer: smoothed along rows, along columns
/// too, and the sum of all layers up to it.
pub(super) fn transformed(raster: &Raster, settings: &Settings, mut left: impl FnMut(usize, [&Raster; 3])) -> Raster {
    let mut fine = raster.clone();
    let mut sum = Raster::of(raster.width, raster.height, |_, _| 0.0);
    for layer in 0..LAYERS {
        let [rows, smooth] = smoothed(&fine, layer);
        sum = Raster::of(raster.width, raster.height, |x, y| {
            let detail = fine.at(x, y) - smooth.at(x, y);
            sum.at(x, y) + settings.gains[layer] * cut(detail, settings.cuts[layer], settings.hard)
        });
        left(layer, [&rows, &smooth, &sum]);
        fine = smooth;
    }
    Raster::of(raster.width, raster.height, |x, y| held(sum.at(x, y) + fine.at(x, y)))
}

/// What is left of a coefficient.
fn cut(detail: f32, cut: f32, hard: bool) -> f32 {
    if detail.abs() <= cut {
        0.0
    } else if hard {
        detail
    } else if detail > 0.0 {
        detail - cut
    } else {
        detail + cut
    }
}

/// Whether a frame of `format` is moved as it is stored.
pub(super) fn is_moved(format: Format, settings: &Settings) -> bool {
    settings.is_identity() && format.depth == Depth::F32 && format.layout != Layout::Bayer
}

/// The outputs of all frames.
pub(super) fn outputs(input: &Input, settings: &Settings, metric: &'static str) -> Vec<Output> {
    let shape = input.shape();
    if !is_moved(shape.format, settings) {
        return filter::reference(input, metric, |raster| apply(raster, settings));
    }
    let planes = (0..input.frames()).flat_map(|frame| (0..shape.planes.len()).map(move |plane| (frame, plane)));
    planes
        .map(|(frame, plane)| {
            let stored = input.plane(0, frame, plane);
            let raster = Raster {
                width: shape.width,
                height: shape.height,
                samples: (0..shape.height).flat_map(|y| stored.floats(y)).collect(),
            };
            raster.output(metric, frame, plane)
        })
        .collect()
}

#[cfg(test)]
mod tests;
