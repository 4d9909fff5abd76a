//! The reference of `deconvolve`.

use isobit::options::Options;

use super::psf::Psf;
use crate::convolve::{LEAST_WEIGHT, Tap, convolved, gaussian, separable};
use crate::raster::{Raster, held};

/// The least number that an observed sample is divided by: 2^-20.
pub(super) const FLOOR: f32 = f32::from_bits((127 - 20) << 23);
/// The standard deviation in samples that slopes are measured after, and the taps on either side.
pub(super) const SMOOTHING: (f32, u32) = (2.0, 6);
/// The level of a straight limb, smoothed so, over twice two fifths of its slope a sample: the standard deviation times √(π/2),
/// times 5/2.
pub(super) const LIMB: f32 = 6.266_570_6;

/// The options of `deconvolve` as numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How often the estimate is improved.
    pub iterations: usize,
    /// How a point spreads.
    pub psf: Psf,
    /// How much the ratio is damped along a limb: zero or at least 2^-30, at most 1.
    pub limb_guard: f32,
}

impl Settings {
    /// The settings that `options` hold. A guard below 2^-30 is none.
    pub fn of(options: &Options) -> Self {
        let guard = options.number("limb_guard") as f32;
        Self {
            iterations: options.integer("iterations") as usize,
            psf: match options.choice("psf") {
                "gaussian" => Psf::Gaussian(options.number("sigma") as f32),
                "airy" => Psf::Airy(options.number("radius") as f32),
                _ => Psf::Automatic,
            },
            limb_guard: if guard < LEAST_WEIGHT { 0.0 } else { guard },
        }
    }
}

/// What a part of the work leaves.
pub(super) enum Part {
    /// The observed raster.
    Observed,
    /// A pass of the smoothing for the guard.
    Smooth(usize),
    /// What the guard leaves at each place.
    Kept,
    /// A pass of the convolution of the estimate, by iteration and pass.
    Spread(usize, usize),
    /// The ratio in an iteration.
    Ratio(usize),
    /// A pass of the convolution of the ratio, by iteration and pass.
    Correction(usize, usize),
    /// The estimate after an iteration.
    Estimate(usize),
}

/// `raster`, whose samples are held, deconvolved.
pub fn apply(raster: &Raster, settings: &Settings) -> Raster {
    restored(raster, settings, |_, _| {})
}

/// The same. `left` is told of the raster of each part.
pub(super) fn restored(raster: &Raster, settings: &Settings, mut left: impl FnMut(Part, &Raster)) -> Raster {
    let observed = Raster::of(raster.width, raster.height, |x, y| light(raster.at(x, y)));
    left(Part::Observed, &observed);
    let passes = settings.psf.passes(&observed);
    let kept = (settings.limb_guard > 0.0).then(|| kept(&observed, settings.limb_guard, &mut left));
    let mut estimate = observed.clone();
    for iteration in 0..settings.iterations {
        let spread = spread(&estimate, &passes, |pass, raster| {
            left(Part::Spread(iteration, pass), raster)
        });
        let ratio = Raster::of(raster.width, raster.height, |x, y| {
            let ratio = ratio(observed.at(x, y), spread.at(x, y));
            kept.as_ref().map_or(ratio, |kept| damped(ratio, kept.at(x, y)))
        });
        left(Part::Ratio(iteration), &ratio);
        let correction = self::spread(&ratio, &passes, |pass, raster| {
            left(Part::Correction(iteration, pass), raster)
        });
        estimate = Raster::of(raster.width, raster.height, |x, y| {
            light(estimate.at(x, y) * correction.at(x, y))
        });
        left(Part::Estimate(iteration), &estimate);
    }
    estimate
}

/// A sample, or zero where it is below.
fn light(sample: f32) -> f32 {
    if sample > 0.0 { held(sample) } else { 0.0 }
}

/// `raster` convolved in all passes.
fn spread(raster: &Raster, passes: &[Vec<Tap>], mut left: impl FnMut(usize, &Raster)) -> Raster {
    let mut spread = raster.clone();
    for (pass, taps) in passes.iter().enumerate() {
        spread = convolved(&spread, taps);
        left(pass, &spread);
    }
    spread
}

fn ratio(observed: f32, spread: f32) -> f32 {
    held(observed / if spread > FLOOR { spread } else { FLOOR })
}

/// A ratio of whose difference from 1 a part is kept.
fn damped(ratio: f32, kept: f32) -> f32 {
    held(1.0 + kept * (ratio - 1.0))
}

/// How much the guard leaves of the ratio's difference from 1 at each place.
fn kept(observed: &Raster, guard: f32, left: &mut impl FnMut(Part, &Raster)) -> Raster {
    let (sigma, reach) = SMOOTHING;
    let taps = separable(&gaussian(sigma, reach), 1);
    let smooth = spread(observed, &taps, |pass, raster| left(Part::Smooth(pass), raster));
    let mut brightest = 0.0f32;
    for &sample in &smooth.samples {
        if sample > brightest {
            brightest = sample;
        }
    }
    let kept = Raster::of(observed.width, observed.height, |x, y| {
        1.0 - guard * steepness(&smooth, i64::from(x), i64::from(y), brightest)
    });
    left(Part::Kept, &kept);
    kept
}

/// How much of a limb of level `brightest` a place is, from 0 to 1.
fn steepness(smooth: &Raster, x: i64, y: i64, brightest: f32) -> f32 {
    if brightest == 0.0 {
        return 0.0;
    }
    let across = held(smooth.clamped(x + 1, y) - smooth.clamped(x - 1, y));
    let down = held(smooth.clamped(x, y + 1) - smooth.clamped(x, y - 1));
    let slope = (across * across + down * down).sqrt();
    let part = held(slope * LIMB / brightest);
    if part > 1.0 { 1.0 } else { part }
}

#[cfg(test)]
mod tests;
