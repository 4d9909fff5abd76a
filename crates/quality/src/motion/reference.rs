//! The specification of `motion`, after `libvmaf/src/feature/{integer_motion.c,integer_motion.h,motion_blend_tools.h}`.
//!
//! The difference of two luma planes is blurred by five taps, first down and then across; what lies beyond a border is
//! mirrored at its outermost sample. The sum of the absolute values, per sample and in 8-bit codes, is the score of a frame.
//! motion2 is the lesser of the scores around a frame, motion3 that with what is above an offset scaled down, and averaged
//! with the frame before where an option says so.
//!
//! Planes are compared in integers, so the order of sums does not matter. The taps add up to 2^16 and codes are below 2^16:
//! either blur stays below 2^32, which takes 34 bits with its sign and its rounding, and here has 64. A blurred difference is
//! rounded back to 17 bits with its sign, at every depth alike, so the sum over a plane, in 64 bits, would overflow beyond
//! 2^47 samples. (libvmaf adds a row in 32 bits, which wraps where more than 65,537 columns all differ by the highest code;
//! here no sum wraps.) The scores end in IEEE operations on f64 in libvmaf's order: they are its to the last bit.
//!
//! A side of fewer than three samples has nothing to mirror two samples beyond its border with. libvmaf reads outside of the
//! plane there; here such sizes are refused.

use isobit::frame::{ClipShape, Input, Plane, PlaneShape};

use super::settings::Settings;
use crate::planes;

/// The blur, in 2^-16.
const TAPS: [i64; 5] = [3571, 16004, 26386, 16004, 3571];
/// Taps on each side of the centre.
const RADIUS: usize = TAPS.len() / 2;

/// Why a clip of this shape has no scores.
pub(crate) fn refuses(shape: &ClipShape) -> Option<String> {
    let side = shape.width.min(shape.height);
    let small = side <= RADIUS as u32;
    let reason = || format!("a side of {side} samples, and a border is mirrored {RADIUS} samples deep");
    small.then(reason).or_else(|| planes::refuses(shape))
}

/// The sum of absolute differences of every frame with the one that it is compared with, the first one standing for those
/// before it.
pub(crate) fn sads(input: &Input, settings: &Settings) -> Vec<u64> {
    let luma = |frame| input.plane(0, frame, 0);
    let bits = input.shape().format.depth.bits();
    let sad = |frame: usize| sad(luma(frame.saturating_sub(settings.back())), luma(frame), bits);
    (0..input.frames()).map(sad).collect()
}

/// The sum of absolute values of the blurred difference of two planes of the same shape, of `bits` bits a sample, in 1/256 of
/// an 8-bit code.
///
/// # Panics
/// If a side has fewer than three samples.
pub fn sad(previous: &Plane, current: &Plane, bits: u32) -> u64 {
    let mut sad = 0;
    each_row(previous, current, bits, |row| {
        sad += row.iter().map(|value| u64::from(value.unsigned_abs())).sum::<u64>();
    });
    sad
}

/// Hands the rows of the blurred difference to `take`, top to bottom.
pub(super) fn each_row(previous: &Plane, current: &Plane, bits: u32, mut take: impl FnMut(&[i32])) {
    let PlaneShape { width, height, .. } = current.shape();
    let (width, height) = (width as usize, height as usize);
    let differences: Vec<Vec<i32>> = (0..height as u32).map(|y| difference(previous, current, y)).collect();
    let mut down = vec![0; width];
    let mut across = vec![0; width];
    for y in 0..height {
        let rows = mirrored(y, height).map(|row| differences[row].as_slice());
        for (x, value) in down.iter_mut().enumerate() {
            *value = blur(rows.map(|row| row[x]), bits);
        }
        for (x, value) in across.iter_mut().enumerate() {
            let columns = if (RADIUS..width - RADIUS).contains(&x) {
                [x - 2, x - 1, x, x + 1, x + 2]
            } else {
                mirrored(x, width)
            };
            *value = blur(columns.map(|column| down[column]), 16);
        }
        take(&across);
    }
}

/// Row `y` of the first plane minus that of the second.
fn difference(previous: &Plane, current: &Plane, y: u32) -> Vec<i32> {
    let pairs = previous.codes(y).zip(current.codes(y));
    pairs.map(|(p, c)| p as i32 - c as i32).collect()
}

/// The five places around `centre` among `length`, mirrored where they lie beyond the first or the last.
fn mirrored(centre: usize, length: usize) -> [usize; TAPS.len()] {
    std::array::from_fn(|tap| {
        let place = (centre + tap).abs_diff(RADIUS);
        place.min(2 * (length - 1) - place)
    })
}

/// The weighted sum of five values over 2^`bits`, rounded to the nearest whole number, halves upwards.
fn blur(values: [i32; TAPS.len()], bits: u32) -> i32 {
    let products = values.into_iter().zip(TAPS).map(|(value, tap)| tap * i64::from(value));
    ((products.sum::<i64>() + (1 << (bits - 1))) >> bits) as i32
}

/// The score of a frame from its sum of absolute differences over `samples` samples, in 8-bit codes.
pub fn score(sad: u64, samples: u64, settings: &Settings) -> f64 {
    (sad as f64 / 256.0 / samples as f64 * settings.fps_weight).min(settings.max_val)
}

/// The scores of a frame, in 8-bit codes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// How much it differs from the frame that it is compared with; zero where there is none.
    pub sad: f64,
    /// The lesser of the scores around it.
    pub motion2: f64,
    /// The same blended, and averaged where an option says so; the first frames have that of the first with a score.
    pub motion3: f64,
}

/// The scores of all frames of a clip from their sums of absolute differences over `samples` samples.
pub fn motions(sads: &[u64], samples: u64, settings: &Settings) -> Vec<Motion> {
    let first = settings.back();
    let score = |(frame, &sad): (usize, &u64)| {
        let zero = settings.force_zero || frame < first;
        if zero { 0.0 } else { score(sad, samples, settings) }
    };
    let scores: Vec<f64> = sads.iter().enumerate().map(score).collect();

    let stamp = scores.get(first).map_or(0.0, |&score| blended(score, settings));
    let mut before = stamp;
    let motion = |(frame, &sad): (usize, &f64)| {
        let motion2 = least_around(&scores, frame, first);
        if frame < first {
            return Motion {
                sad,
                motion2,
                motion3: stamp,
            };
        }
        let blended = blended(motion2, settings);
        let average = (blended + before) / 2.0;
        before = blended;
        let motion3 = if settings.moving_average { average } else { blended };
        Motion { sad, motion2, motion3 }
    };
    scores.iter().enumerate().map(motion).collect()
}

/// The lesser of the scores of the two frames that are `first` apart, the later one being the next after `frame`. Before frame
/// `first` there are no scores: the later one counts alone, or zero if `frame` has none itself. The last frame counts alone.
fn least_around(scores: &[f64], frame: usize, first: usize) -> f64 {
    if frame < first {
        return 0.0;
    }
    let earlier = frame + 1 - first;
    match scores.get(frame + 1) {
        None => scores[frame],
        Some(&later) if earlier < first => later,
        Some(&later) => scores[earlier].min(later),
    }
}

/// A score of which only a part of what is above the offset is kept, cut to the largest score.
fn blended(score: f64, settings: &Settings) -> f64 {
    let &Settings {
        blend_factor: factor,
        blend_offset: offset,
        max_val,
        ..
    } = settings;
    (score * factor + (1.0 - factor) * offset.min(score)).min(max_val)
}

#[cfg(test)]
mod tests;
