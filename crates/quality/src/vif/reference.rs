//! The specification of `vif`, after `libvmaf/src/feature/integer_vif.c`: visual information fidelity in fixed point.
//!
//! Four scales, each half the size of the one before, on the luma alone. At each scale a window slides over both clips and
//! yields the variances and the covariance under it; what they say about the information that the distorted clip kept is a
//! quotient of two sums of logarithms over the plane.
//!
//! # Arithmetic
//!
//! The filters are integers that sum to 2^16, so a filtered value never exceeds 2^16 times the largest sample, and every
//! rounding shift is of an unsigned value:
//!
//! * samples have `bits` bits: those of the clip at scale 0, and 16 below it, where a sample is the filtered one scaled up;
//! * down the columns, means keep 16 bits (shifted by `bits`) and squares 32 (shifted by `2 · (bits − 8)`);
//! * along the rows, means keep all 32 bits and squares are shifted by 16. A mean's square is then shifted by 32, and a
//!   variance is in units of 2^-16 of a squared 8-bit code: at most 2^14 · 2^16, a fourth of the range squared, in an `i32`.
//!
//! The gain and the residual variance are two f64 expressions of five IEEE operations, each truncated to an integer at once,
//! and logarithms come from a table in units of 1/2048; so all four sums are of integers, in any order. A pixel adds less
//! than 2^31 to a sum, and a plane that is addressed in 32 bits has less than 2^32 pixels: `i64` cannot overflow.
//!
//! The quotient is formed in f32, as there. Over the golden clips all scores are libvmaf's to the last bit.
//!
//! # Borders and sizes
//!
//! Samples beyond an edge are mirrored about the edge sample, at every scale. The window reaches 8 samples beyond an edge at
//! scale 0, then 4, 2 and 1, so that sides of 16 and more are mirrored at all scales. A smaller side becomes one sample or
//! none at some scale, which has no mirror image: libvmaf then filters what an earlier scale left in its memory. Such sizes
//! are refused.

use std::ops::Range;
use std::sync::LazyLock;

use isobit::frame::{Input, Plane};
use isobit::kernel::KernelError;
use isobit::output::Output;

/// The number of scales.
pub const SCALES: usize = 4;

/// The least side that is mirrored at all scales.
pub const LEAST_SIDE: u32 = 16;

/// Names of the score of each scale.
pub(super) const SCORE: [&str; SCALES] = [
    "integer_vif_scale0",
    "integer_vif_scale1",
    "integer_vif_scale2",
    "integer_vif_scale3",
];
/// Names of the numerator of each score.
pub(super) const NUMERATOR: [&str; SCALES] = [
    "integer_vif_num_scale0",
    "integer_vif_num_scale1",
    "integer_vif_num_scale2",
    "integer_vif_num_scale3",
];
/// Names of the denominator of each score.
pub(super) const DENOMINATOR: [&str; SCALES] = [
    "integer_vif_den_scale0",
    "integer_vif_den_scale1",
    "integer_vif_den_scale2",
    "integer_vif_den_scale3",
];

/// The filter of each scale, along one dimension: a Gaussian in units of 2^-16. It is the window of the scale's statistics,
/// and the low pass on the way to it from the scale above.
pub const FILTERS: [&[u32]; SCALES] = [
    &[
        489, 935, 1640, 2640, 3896, 5274, 6547, 7455, 7784, 7455, 6547, 5274, 3896, 2640, 1640, 935, 489,
    ],
    &[1244, 3663, 7925, 12590, 14692, 12590, 7925, 3663, 1244],
    &[3571, 16004, 26386, 16004, 3571],
    &[10904, 43728, 10904],
];

/// The variance of the noise in the visual channel, 2, in units of a variance.
pub(super) const NOISE: u32 = 2 << 16;

/// What keeps the gain's divisor above zero, 1e-10, in units of a variance.
pub(super) const EPSILON: f64 = 65536.0 * 1e-10;

