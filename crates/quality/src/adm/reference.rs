//! The specification of `adm`, after `libvmaf/src/feature/integer_adm.c`.
//!
//! Detail that the distorted picture lost is told from impairments that were added to it (Li, Zhang, Ma, Ngan, "Image quality
//! assessment by separately evaluating detail losses and additive impairments", IEEE Trans. Multimedia 13(5), 2011). Both
//! luma planes are decomposed by a four-level Daubechies-2 wavelet; at each level the distorted details are decoupled into
//! what is restored of the reference and what is additive; both are weighed by contrast sensitivity, masked by the other,
//! cubed and summed.
//!
//! # Arithmetic
//!
//! All is fixed point up to the cubes, which [`scores`](super::scores) pools: every sum of a row is exact in any order.
//! libvmaf holds scale 0 in 16 bits and the others in 32, and what is written as a cast here is its truncation. Magnitudes
//! follow from the filters, whose taps add up to 54,822 in units of 2^-15, and from the depth b:
//!
//! | value | at most | so that |
//! |---|---|---|
//! | filtered columns of the picture | 2^(b−1)·54,822/2^b = 27,411 | 16 bits hold them |
//! | coefficients, scale 0 | 22,930 | 16 bits hold them, and their parts once decoupled |
//! | filtered columns, scales 1 to 3 | 1.258e9, 1.760e9, 1.232e9 | 32 bits hold them |
//! | coefficients, scales 1 to 3 | 2.104e9, 1.472e9, 2.060e9 | 32 bits hold them, as weights of scales 1 to 3 are at most 1/16 |
//! | dot products of details | 2·(2.104e9)² = 8.86e18 | an `i64` holds them |
//! | thresholds, scales 1 to 3 | 24·71,582,788 + 3·143,165,576 | 32 bits hold them |
//! | thresholds, scale 0 | 593,087·2^12 | 32 bits do not, and they wrap |
//! | cubes of the denominator, scale 0 | 1.21e13 | a `u64` holds 2^20 of them; beyond, sums of rows are scaled down |
//! | cubes, scales 1 to 3 | 2^62 | 64 bits hold the sum of a row of them over the columns, and of such sums over the rows |
//! | visible cubes, scale 0 | 2^62 | 64 bits do not hold the sum of a row of them over a sixteenth of the columns, and it wraps |
//!
//! The last row says what weights and thresholds would allow and no picture shows: the strongest grating, a sample to a bar,
//! adds up to 5.1e18 at any width. So no sum depends on the size of a frame; what bounds it are the bits that are left below
//! the point, from 65,536 samples a side on. Below 33 a side, a filter of the fourth scale leaves the picture.

use std::ops::Range;

use isobit::format::Depth;
use isobit::frame::{ClipShape, Input, Plane};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::output::Output;

use super::csf::{self, Weights};
use super::parameters::Parameters;
use super::scores;

/// Levels of the wavelet, the finest first.
pub const SCALES: usize = 4;
/// The Daubechies-2 filter in units of 2^-15.
pub const LOW: [i64; 4] = [15_826, 27_411, 7_345, -4_240];
/// The one that keeps detail.
pub const HIGH: [i64; 4] = [-4_240, -7_345, 27_411, -15_826];
/// The part of a side, at either end, that is not pooled.
const BORDER: f64 = 0.1;
/// The square of the cosine of 1 degree.
pub const COS_1DEG_SQUARED: f32 = 0.999_695_4;
/// A thirtieth and a fifteenth of a magnitude: over 2^12 at scale 0, where 5 bits below the point are kept, over 2^32 at the
/// others.
pub const SHARES: [[i64; 2]; 2] = [[4_369, 8_738], [143_165_577, 286_331_153]];
/// One in the gain of a restored detail.
const ONE: i64 = 1 << 15;

/// Columns and rows of one scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// Three planes of coefficients, row by row: horizontal detail (high-pass down the columns), vertical detail (high-pass along
/// the rows) and diagonal detail.
pub type Details = [Vec<i32>; 3];

