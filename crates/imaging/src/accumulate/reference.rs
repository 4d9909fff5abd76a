//! The specification of `accumulate`.
//!
//! No number is subnormal on the way. Samples are 0 or at least 2^-40, taps 0 or above 2^-12: products of both are 0 or at
//! least 2^-52 and multiples of 2^-76, sums over a row are such multiples, times a tap at least 2^-88 and multiples of 2^-112. What
//! comes of it is held, and times a weight of at least 2^-30 at least 2^-70, so that sums over frames are multiples of 2^-94.

use isobit::frame::Input;
use isobit::output::Output;

use super::{SUMS, Settings, VALIDITY};
use crate::load::{load, validity};
use crate::raster::{Raster, held};
use crate::taps::{Interpolation, MOST, PHASES, Table};

/// How far a picture has moved, in sixteenths of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shift {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

impl Shift {
    /// The greatest shift in either direction: no frame is as large.
    pub const MOST: i32 = 1 << 30;
}

/// Weighted sums of rasters of one size, and the weights that counted in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Accumulator {
    /// The sum of weighted samples.
    pub sums: Raster,
    /// The sum of the weights of those samples.
    pub validity: Raster,
    table: Table,
    taps: usize,
}

impl Accumulator {
    /// No samples yet.
    pub fn new(width: u32, height: u32, interpolation: Interpolation) -> Self {
        let empty = Raster::of(width, height, |_, _| 0.0);
        Self {
            sums: empty.clone(),
            validity: empty,
            table: interpolation.table(),
            taps: interpolation.taps(),
        }
    }

    /// Adds `weight` times a raster that has moved by `shift`, with `valid` telling which of its samples count, row by row.
    ///
    /// A place of the sum lies at a whole sample of the raster or between two along each axis. These one, two or four
    /// samples must lie inside and count, else the raster adds nothing there. The sample is the sum, over rows from the top, of a
    /// tap times the sum, over columns from the left, of a tap times a sample; where taps reach beyond the edge, samples are taken
    /// from it. It is held before it is weighted.
    ///
    /// # Panics
    /// If the raster or `valid` has another size.
    pub fn add(&mut self, raster: &Raster, valid: &[bool], shift: Shift, weight: f32) {
        assert_eq!(
            (raster.width, raster.height, valid.len()),
            (self.sums.width, self.sums.height, self.sums.samples.len())
        );
        if weight == 0.0 {
            return;
        }
        let phases = PHASES as i32;
        let [columns, rows] = [shift.x, shift.y].map(|shift| &self.table[shift.rem_euclid(phases) as usize]);
        let [right, down] = [shift.x, shift.y].map(|shift| i64::from(shift.div_euclid(phases)));
        let [wide, high] = [shift.x, shift.y].map(|shift| i64::from(shift.rem_euclid(phases) != 0));
        let counts = |x: i64, y: i64| {
            (0..i64::from(raster.width)).contains(&x)
                && (0..i64::from(raster.height)).contains(&y)
                && valid[(y * i64::from(raster.width) + x) as usize]
        };
        for index in 0..self.sums.samples.len() {
            let x = (index % raster.width as usize) as i64 + right;
            let y = (index / raster.width as usize) as i64 + down;
            if counts(x, y) && counts(x + wide, y) && counts(x, y + high) && counts(x + wide, y + high) {
                let sample = between(raster, [x, y], columns, rows, self.taps);
                self.sums.samples[index] += weight * sample;
                self.validity.samples[index] += weight;
            }
        }
    }
}

fn between(raster: &Raster, [x, y]: [i64; 2], columns: &[f32; MOST], rows: &[f32; MOST], taps: usize) -> f32 {
    let first = 1 - taps as i64 / 2;
    let mut sum = 0.0;
    for (j, down) in rows[..taps].iter().enumerate() {
        let mut row = 0.0;
        for (i, across) in columns[..taps].iter().enumerate() {
            row += across * raster.clamped(x + first + i as i64, y + first + j as i64);
        }
        sum += down * row;
    }
    held(sum)
}

pub(super) fn reference(input: &Input, settings: &Settings) -> Vec<Output> {
    let accumulated = accumulated(input, settings, input.frames());
    outputs(accumulated.into_iter().map(|raster| [raster.sums, raster.validity]))
}

/// The first `frames` frames of each raster.
pub(super) fn accumulated(input: &Input, settings: &Settings, frames: usize) -> Vec<Accumulator> {
    let shape = input.shape();
    let mut accumulators = Vec::new();
    for frame in 0..frames {
        let (shift, weight) = settings.placed(frame);
        let rasters = load(input, 0, frame);
        accumulators.resize_with(rasters.len(), || {
            Accumulator::new(shape.width, shape.height, settings.interpolation)
        });
        for (accumulator, (raster, valid)) in accumulators
            .iter_mut()
            .zip(rasters.iter().zip(validity(input, 0, frame)))
        {
            accumulator.add(raster, &valid, shift, weight);
        }
    }
    accumulators
}

/// Sums and weights of each raster as outputs.
pub(super) fn outputs(rasters: impl Iterator<Item = [Raster; 2]>) -> Vec<Output> {
    let outputs = rasters
        .enumerate()
        .flat_map(|(plane, [sums, validity])| [sums.output(SUMS, 0, plane), validity.output(VALIDITY, 0, plane)]);
    outputs.collect()
}

#[cfg(test)]
mod tests;