/// Units of a logarithm to 1.
pub(super) const LOG_UNIT: u32 = 2048;

/// Base-2 logarithms of the integers from 2^15 to 2^16 − 1, in units of 1/2048: of the f32 nearest to the logarithm, rounded
/// half up. Where the logarithm is less than half an f32 step below a half, 38 times, the entry is rounded up twice.
pub(super) static LOG2: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let nearest = |integer: u16| isobit_exact::math::log2(f32::from(integer));
    let rounded = |log: f32| (log * LOG_UNIT as f32 + 0.5) as u16;
    (1 << 15..=u16::MAX).map(|integer| rounded(nearest(integer))).collect()
});

/// The logarithm of `value`, at least 2^16, by its 16 highest bits, in units of 1/2048.
fn logarithm(value: u64) -> i64 {
    let shift = 48 - value.leading_zeros();
    let highest = (value >> shift) as usize;
    i64::from(LOG2[highest - (1 << 15)]) + i64::from(LOG_UNIT * shift)
}

/// Both clips at one scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Samples in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Bits of a sample.
    pub bits: u32,
    /// The samples of the reference and of the distorted clip, row by row.
    pub samples: [Vec<u16>; 2],
}

/// What is left of one row of windows once the columns are filtered; the entries are of the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMoments {
    /// Means of the reference and of the distorted clip, 16 bits each.
    pub means: [Vec<u32>; 2],
    /// Means of the reference's squares, of the distorted clip's, and of the products.
    pub squares: [Vec<u32>; 3],
}

/// Variances of the two clips and their covariance under one window, in units of 2^-16 of a squared 8-bit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variances {
    /// Of the reference.
    pub reference: i32,
    /// Of the distorted clip.
    pub distorted: i32,
    /// Of one with the other.
    pub joint: i32,
}

/// The four sums over a plane; logarithms in units of 1/2048.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Of the logarithms of the information kept.
    pub kept: i64,
    /// Of the logarithms of the information in the reference.
    pub whole: i64,
    /// Of the distorted clip's variances where the reference's is below the noise.
    pub flat_variance: i64,
    /// Of the windows where the reference's variance is below the noise.
    pub flat: i64,
}

/// What the options say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The largest gain that counts as information kept: 1 leaves no credit for enhancement.
    pub gain_limit: f64,
    /// Whether the first scale is left out.
    pub skip_first: bool,
}

pub(super) fn reference(input: &Input, settings: Settings) -> Result<Vec<Output>, KernelError> {
    let bits = input.shape().format.depth.bits();
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        let levels = levels(input.plane(0, frame, 0), input.plane(1, frame, 0), bits);
        for (scale, level) in levels.iter().enumerate() {
            if scale == 0 && settings.skip_first {
                outputs.extend(skipped(frame));
            } else {
                let sums = sums(level, FILTERS[scale], settings.gain_limit);
                outputs.extend(scores(frame, scale, sums));
            }
        }
    }
    Ok(outputs)
}

/// The outputs of a scale from its sums.
pub(super) fn scores(frame: usize, scale: usize, sums: Sums) -> [Output; 3] {
    let (numerator, denominator) = quotient(sums);
    named(frame, scale, [f64::from(score(sums)), numerator, denominator])
}

/// The outputs of the first scale where it is left out: libvmaf's.
pub(super) fn skipped(frame: usize) -> [Output; 3] {
    named(frame, 0, [0.0, 0.0, -1.0])
}

fn named(frame: usize, scale: usize, [score, numerator, denominator]: [f64; 3]) -> [Output; 3] {
    [
        Output::score(SCORE[scale], frame, score),
        Output::score(NUMERATOR[scale], frame, numerator),
        Output::score(DENOMINATOR[scale], frame, denominator),
    ]
}

/// The levels of both clips, one a scale.
pub fn levels(reference: &Plane, distorted: &Plane, bits: u32) -> [Level; SCALES] {
    let first = Level::of(reference, distorted, bits);
    let second = first.halved(FILTERS[1]);
    let third = second.halved(FILTERS[2]);
    let fourth = third.halved(FILTERS[3]);
    [first, second, third, fourth]
}