/// One picture at one scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bands {
    /// Low-pass in both directions, row by row: the picture of the next scale.
    pub approximation: Vec<i32>,
    /// What it lacks of the picture.
    pub details: Details,
}

/// The distorted details, as what is restored of the reference and what is additive. Zero outside the [`margin`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoupled {
    /// What of them is the reference's, dampened or enhanced.
    pub restored: Details,
    /// The rest.
    pub additive: Details,
}

/// What details add to thresholds of visibility, over all bands, row by row. Zero outside the [`margin`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// To the threshold of each of eight neighbours: a thirtieth of the magnitudes.
    pub around: Vec<i32>,
    /// To the threshold of the same place: a fifteenth.
    pub within: Vec<i32>,
}

/// Sums of cubes over each row of the [`interior`], band by band.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Of the reference's details, weights left out.
    pub denominator: Vec<[u64; 3]>,
    /// Of the restored details that the additive ones do not mask.
    pub numerator: Vec<[i64; 3]>,
    /// Of the additive details that the restored ones do not mask.
    pub impairment: Vec<[i64; 3]>,
}

/// All that one scale of a frame goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// Columns and rows.
    pub size: Size,
    /// The reference picture.
    pub reference: Bands,
    /// The distorted picture.
    pub distorted: Bands,
    /// Its details.
    pub decoupled: Decoupled,
    /// What masks additive details.
    pub restored_mask: Mask,
    /// What masks restored details.
    pub additive_mask: Mask,
    /// What is pooled.
    pub rows: Rows,
}

pub(super) fn reference(input: &Input, options: &Options) -> Result<Vec<Output>, KernelError> {
    let parameters = Parameters::new(options)?;
    let weights = csf::weights(&parameters)?;
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        let rows = stages(input, frame, &parameters, &weights).map(|stages| stages.rows);
        outputs.extend(scores::outputs(frame, input.shape(), &parameters, &weights, &rows));
    }
    Ok(outputs)
}

/// All stages of a frame, the finest scale first.
pub fn stages(input: &Input, frame: usize, parameters: &Parameters, weights: &[Weights; SCALES]) -> [Stages; SCALES] {
    let depth = input.shape().format.depth;
    let mut pictures = [0, 1].map(|clip| centred(input.plane(clip, frame, 0), depth));
    let mut picture_size = Size::of(input.shape());
    std::array::from_fn(|scale| {
        let [reference, distorted] = pictures
            .each_ref()
            .map(|picture| decompose(picture, picture_size, shifts(scale, depth)));
        pictures = [&reference, &distorted].map(|bands| bands.approximation.clone());
        let size = picture_size.halved();
        picture_size = size;

        let decoupled = decouple(&reference.details, &distorted.details, size, parameters.enhn_gain_limit);
        let weights = weights[scale].fixed;
        let restored_mask = mask(&decoupled.restored, size, scale, weights);
        let additive_mask = mask(&decoupled.additive, size, scale, weights);
        let rows = Rows {
            denominator: cubes(&reference.details, size, scale),
            numerator: visible_cubes(&decoupled.restored, &additive_mask, size, scale, weights),
            impairment: visible_cubes(&decoupled.additive, &restored_mask, size, scale, weights),
        };
        Stages {
            size,
            reference,
            distorted,
            decoupled,
            restored_mask,
            additive_mask,
            rows,
        }
    })
}

impl Size {
    /// That of the picture.
    pub const fn of(shape: &ClipShape) -> Self {
        Self {
            width: shape.width as usize,
            height: shape.height as usize,
        }
    }

