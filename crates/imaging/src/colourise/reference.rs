//! The specification of `colourise`.

use isobit::frame::Input;
use isobit::options::Options;
use isobit::output::Output;

use super::palette::{self, STEPS, Stops};
use super::{COLOUR, INVERT, PRESET, STRENGTH};
use crate::load;
use crate::raster::{Raster, held, unit};

/// How an image is coloured, in the numbers that reference and twins compute with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The colour at which each step of the palette starts.
    pub(super) starts: [[f32; 3]; STEPS],
    /// What each step adds to it.
    pub(super) rises: [[f32; 3]; STEPS],
    pub(super) invert: bool,
    /// The share of the grey.
    pub(super) grey: f32,
    /// The share of the palette's colours.
    pub(super) strength: f32,
}

impl Settings {
    /// The colours of `stops`, inverted or not, at a strength from 0 to 1.
    pub fn new(stops: &Stops, invert: bool, strength: f64) -> Self {
        let colours = stops.map(|stop| stop.map(|level| f32::from(level) / 255.0));
        let step = |rise: fn(f32, f32) -> f32| {
            std::array::from_fn(|step| {
                std::array::from_fn(|plane| rise(colours[step][plane], colours[step + 1][plane]))
            })
        };
        Self {
            starts: step(|start, _| start),
            rises: step(|start, end| end - start),
            invert,
            grey: held((1.0 - strength) as f32),
            strength: held(strength as f32),
        }
    }

    /// Those that the options of the kernel ask for.
    pub fn of(options: &Options) -> Self {
        Self::new(
            palette::stops(options.choice(PRESET.name)),
            options.flag(INVERT.name),
            options.number(STRENGTH.name),
        )
    }
}

/// The colour planes of every frame.
pub(super) fn reference(input: &Input, settings: &Settings) -> Vec<Output> {
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        let plane = input.plane(0, frame, 0);
        let shape = plane.shape();
        let rows = 0..shape.height;
        let mono = Raster {
            width: shape.width,
            height: shape.height,
            samples: rows
                .flat_map(|y| load::row(plane, input.shape().format.depth, y))
                .collect(),
        };
        for (plane, colour) in apply(&mono, settings).into_iter().enumerate() {
            outputs.push(colour.output(COLOUR, frame, plane));
        }
    }
    outputs
}

/// Red, green and blue of every sample of `raster`, which may hold any f32.
pub fn apply(raster: &Raster, settings: &Settings) -> [Raster; 3] {
    let colours: Vec<[f32; 3]> = raster
        .samples
        .iter()
        .map(|&sample| colourise(sample, settings))
        .collect();
    [0, 1, 2].map(|plane| Raster {
        samples: colours.iter().map(|colour| colour[plane]).collect(),
        ..*raster
    })
}

/// Red, green and blue of one sample, each from 0 to 1; NaN in all three for NaN.
pub fn colourise(sample: f32, settings: &Settings) -> [f32; 3] {
    if sample.is_nan() {
        return [f32::NAN; 3];
    }
    let v = unit(sample);
    let place = STEPS as f32 * if settings.invert { 1.0 - v } else { v };
    let step = (place as usize).min(STEPS - 1);
    let t = place - step as f32;
    [0, 1, 2].map(|plane| {
        let colour = settings.starts[step][plane] + t * settings.rises[step][plane];
        unit(settings.grey * v + settings.strength * colour)
    })
}

#[cfg(test)]
mod tests;
