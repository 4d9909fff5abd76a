//! The reference of `unsharp`.

use isobit::options::Options;

use crate::convolve::{LEAST_WEIGHT, Tap, convolved, gaussian, separable};
use crate::raster::{Raster, held};

/// The options of `unsharp` as numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The standard deviation of the blur in samples, from 0.2 to 20.
    pub radius: f32,
    /// How often what the blur takes away is added: zero or at least 2^-30, at most 10.
    pub amount: f32,
    /// The least difference that is added, as a part of full scale.
    pub threshold: f32,
}

impl Settings {
    /// The settings that `options` hold. An amount below 2^-30 is none.
    pub fn of(options: &Options) -> Self {
        let amount = options.number("amount") as f32;
        Self {
            radius: options.number("radius") as f32,
            amount: if amount < LEAST_WEIGHT { 0.0 } else { amount },
            threshold: held(options.number("threshold") as f32),
        }
    }

    /// The taps of the blur along a row and along a column.
    pub(super) fn taps(&self) -> [Vec<Tap>; 2] {
        let radius = (3.0 * self.radius).ceil() as u32;
        separable(&gaussian(self.radius, radius), 1)
    }
}

/// `raster`, whose samples are held, sharpened.
pub fn apply(raster: &Raster, settings: &Settings) -> Raster {
    let [_, _, sharpened] = steps(raster, settings);
    sharpened
}

/// The raster blurred along its rows, then along its columns too, then sharpened.
pub(super) fn steps(raster: &Raster, settings: &Settings) -> [Raster; 3] {
    let [across, down] = settings.taps();
    let rows = convolved(raster, &across);
    let blurred = convolved(&rows, &down);
    let sharpened = Raster::of(raster.width, raster.height, |x, y| {
        sharpened(raster.at(x, y), blurred.at(x, y), settings)
    });
    [rows, blurred, sharpened]
}

fn sharpened(sample: f32, blurred: f32, settings: &Settings) -> f32 {
    let difference = sample - blurred;
    if difference.abs() >= settings.threshold {
        held(sample + settings.amount * difference)
    } else {
        sample
    }
}

#[cfg(test)]
mod tests;
