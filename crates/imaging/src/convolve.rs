//! Convolution with taps that are symmetric about their centre, in the reference and on the device. Knows no filter.
//!
//! A tap stands for the two places that lie an offset to either side of a sample `c`, and has one weight for both. What the
//! weights leave of 1 is the centre's, so that the centre needs none:
//!
//! ```text
//! c + Σ w · ((before − c) + (after − c))
//! ```
//!
//! The sum runs tap by tap from zero, `c` comes last, and places beyond an edge are taken from the edge. A flat field is left
//! as it is, to the last bit.
//!
//! # Numbers
//!
//! A sample is zero or at least 2^-40, hence a multiple of 2^-63, and so is a difference; weights are zero or at least
//! [`LEAST_WEIGHT`]. A term is therefore zero or at least 2^-93, and every sum a multiple of 2^-116: nothing is subnormal. The
//! result is held.

use isobit::kernel::KernelError;
use isobit::plan::Plan;
use isobit_exact::math::exp;

use crate::arithmetic::Arithmetic;
use crate::raster::{Raster, held};

/// Invocations of a workgroup, one a sample; `INVOCATIONS` of convolve.wgsl.
const INVOCATIONS: u64 = 64;
/// What is less counts as no weight.
pub(crate) const LEAST_WEIGHT: f32 = f32::from_bits((127 - 30) << 23);

/// The weight of the places an offset before and after a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tap {
    /// Columns and rows from the sample to the place after it.
    pub offset: [i32; 2],
    /// The weight of each of the two; from 0 to 1/2.
    pub weight: f32,
}

/// `raster` convolved with `taps`.
pub(crate) fn convolved(raster: &Raster, taps: &[Tap]) -> Raster {
    Raster::of(raster.width, raster.height, |x, y| {
        let centre = raster.at(x, y);
        let mut sum = 0.0f32;
        for tap in taps {
            let [dx, dy] = tap.offset.map(i64::from);
            let before = raster.clamped(i64::from(x) - dx, i64::from(y) - dy);
            let after = raster.clamped(i64::from(x) + dx, i64::from(y) + dy);
            sum += tap.weight * ((before - centre) + (after - centre));
        }
        held(centre + sum)
    })
}

/// Weights along a line as taps along a row and along a column, `spacing` samples apart; the first weight is that of the
/// farthest place.
pub(crate) fn separable(weights: &[f32], spacing: i32) -> [Vec<Tap>; 2] {
    let distances = (1..=weights.len() as i32).rev().map(|place| place * spacing);
    let taps = |direction: [i32; 2]| {
        let line = distances.clone().zip(weights);
        line.map(|(distance, &weight)| Tap {
            offset: direction.map(|step| step * distance),
            weight,
        })
        .collect()
    };
    [taps([1, 0]), taps([0, 1])]
}

/// The weights at distances of `radius` samples down to 1 under a normal distribution of standard deviation `sigma`, those of
/// all 2 · `radius` + 1 places together being 1.
///
/// A weight relative to the centre's that is below [`LEAST_WEIGHT`] · 16 is none: divided by the sum it stays above
/// [`LEAST_WEIGHT`] up to a `sigma` of 6, and beyond there is none so small within three standard deviations.
pub(crate) fn gaussian(sigma: f32, radius: u32) -> Vec<f32> {
    let twice_variance = 2.0 * (sigma * sigma);
    let relative = |distance: u32| {
        let weight = exp(-((distance * distance) as f32 / twice_variance));
        if weight < LEAST_WEIGHT * 16.0 { 0.0 } else { weight }
    };
    let weights: Vec<f32> = (1..=radius).rev().map(relative).collect();
    let side: f32 = weights.iter().fold(0.0, |sum, weight| sum + weight);
    let total = 1.0 + 2.0 * side;
    weights.into_iter().map(|weight| weight / total).collect()
}

/// Adds `taps` to a plan under the name `name`.
pub(crate) fn constant(plan: Plan, name: &str, taps: &[Tap]) -> Plan {
    let words = |tap: &Tap| {
        [
            tap.offset[0].cast_unsigned(),
            tap.offset[1].cast_unsigned(),
            tap.weight.to_bits(),
        ]
    };
    plan.constant(name, &taps.iter().flat_map(words).collect::<Vec<_>>())
}

/// What a convolution of a plan goes over.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    /// The kernel that the plan is of.
    pub kernel: &'static str,
    /// How it computes.
    pub arithmetic: Arithmetic,
    /// Columns and rows of the rasters.
    pub size: [u32; 2],
    /// How many taps there are.
    pub taps: usize,
    /// The buffer with the taps, three words each.
    pub table: &'a str,
}

/// Adds the convolution of raster `from` to a plan, into the f32 buffer `to`, as a dispatch labelled `label`.
pub(crate) fn append(plan: Plan, site: Site<'_>, from: &str, to: &str, label: &str) -> Result<Plan, KernelError> {
    let source = include_str!("convolve.wgsl");
    let module = site.arithmetic.module(site.kernel, &["seal", "grid"], source)?;
    let [width, height] = site.size;
    let extent = format!("{}_extent", site.table);
    Ok(plan
        .module("convolve", module)
        .uniform(&extent, &[width, height, site.taps as u32])
        .dispatch_of(
            "convolve",
            label,
            "convolve",
            &[&extent, site.table, from, to],
            groups(site.size),
        ))
}

/// The workgroups of a dispatch with an invocation a sample.
pub(crate) fn groups(size: [u32; 2]) -> u64 {
    (u64::from(size[0]) * u64::from(size[1])).div_ceil(INVOCATIONS)
}

#[cfg(test)]
mod tests;
