//! The specification of `tone`.

use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit_exact::math::pow;

use super::curve::{self, Cubics, Points};
use super::{BLACK, CURVE, GAMMA, NAME, OUTPUT_BLACK, OUTPUT_WHITE, WHITE};
use crate::raster::{Raster, held, unit};

/// White has to be so far above black: a step of 16 bits.
const LEAST_RANGE: f32 = 1.0 / 65_536.0;

/// Levels, all in parts of full scale but for the gamma, which is above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The sample that becomes black.
    pub black: f64,
    /// The sample that becomes white.
    pub white: f64,
    /// The gamma of the middle tones; above 1 they become brighter.
    pub gamma: f64,
    /// What black becomes.
    pub output_black: f64,
    /// What white becomes.
    pub output_white: f64,
}

/// How samples are toned, in the numbers that reference and twins compute with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    pub(super) black: f32,
    pub(super) white: f32,
    /// White less black.
    pub(super) range: f32,
    /// The inverse of the gamma.
    pub(super) exponent: f32,
    pub(super) output_black: f32,
    /// What white becomes less what black becomes.
    pub(super) output_range: f32,
    /// Absent where the curve is a straight line.
    pub(super) curve: Option<Cubics>,
}

impl Settings {
    /// Levels followed by the curve through `points`.
    ///
    /// # Errors
    /// If white is not above black by a step of 16 bits.
    pub fn new(levels: &Levels, points: &Points) -> Result<Self, KernelError> {
        let [black, white] = [levels.black, levels.white].map(|level| held(level as f32));
        let range = white - black;
        if range < LEAST_RANGE {
            return Err(KernelError::Unsupported {
                kernel: NAME,
                reason: format!(
                    "`white` at {} is not above `black` at {} by a step of 16 bits",
                    levels.white, levels.black
                ),
            });
        }
        Ok(Self {
            black,
            white,
            range,
            exponent: (1.0 / levels.gamma) as f32,
            output_black: held(levels.output_black as f32),
            output_range: held((levels.output_white - levels.output_black) as f32),
            curve: (*points != curve::STRAIGHT).then(|| curve::cubics(points)),
        })
    }

    /// Those that the options of the kernel ask for.
    ///
    /// # Errors
    /// As [`Settings::new`].
    pub fn of(options: &Options) -> Result<Self, KernelError> {
        let levels = Levels {
            black: options.number(BLACK.name),
            white: options.number(WHITE.name),
            gamma: options.number(GAMMA.name),
            output_black: options.number(OUTPUT_BLACK.name),
            output_white: options.number(OUTPUT_WHITE.name),
        };
        Self::new(&levels, &CURVE.map(|point| options.number(point.name)))
    }
}

/// Every sample of `raster` toned: a raster of the same size, its samples from 0 to 1.
pub fn apply(raster: &Raster, settings: &Settings) -> Raster {
    let toned = |sample: &f32| {
        let level = levels(*sample, settings);
        settings.curve.map_or(level, |cubics| curved(level, &cubics))
    };
    Raster {
        samples: raster.samples.iter().map(toned).collect(),
        ..*raster
    }
}

fn levels(sample: f32, settings: &Settings) -> f32 {
    let mut level = if sample <= settings.black {
        0.0
    } else if sample >= settings.white {
        1.0
    } else {
        (sample - settings.black) / settings.range
    };
    if settings.exponent != 1.0 && level != 0.0 {
        level = pow(level, settings.exponent);
    }
    unit(settings.output_black + level * settings.output_range)
}

fn curved(level: f32, cubics: &Cubics) -> f32 {
    let quarters = 4.0 * level;
    let quarter = (quarters as u32).min(3);
    let t = quarters - quarter as f32;
    let [cube, square, slope, start] = cubics[quarter as usize];
    unit(((cube * t + square) * t + slope) * t + start)
}

#[cfg(test)]
mod tests;