/// The sums over the windows of `level`, whose filter is `filter`, with gains up to `gain_limit`.
pub fn sums(level: &Level, filter: &[u32], gain_limit: f64) -> Sums {
    let mut sums = Sums::default();
    for y in 0..level.height {
        for variances in variances(&level.column_moments(y, filter), filter) {
            sums.add(variances, gain_limit);
        }
    }
    sums
}

impl Level {
    fn of(reference: &Plane, distorted: &Plane, bits: u32) -> Self {
        let shape = reference.shape();
        let samples = |plane: &Plane| {
            let rows = (0..shape.height).flat_map(|y| plane.codes(y));
            rows.map(|code| code as u16).collect()
        };
        Self {
            width: shape.width as usize,
            height: shape.height as usize,
            bits,
            samples: [samples(reference), samples(distorted)],
        }
    }

    /// The next level: filtered, and every second sample of every second row kept, from the first on.
    fn halved(&self, filter: &[u32]) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let samples = [0, 1].map(|clip| {
            let mut halved = Vec::with_capacity(width * height);
            for y in 0..height {
                let column = self.filtered_columns(clip, 2 * y, filter);
                let row = convolve(&mirrored(&column, filter.len() / 2), filter);
                halved.extend(
                    row.into_iter()
                        .step_by(2)
                        .take(width)
                        .map(|sum| rounded(sum, 16) as u16),
                );
            }
            halved
        });
        Self {
            width,
            height,
            bits: 16,
            samples,
        }
    }

    /// Row `y` of the samples of `clip` filtered down the columns, 16 bits each.
    pub(super) fn filtered_columns(&self, clip: usize, y: usize, filter: &[u32]) -> Vec<u32> {
        let mut sums = vec![0; self.width];
        for (row, &tap) in self.window_rows(y, filter).zip(filter) {
            for (sum, &sample) in sums.iter_mut().zip(&self.samples[clip][row]) {
                *sum += tap * u32::from(sample);
            }
        }
        sums.into_iter().map(|sum| rounded(sum.into(), self.bits)).collect()
    }

    /// The moments of the windows around row `y`, filtered down the columns.
    pub fn column_moments(&self, y: usize, filter: &[u32]) -> ColumnMoments {
        let mut sums = [const { Vec::new() }; 3].map(|_: Vec<u64>| vec![0; self.width]);
        for (row, &tap) in self.window_rows(y, filter).zip(filter) {
            let [xx, yy, xy] = &mut sums;
            let (reference, distorted) = (&self.samples[0][row.clone()], &self.samples[1][row]);
            for ((((xx, yy), xy), &r), &d) in xx.iter_mut().zip(yy).zip(xy).zip(reference).zip(distorted) {
                let (r, d) = (u32::from(r), u32::from(d));
                *xx += u64::from(tap * r) * u64::from(r);
                *yy += u64::from(tap * d) * u64::from(d);
                *xy += u64::from(tap * r) * u64::from(d);
            }
        }
        let shift = 2 * (self.bits - 8);
        ColumnMoments {
            means: [0, 1].map(|clip| self.filtered_columns(clip, y, filter)),
            squares: sums.map(|sums| sums.into_iter().map(|sum| rounded(sum, shift)).collect()),
        }
    }

    /// Where the rows under a window around row `y` lie in the samples, top to bottom.
    fn window_rows(&self, y: usize, filter: &[u32]) -> impl Iterator<Item = Range<usize>> {
        let first = y as isize - (filter.len() / 2) as isize;
        (first..).take(filter.len()).map(|row| {
            let start = mirror(row, self.height) * self.width;
            start..start + self.width
        })
    }
}