    /// Coefficients of a band.
    pub const fn samples(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// That of the next scale.
    pub const fn halved(self) -> Self {
        Self {
            width: self.width.div_ceil(2),
            height: self.height.div_ceil(2),
        }
    }
}

/// The codes of a plane, about zero.
fn centred(plane: &Plane, depth: Depth) -> Vec<i32> {
    let middle = 1 << (depth.bits() - 1);
    let mut picture = Vec::with_capacity(plane.shape().samples() as usize);
    for y in 0..plane.shape().height {
        picture.extend(plane.codes(y).map(|code| code as i32 - middle));
    }
    picture
}

/// By how many bits a scale's sums are shifted down, after the columns and after the rows.
pub const fn shifts(scale: usize, depth: Depth) -> [u32; 2] {
    [[depth.bits(), 16], [0, 15], [16, 16], [16, 15]][scale]
}

/// One level of the wavelet: down the columns, then along the rows, at every second place.
fn decompose(picture: &[i32], size: Size, shifts: [u32; 2]) -> Bands {
    let halved = size.halved();
    let plane = || Vec::with_capacity(halved.width * halved.height);
    let (mut approximation, mut horizontal, mut vertical, mut diagonal) = (plane(), plane(), plane(), plane());
    let (mut low, mut high) = (vec![0; size.width], vec![0; size.width]);
    for y in 0..halved.height {
        let rows = taps(y, size.height).map(|row| &picture[row * size.width..][..size.width]);
        for x in 0..size.width {
            let column = rows.map(|row| row[x]);
            low[x] = filter(LOW, column, shifts[0]);
            high[x] = filter(HIGH, column, shifts[0]);
        }
        for x in 0..halved.width {
            let at = taps(x, size.width);
            let (low, high) = (at.map(|x| low[x]), at.map(|x| high[x]));
            approximation.push(filter(LOW, low, shifts[1]));
            vertical.push(filter(HIGH, low, shifts[1]));
            horizontal.push(filter(LOW, high, shifts[1]));
            diagonal.push(filter(HIGH, high, shifts[1]));
        }
    }
    Bands {
        approximation,
        details: [horizontal, vertical, diagonal],
    }
}

/// Where the four taps of a filter fall for coefficient `index` of a line. The start is mirrored at its first sample, the end
/// behind its last one.
const fn taps(index: usize, length: usize) -> [usize; 4] {
    const fn mirrored(tap: usize, length: usize) -> usize {
        if tap < length { tap } else { 2 * length - 1 - tap }
    }
    let middle = 2 * index;
    [
        middle.abs_diff(1),
        middle,
        mirrored(middle + 1, length),
        mirrored(middle + 2, length),
    ]
}

/// A filtered sample, scaled down by 2^shift and rounded, halves up.
fn filter(filter: [i64; 4], samples: [i32; 4], shift: u32) -> i32 {
    let products = filter
        .into_iter()
        .zip(samples)
        .map(|(tap, sample)| tap * i64::from(sample));
    shifted(products.sum(), shift) as i32
}

/// `value` over 2^shift, rounded, halves up.
const fn shifted(value: i64, shift: u32) -> i64 {
    (value + (1 << shift >> 1)) >> shift
}

/// Along a side, the places that are pooled.
pub fn interior(side: usize) -> Range<usize> {
    let left = (side as f64 * BORDER - 0.5) as usize;
    left..side - left
}

/// Along a side, the places that are pooled or next to one that is, and a few more at the end.
pub fn margin(side: usize) -> Range<usize> {
    let left = (side as f64 * BORDER - 0.5 - 1.0) as usize;
    left..side.min(side - left + 2)
}

/// Tells restored details from additive ones.
fn decouple(reference: &Details, distorted: &Details, size: Size, gain_limit: f64) -> Decoupled {
    let zeros = || [(); 3].map(|()| vec![0; size.width * size.height]);
    let (mut restored, mut additive) = (zeros(), zeros());
    for y in margin(size.height) {
        let [o, t] = [reference, distorted].map(|details| details.each_ref().map(|plane| row(plane, size, y)));
        let [r, a] =
            [&mut restored, &mut additive].map(|details| details.each_mut().map(|plane| row_mut(plane, size, y)));
        for x in margin(size.width) {
            let [o, t] = [o, t].map(|rows| rows.map(|row| row[x]));
            let aligned = aligned(o, t);
            for band in 0..3 {
                let part = restore(o[band], t[band], aligned, gain_limit);
                r[band][x] = part;
                a[band][x] = t[band] - part;
            }
        }
    }
    Decoupled { restored, additive }
}

/// Whether the horizontal and vertical details of both pictures point into the same direction, to 1 degree.
///
/// With u·v of both, (u·v)² ≥ cos²(1°)·|u|²·|v|². The dot products are rounded to f32; of the products, all f64, only the last
/// one is inexact.
fn aligned(o: [i32; 3], t: [i32; 3]) -> bool {
    let dot = |a: [i32; 3], b: [i32; 3]| i64::from(a[0]) * i64::from(b[0]) + i64::from(a[1]) * i64::from(b[1]);
    let rounded = |dot: i64| f64::from(dot as f32);
    let product = rounded(dot(o, t));
    product >= 0.0 && product * product >= f64::from(COS_1DEG_SQUARED) * rounded(dot(o, o)) * rounded(dot(t, t))
}

/// What of a distorted detail `t` is the reference's detail `o`: as much of it, from none to all, as `t` has, or where the
/// directions are aligned all of `t` up to a gain.
fn restore(o: i32, t: i32, aligned: bool, gain_limit: f64) -> i32 {
    let gain = gain(o, t);
    let restored = shifted(gain * i64::from(o), 15) as i32;
    if !aligned || gain == 0 || o == 0 {
        return restored;
    }
    let enhanced = f64::from(restored) * gain_limit;
    let whole = f64::from(t);
    (if o > 0 {
        enhanced.min(whole)
    } else {
        enhanced.max(whole)
    }) as i32
}

/// t/o from 0 to 1 in units of 2^-15: a product with the reciprocal of the 15 leading bits of o.
fn gain(o: i32, t: i32) -> i64 {
    if o == 0 {
        return ONE;
    }
    if t == 0 || (o < 0) != (t < 0) {
        return 0;
    }
    let excess = 17 - o.unsigned_abs().leading_zeros().min(17);
    let leading = (o.unsigned_abs() + (1 << excess >> 1)) >> excess;
    let reciprocal = i64::from((1 << 30) / leading);
    shifted(reciprocal * i64::from(t).abs(), 15 + excess).min(ONE)
}

/// What details put up against the visibility of others in their place and around it.
fn mask(details: &Details, size: Size, scale: usize, weights: [u32; 3]) -> Mask {
    let zeros = || vec![0; size.width * size.height];
    let (mut around, mut within) = (zeros(), zeros());
    for y in margin(size.height) {
        let details = details.each_ref().map(|plane| row(plane, size, y));
        let (around, within) = (row_mut(&mut around, size, y), row_mut(&mut within, size, y));
        for x in margin(size.width) {
            for band in 0..3 {
                let weighed = weighed(details[band][x], scale, band, weights[band]);
                let [thirtieth, fifteenth] = shares(weighed, scale);
                around[x] += thirtieth;
                within[x] += fifteenth;
            }
        }
    }
    Mask { around, within }
}

/// A thirtieth and a fifteenth of the magnitude of a weighed detail.
fn shares(weighed: i32, scale: usize) -> [i32; 2] {
    let magnitude = i64::from(weighed).abs();
    if scale == 0 {
        SHARES[0].map(|share| i32::from(((share * magnitude + 2_048) >> 12) as i16))
    } else {
        // Half a unit is taken away, where adding it would round: nothing masks by -1.
        SHARES[1].map(|share| ((share * magnitude - (1 << 31)) >> 32) as i32)
    }
}

/// A detail times its weight: at scale 0 with 6 bits below the point and 16 in all, at the others in units of its own.
fn weighed(detail: i32, scale: usize, band: usize, weight: u32) -> i32 {
    let product = i64::from(weight) * i64::from(detail);
    match (scale, band) {
        (0, 2) => i32::from(((product + 65_535) >> 17) as i16),
        (0, _) => i32::from(shifted(product, 15) as i16),
        _ => shifted(product, 28) as i32,
    }
}

/// What the visible part of details adds up to, cubed, in each row that is pooled.
fn visible_cubes(details: &Details, mask: &Mask, size: Size, scale: usize, weights: [u32; 3]) -> Vec<[i64; 3]> {
    let shifts = cube_shifts(scale, size.width);
    let row_sums = |y: usize| {
        let (above, below) = neighbours(y, size.height);
        let around = [above, y, below].map(|y| row(&mask.around, size, y));
        let within = row(&mask.within, size, y);
        let details = details.each_ref().map(|plane| row(plane, size, y));
        let mut sums = [0; 3];
        for x in interior(size.width) {
            let (left, right) = neighbours(x, size.width);
            let beside = around[1][left] + around[1][right];
            let beyond = |row: &[i32]| row[left] + row[x] + row[right];
            let threshold = beyond(around[0]) + beside + beyond(around[2]) + within[x];
            for band in 0..3 {
                let visible = visible(details[band][x], threshold, scale, band, weights[band]);
                sums[band] = i64::wrapping_add(sums[band], cube(visible, shifts[band]));
            }
        }
        sums
    };
    interior(size.height).map(row_sums).collect()
}

/// Row `y` of a plane.
fn row(plane: &[i32], size: Size, y: usize) -> &[i32] {
    &plane[y * size.width..][..size.width]
}

fn row_mut(plane: &mut [i32], size: Size, y: usize) -> &mut [i32] {
    &mut plane[y * size.width..][..size.width]
}

/// The places before and behind `index`: the first is mirrored, the last repeated.
const fn neighbours(index: usize, length: usize) -> (usize, usize) {
    (index.abs_diff(1), if index + 1 < length { index + 1 } else { index })
}

/// By how much the weighed magnitude of a detail exceeds a threshold. At scale 0 the product is not scaled down, the threshold
/// is scaled up instead, and both may wrap.
fn visible(detail: i32, threshold: i32, scale: usize, band: usize, weight: u32) -> i32 {
    let excess = if scale == 0 {
        let product = (weight as i32).wrapping_mul(detail);
        product
            .wrapping_abs()
            .wrapping_sub(threshold << if band == 2 { 12 } else { 10 })
    } else {
        weighed(detail, scale, band, weight).abs() - threshold
    };
    excess.max(0)
}

/// By how many bits the square and the cube of a visible detail are shifted down, band by band.
pub const fn cube_shifts(scale: usize, width: usize) -> [[u32; 2]; 3] {
    let columns = ceil_log2(width);
    if scale == 0 {
        [[29, columns - 4], [29, columns - 4], [30, columns - 3]]
    } else {
        [[30, columns]; 3]
    }
}

/// The base-2 logarithm, rounded up.
pub const fn ceil_log2(number: usize) -> u32 {
    number.next_power_of_two().trailing_zeros()
}

/// The cube of a visible detail, scaled down twice; the square is cut to 32 bits.
fn cube(visible: i32, shifts: [u32; 2]) -> i64 {
    let visible = i64::from(visible);
    let square = shifted(visible * visible, shifts[0]) as i32;
    shifted(i64::from(square) * visible, shifts[1])
}

/// What the reference's details add up to, cubed, in each row that is pooled.
fn cubes(details: &Details, size: Size, scale: usize) -> Vec<[u64; 3]> {
    let shift = ceil_log2(interior(size.width).len());
    let cube = |detail: &i32| {
        let magnitude = u64::from(detail.unsigned_abs());
        let Some(square_shift) = denominator_square_shift(scale) else {
            return magnitude * magnitude * magnitude;
        };
        // A whole unit is added, where half a one would round.
        let square = (magnitude * magnitude + (1 << square_shift)) >> square_shift;
        (square * magnitude + (1 << shift >> 1)) >> shift
    };
    let pooled = |plane, y| &row(plane, size, y)[interior(size.width)];
    let row_sums = |y| details.each_ref().map(|plane| pooled(plane, y).iter().map(cube).sum());
    interior(size.height).map(row_sums).collect()
}

/// By how many bits the square of a detail of the reference is shifted down; not at all at scale 0.
pub const fn denominator_square_shift(scale: usize) -> Option<u32> {
    [None, Some(31), Some(30), Some(31)][scale]
}

#[cfg(test)]
mod tests;
