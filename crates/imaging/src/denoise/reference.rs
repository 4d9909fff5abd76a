//! The reference of `denoise`.

use isobit::options::Options;

use crate::convolve::LEAST_WEIGHT;
use crate::raster::{Raster, held};
use crate::wavelet::layers::smoothed;

/// The most layers that are shrunk.
pub const LAYERS: usize = 6;

/// The standard deviation that each layer has from white noise of 1: the root of the sum of squares of the weights by which a
/// sample enters the layer.
pub const SPREAD: [f32; LAYERS] = [
    0.890_796_3,
    0.200_663_85,
    0.085_507_505,
    0.041_217_443,
    0.020_424_967,
    0.010_189_759,
];

/// The standard deviation of the noise over the median magnitude of its finest layer: over the median magnitude of a standard
/// normal number, 0.6744898, and over the first of [`SPREAD`].
pub(super) const NOISE_OF_MEDIAN: f32 = 1.664_356;

/// The options of `denoise` as numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How many standard deviations count as noise: zero or at least 2^-30, at most 20.
    pub strength: f32,
    /// How many layers are shrunk, from 1 to 6.
    pub layers: usize,
    /// The standard deviation of the noise as a part of full scale; `None` where it is estimated.
    pub noise: Option<f32>,
}

impl Settings {
    /// The settings that `options` hold. A strength below 2^-30 is none.
    pub fn of(options: &Options) -> Self {
        let strength = options.number("strength") as f32;
        let noise = held(options.number("noise") as f32);
        Self {
            strength: if strength < LEAST_WEIGHT { 0.0 } else { strength },
            layers: options.integer("layers") as usize,
            noise: (noise > 0.0).then_some(noise),
        }
    }

    /// What a layer, counted from zero, is shrunk by for noise of 1.
    pub(super) fn scale(&self, layer: usize) -> f32 {
        self.strength * SPREAD[layer]
    }
}

/// `raster`, whose samples are held, denoised.
pub fn apply(raster: &Raster, settings: &Settings) -> Raster {
    denoised(raster, settings, |_, _| {})
}

/// The same. `left` is told of the rasters of each layer: smoothed along rows, along columns too, and the sum of all layers up
/// to it.
pub(super) fn denoised(raster: &Raster, settings: &Settings, mut left: impl FnMut(usize, [&Raster; 3])) -> Raster {
    let mut fine = raster.clone();
    let mut sum = Raster::of(raster.width, raster.height, |_, _| 0.0);
    let mut noise = settings.noise;
    for layer in 0..settings.layers {
        let [rows, smooth] = smoothed(&fine, layer);
        let noise = *noise.get_or_insert_with(|| estimated(&fine, &smooth));
        let cut = held(settings.scale(layer) * noise);
        sum = Raster::of(raster.width, raster.height, |x, y| {
            sum.at(x, y) + shrunk(fine.at(x, y) - smooth.at(x, y), cut)
        });
        left(layer, [&rows, &smooth, &sum]);
        fine = smooth;
    }
    Raster::of(raster.width, raster.height, |x, y| held(sum.at(x, y) + fine.at(x, y)))
}

/// The standard deviation of the noise of a raster from its finest layer.
pub(super) fn estimated(fine: &Raster, smooth: &Raster) -> f32 {
    let details = fine.samples.iter().zip(&smooth.samples);
    let mut magnitudes: Vec<u32> = details.map(|(fine, smooth)| (fine - smooth).abs().to_bits()).collect();
    // Magnitudes are in the order of their bits.
    let middle = (magnitudes.len() - 1) / 2;
    let (_, median, _) = magnitudes.select_nth_unstable(middle);
    held(f32::from_bits(*median) * NOISE_OF_MEDIAN)
}

/// What is left of a coefficient.
fn shrunk(detail: f32, cut: f32) -> f32 {
    if detail.abs() <= cut {
        0.0
    } else {
        detail - cut * (cut / detail)
    }
}

#[cfg(test)]
mod tests;