/// The variances under each window of a row, left to right.
pub fn variances(moments: &ColumnMoments, filter: &[u32]) -> impl Iterator<Item = Variances> {
    let filtered = |column: &Vec<u32>| convolve(&mirrored(column, filter.len() / 2), filter);
    let [mean_r, mean_d] = moments.means.each_ref().map(filtered);
    let [xx, yy, xy] = moments.squares.each_ref().map(filtered);
    (0..mean_r.len()).map(move |x| {
        let central =
            |square: u64, mean: u64, other: u64| rounded(square, 16).wrapping_sub(rounded(mean * other, 32)) as i32;
        Variances {
            reference: central(xx[x], mean_r[x], mean_r[x]),
            distorted: central(yy[x], mean_d[x], mean_d[x]).max(0),
            joint: central(xy[x], mean_r[x], mean_d[x]),
        }
    })
}

impl Sums {
    /// Adds what one window says.
    pub(super) fn add(&mut self, variances: Variances, gain_limit: f64) {
        let Variances {
            reference,
            distorted,
            joint,
        } = variances;
        if reference < NOISE as i32 {
            self.flat_variance += i64::from(distorted);
            self.flat += 1;
            return;
        }
        self.whole += logarithm(u64::from(NOISE + reference as u32)) - i64::from(17 * LOG_UNIT);
        if joint > 0 && distorted > 0 {
            let (signal, residual) = channel(variances, gain_limit);
            let noise = u64::from(NOISE) + residual;
            self.kept += logarithm(noise + signal) - logarithm(noise);
        }
    }
}

/// The distorted clip under one window as a gain on the reference and a residual: the variance of the amplified reference,
/// and of the residual, both in whole units.
///
/// All of `variances` are positive.
pub fn channel(variances: Variances, gain_limit: f64) -> (u64, u64) {
    let [reference, distorted, joint] = [variances.reference, variances.distorted, variances.joint].map(f64::from);
    let gain = joint / (reference + EPSILON);
    let residual = ((distorted - gain * joint) as i32).max(0);
    let gain = gain.min(gain_limit);
    ((gain * gain * reference) as u64, residual as u64)
}

/// Numerator and denominator of a scale.
///
/// A window that is flat in the reference counts as 1, of which the distorted clip keeps what its own variance leaves: that
/// is at most a fourth of 65025, the square of the largest 8-bit code.
pub fn quotient(sums: Sums) -> (f64, f64) {
    let unit = f64::from(LOG_UNIT);
    let flat = sums.flat as f64;
    (
        sums.kept as f64 / unit + (flat - sums.flat_variance as f64 / 16384.0 / 65025.0),
        sums.whole as f64 / unit + flat,
    )
}

/// The score of a scale: numerator and denominator are rounded to f32, and so is their quotient.
pub fn score(sums: Sums) -> f32 {
    let (numerator, denominator) = quotient(sums);
    numerator as f32 / denominator as f32
}

/// `value / 2^shift`, rounded half up.
fn rounded(value: u64, shift: u32) -> u32 {
    ((value + ((1 << shift) >> 1)) >> shift) as u32
}

/// The index between 0 and `length` whose sample stands at `index`, less than `length` beyond an edge.
fn mirror(index: isize, length: usize) -> usize {
    let distance = index.unsigned_abs();
    distance.min(2 * (length - 1) - distance)
}

/// A row with `reach` mirrored samples at either end.
fn mirrored(row: &[u32], reach: usize) -> Vec<u32> {
    let reach = reach as isize;
    let indices = -reach..row.len() as isize + reach;
    indices.map(|index| row[mirror(index, row.len())]).collect()
}

/// The sums of the samples under `filter`, as many as the filter fits.
fn convolve(row: &[u32], filter: &[u32]) -> Vec<u64> {
    let mut sums = vec![0; row.len() + 1 - filter.len()];
    for (first, &tap) in filter.iter().enumerate() {
        for (sum, &sample) in sums.iter_mut().zip(&row[first..]) {
            *sum += u64::from(tap) * u64::from(sample);
        }
    }
    sums
}

#[cfg(test)]
mod tests;
