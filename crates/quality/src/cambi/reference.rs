//! The specification of `cambi`, after `libvmaf/src/feature/cambi.c` in scalar C.
//!
//! Banding is a flat area beside another flat area that differs by a few codes. The luma of the distorted clip is brought to
//! 10 bits. Where its surroundings are flat, each pixel's contrast is found from how many pixels of its window share its
//! code and how many lie a step above or below, at five scales; the strongest contrasts of each scale are averaged, and the
//! averages weighted.
//!
//! All up to the counts is in whole numbers: a code is at most 1024 (12 and 16 bits round up to it), a window holds at most
//! 65² pixels, and `weight·p₀·p₁` at most 9·4225²/4 < 2^26. A contrast is one conversion to f32 and one product of f32, and
//! the order in which contrasts are pooled is that in which quickselect leaves them, since the sum in f64 may round. So every
//! score is libvmaf's to the last bit. Luminance goes through `libm::pow` where libvmaf takes that of its C library; it only
//! decides between whole codes.
//!
//! libvmaf's histogram leaves out codes that no step can lead to, and its limits are never stricter than those of a step;
//! here a code is left out where it is brighter than any that a step leads to. Neither changes a contrast.

use isobit::frame::{ClipShape, Input, Plane};
use isobit::kernel::KernelError;
use isobit::output::Output;

use super::settings::{Choices, SCALES, Settings};

/// Name of the score.
pub(super) const CAMBI: &str = "cambi";

/// Weights of the scales, the finest first.
const SCALE_WEIGHTS: [u32; SCALES] = [16, 8, 4, 2, 1];
/// Samples on either side of one that its mask looks at.
const REACH: usize = 3;
/// In place of a code that is not counted.
const UNCOUNTED: u16 = u16::MAX;

/// Elements of a picture, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Map<T> {
    width: usize,
    height: usize,
    pub(super) values: Vec<T>,
}

impl<T: Copy + Default> Map<T> {
    /// The elements that `fill` leaves in each row.
    fn from_rows(width: usize, height: usize, mut fill: impl FnMut(usize, &mut [T])) -> Self {
        let mut values = vec![T::default(); width * height];
        let rows = values.chunks_exact_mut(width).enumerate();
        rows.for_each(|(y, row)| fill(y, row));
        Self { width, height, values }
    }

    fn row(&self, y: usize) -> &[T] {
        &self.values[y * self.width..][..self.width]
    }
}

/// What becomes of a frame at one scale.
pub(super) struct Scale {
    /// The picture, filtered.
    pub(super) image: Map<u16>,
    /// Its contrasts.
    pub(super) contrasts: Map<f32>,
}

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let settings = settings(input.shape())?;
    let score = |frame| Output::score(CAMBI, frame, score(input.plane(1, frame, 0), &settings));
    Ok((0..input.frames()).map(score).collect())
}

/// What analysis of clips of `shape` needs to know.
pub(super) fn settings(shape: &ClipShape) -> Result<Settings, KernelError> {
    Settings::new(shape, &Choices::default()).map_err(|reason| KernelError::Unsupported { kernel: CAMBI, reason })
}

/// The score of a frame's luma.
pub(super) fn score(luma: &Plane, settings: &Settings) -> f64 {
    let image = preprocess(luma, settings);
    let mask = mask(&flat_in_rows(&image), settings.flat_limit);
    let mut pooled = [0.0; SCALES];
    let mut finer = None;
    for (scale, pooled) in pooled.iter_mut().enumerate() {
        let found = analyse(finer.as_ref().unwrap_or(&image), &mask, scale, settings);
        *pooled = pool(found.contrasts.values, settings.topk);
        finer = Some(found.image);
    }
    combine(&pooled, settings)
}

/// The picture that is analysed, in 10 bits: the sampled codes, and where dither is undone the mean of each and its right,
/// lower and lower right neighbours, edges repeated.
pub(super) fn preprocess(luma: &Plane, settings: &Settings) -> Map<u16> {
    let (width, height) = (settings.columns.len(), settings.rows.len());
    let mut codes = Vec::new();
    let image = Map::from_rows(width, height, |y, image| {
        codes.clear();
        codes.extend(luma.codes(settings.rows[y]));
        for (sample, &x) in image.iter_mut().zip(&settings.columns) {
            *sample = ten_bits(codes[x as usize], settings.depth_bits);
        }
    });
    if !settings.anti_dither {
        return image;
    }
    Map::from_rows(width, height, |y, means| {
        let (row, below) = (image.row(y), image.row((y + 1).min(height - 1)));
        let mean = |x: usize, right: usize| (row[x] + row[right] + below[x] + below[right]) >> 2;
        for (x, left) in means[..width - 1].iter_mut().enumerate() {
            *left = mean(x, x + 1);
        }
        means[width - 1] = mean(width - 1, width - 1);
    })
}

/// A code of `bits` in 10 bits, rounded half up.
fn ten_bits(code: u32, bits: u32) -> u16 {
    if bits <= 10 {
        return (code << (10 - bits)) as u16;
    }
    let shift = bits - 10;
    ((code + (1 << (shift - 1))) >> shift) as u16
}

/// How many of the seven samples around one in its row are flat: equal to the sample to their right and to the one below. The
/// last column has none to its right, the last row none below, and there is no sample outside.
pub(super) fn flat_in_rows(image: &Map<u16>) -> Map<u8> {
    let (width, height) = (image.width, image.height);
    // A row with nothing flat on either side of it.
    let mut padded = vec![0; width + 2 * REACH];
    Map::from_rows(width, height, |y, counts| {
        let (row, below) = (image.row(y), image.row((y + 1).min(height - 1)));
        let flat = |x: usize, right: usize| u8::from(row[x] == row[right] && row[x] == below[x]);
        for x in 0..width - 1 {
            padded[REACH + x] = flat(x, x + 1);
        }
        padded[REACH + width - 1] = flat(width - 1, width - 1);
        for (count, seven) in counts.iter_mut().zip(padded.windows(2 * REACH + 1)) {
            *count = seven.iter().sum();
        }
    })
}

/// Where banding is looked for: where more of the 7×7 samples around are flat than `flat_limit`.
pub(super) fn mask(flat: &Map<u8>, flat_limit: u32) -> Map<bool> {
    let (width, height) = (flat.width, flat.height);
    let mut counts = vec![0; width];
    for y in 0..REACH.min(height) {
        add(&mut counts, flat.row(y));
    }
    Map::from_rows(width, height, |y, mask| {
        if y + REACH < height {
            add(&mut counts, flat.row(y + REACH));
        }
        if y > REACH {
            let leaving = flat.row(y - REACH - 1).iter();
            counts.iter_mut().zip(leaving).for_each(|(count, &flat)| *count -= flat);
        }
        for (mask, &count) in mask.iter_mut().zip(&counts) {
            *mask = u32::from(count) > flat_limit;
        }
    })
}

fn add(counts: &mut [u8], flat: &[u8]) {
    counts.iter_mut().zip(flat).for_each(|(count, &flat)| *count += flat);
}

/// The picture and the contrasts of scale `scale`, from the picture of the scale before it and the mask of the whole picture.
pub(super) fn analyse(finer: &Map<u16>, mask: &Map<bool>, scale: usize, settings: &Settings) -> Scale {
    let [width, height] = settings.size(scale).map(|side| side as usize);
    let step = if scale > 0 || settings.halved { 2 } else { 1 };
    let image = filter(&decimate(finer, step, width, height));
    let mask = decimate(mask, 1 << settings.halvings(scale), width, height);
    let contrasts = contrasts(&counted(&image, &mask, settings), settings);
    Scale { image, contrasts }
}

/// Every `step`-th column and row.
fn decimate<T: Copy + Default>(finer: &Map<T>, step: usize, width: usize, height: usize) -> Map<T> {
    Map::from_rows(width, height, |y, coarser| {
        let samples = finer.row(y * step).iter().step_by(step);
        coarser
            .iter_mut()
            .zip(samples)
            .for_each(|(coarser, &sample)| *coarser = sample);
    })
}

/// The mode of each sample and its two neighbours in the row, then of each result and its two neighbours in the column. The
/// first and the last sample of a row stay in the first step, and both steps leave the first and the last row as they are.
fn filter(image: &Map<u16>) -> Map<u16> {
    let (width, height) = (image.width, image.height);
    let in_rows = Map::from_rows(width, height, |y, modes| {
        let row = image.row(y);
        modes.copy_from_slice(row);
        for (mode, three) in modes.iter_mut().skip(1).zip(row.windows(3)) {
            *mode = mode_of_3(three[0], three[1], three[2]);
        }
    });
    Map::from_rows(width, height, |y, modes| {
        if y == 0 || y + 1 == height {
            return modes.copy_from_slice(image.row(y));
        }
        let [above, row, below] = [y - 1, y, y + 1].map(|y| in_rows.row(y));
        for x in 0..width {
            modes[x] = mode_of_3(above[x], row[x], below[x]);
        }
    })
}

/// The value that at least two have, or else the least.
fn mode_of_3(a: u16, b: u16, c: u16) -> u16 {
    if a == b || a == c {
        a
    } else if b == c {
        b
    } else {
        a.min(b).min(c)
    }
}

/// The codes that are counted: where banding is looked for, as far as a step can lead to them.
fn counted(image: &Map<u16>, mask: &Map<bool>, settings: &Settings) -> Map<u16> {
    let brightest = settings.brightest_counted();
    let mut codes = image.clone();
    for (code, &looked_at) in codes.values.iter_mut().zip(&mask.values) {
        if !looked_at || u32::from(*code) > brightest {
            *code = UNCOUNTED;
        }
    }
    codes
}

/// The contrast of each pixel; 0 where its code is not counted.
fn contrasts(codes: &Map<u16>, settings: &Settings) -> Map<f32> {
    let (width, height, reach) = (codes.width, codes.height, settings.window as usize / 2);
    let outside = vec![UNCOUNTED; width];
    let mut counts = Counts::new(width, reach, settings.brightest_counted() as usize + 1);
    for y in 0..reach.min(height) {
        counts.slide(&outside, codes.row(y));
    }
    Map::from_rows(width, height, |y, contrasts| {
        let leaving = if y > reach { codes.row(y - reach - 1) } else { &outside };
        let entering = if y + reach < height {
            codes.row(y + reach)
        } else {
            &outside
        };
        counts.slide(leaving, entering);
        for (x, &code) in codes.row(y).iter().enumerate() {
            if code != UNCOUNTED {
                contrasts[x] = contrast(code, |code| counts.of(code, x), settings);
            }
        }
    })
}

/// For each column, how many pixels of its window have each code, in the window's rows so far.
struct Counts {
    width: usize,
    reach: usize,
    /// Code by code, a row of columns each: a pixel counts in all the columns whose windows hold it, which lie side by side.
    counts: Vec<u16>,
}

impl Counts {
    fn new(width: usize, reach: usize, codes: usize) -> Self {
        let counts = vec![0; codes * width];
        Self { width, reach, counts }
    }

    /// How many pixels of the window around column `x` have `code`.
    fn of(&self, code: u32, x: usize) -> u32 {
        u32::from(self.counts[code as usize * self.width + x])
    }

    /// Moves all windows down by a row.
    fn slide(&mut self, leaving: &[u16], entering: &[u16]) {
        for (x, (&leaving, &entering)) in leaving.iter().zip(entering).enumerate() {
            if leaving == entering {
                continue;
            }
            if leaving != UNCOUNTED {
                self.windows_with(x, leaving).iter_mut().for_each(|count| *count -= 1);
            }
            if entering != UNCOUNTED {
                self.windows_with(x, entering).iter_mut().for_each(|count| *count += 1);
            }
        }
    }

    fn windows_with(&mut self, x: usize, code: u16) -> &mut [u16] {
        let columns = x.saturating_sub(self.reach)..(x + self.reach + 1).min(self.width);
        &mut self.counts[usize::from(code) * self.width..][columns]
    }
}

/// The strongest contrast of a pixel of `code`, of whose window `count` pixels have each code: `weight·p₀·p₁/(p₀ + p₁)` over
/// the steps that can be seen, where `p₀` pixels have its code and `p₁` the one above or the one below, whichever is more.
fn contrast(code: u16, count: impl Fn(u32) -> u32, settings: &Settings) -> f32 {
    let code = u32::from(code);
    let same = count(code);
    let mut strongest = 0.0;
    for (step, by) in (1..).zip(&settings.steps) {
        // libvmaf compares the code as its histogram has it, which begins as many codes lower as there are steps.
        if code > by.brightest || code + settings.steps.len() as u32 + step <= settings.darkest {
            continue;
        }
        let below = code.checked_sub(step).map_or(0, &count);
        let other = count(code + step).max(below);
        let contrast = (by.weight * same * other) as f32 * settings.reciprocals[(same + other) as usize];
        if contrast > strongest {
            strongest = contrast;
        }
    }
    strongest
}

/// The mean of the strongest contrasts, a share of `topk` of all.
pub(super) fn pool(mut contrasts: Vec<f32>, topk: f64) -> f64 {
    let pooled = ((topk * contrasts.len() as f64) as usize).clamp(1, contrasts.len());
    select(&mut contrasts, pooled);
    let sum = contrasts[..pooled]
        .iter()
        .fold(0.0, |sum, &contrast| sum + f64::from(contrast));
    sum / pooled as f64
}

/// Moves the `count` greatest values to the front, by Hoare's quickselect around the value at `count`.
///
/// The order in which it leaves them is part of the definition, as they are summed in it.
fn select(values: &mut [f32], count: usize) {
    if count == values.len() {
        return;
    }
    let (mut first, mut end) = (0, values.len());
    while first + 1 < end {
        let pivot = values[count];
        let (mut left, mut right) = (first, end);
        while left < right {
            while values[left] > pivot {
                left += 1;
            }
            while values[right - 1] < pivot {
                right -= 1;
            }
            if left < right {
                right -= 1;
                values.swap(left, right);
                left += 1;
            }
        }
        if right <= count {
            first = left;
        }
        if count < left {
            end = right;
        }
    }
}

/// The score from the means of all scales.
pub(super) fn combine(pooled: &[f64; SCALES], settings: &Settings) -> f64 {
    let weighted = pooled.iter().zip(SCALE_WEIGHTS);
    let sum = weighted.fold(0.0, |sum, (mean, weight)| sum + mean * f64::from(weight));
    (sum / f64::from(settings.window * settings.window)).min(settings.greatest)
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::frame::{ClipShape, PlaneShape};
    use proptest::prelude::*;

    use super::super::settings::Choices;
    use super::*;

    fn settings(width: u32, height: u32, depth: Depth) -> Settings {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, depth), width, height);
        Settings::new(&shape, &Choices::default()).unwrap()
    }

    fn map<T: Copy>(width: usize, values: &[T]) -> Map<T> {
        Map {
            width,
            height: values.len() / width,
            values: values.to_vec(),
        }
    }

    #[test]
    fn codes_are_rounded_half_up_to_ten_bits() {
        assert_eq!([ten_bits(255, 8), ten_bits(1023, 10)], [1020, 1023]);
        assert_eq!([ten_bits(1, 12), ten_bits(2, 12), ten_bits(4095, 12)], [0, 1, 1024]);
        assert_eq!([ten_bits(31, 16), ten_bits(32, 16), ten_bits(65_535, 16)], [0, 1, 1024]);
    }

    #[test]
    fn eight_bits_are_averaged_with_their_neighbours_and_edges_repeat() {
        let settings = settings(216, 2, Depth::U8);
        let mut codes = vec![0; 432];
        (codes[0], codes[1], codes[216], codes[215], codes[431]) = (10, 20, 30, 5, 7);
        let luma = Plane::new(PlaneShape::tight(216, 2, Depth::U8), Depth::U8, codes).unwrap();
        let image = preprocess(&luma, &settings);
        assert_eq!(image.row(0)[..2], [60, 20]);
        assert_eq!(image.row(0)[214..], [12, 24]);
        assert_eq!(image.row(1)[..1], [60]);
        assert_eq!(image.row(1)[215], 28);
    }

    #[test]
    fn the_mode_is_what_two_have_or_the_least() {
        assert_eq!(
            [
                mode_of_3(1, 5, 5),
                mode_of_3(5, 1, 5),
                mode_of_3(5, 5, 1),
                mode_of_3(3, 2, 9)
            ],
            [5, 5, 5, 2]
        );
        let filtered = filter(&map(3, &[1, 1, 9, 7, 4, 4, 1, 2, 9, 6, 6, 6]));
        assert_eq!(filtered.values, [1, 1, 9, 1, 1, 9, 1, 1, 4, 6, 6, 6]);
    }

    #[test]
    fn a_mask_counts_only_what_lies_inside() {
        let even = flat_in_rows(&map(8, &[5; 64]));
        assert_eq!(even.row(0), [4, 5, 6, 7, 7, 6, 5, 4]);
        assert_eq!(mask(&even, 15).row(0), [true; 8]);
        assert_eq!(mask(&even, 16).row(0)[..2], [false, true]);
        assert_eq!(mask(&even, 48).values.iter().filter(|&&mask| mask).count(), 4);
        // Of a chequerboard only the last sample has no neighbour that differs.
        let chequered: Vec<_> = (0..64).map(|i| (i % 8 + i / 8) % 2).collect();
        let corner = mask(&flat_in_rows(&map(8, &chequered)), 0);
        assert_eq!(corner.values.iter().filter(|&&mask| mask).count(), 16);
    }

    #[test]
    fn a_contrast_is_the_strongest_over_the_steps_that_show() {
        let settings = settings(358, 354, Depth::U10);
        let counts = |code: u32| match code {
            100 => 20,
            101 => 10,
            98 => 20,
            _ => 0,
        };
        // One code: 1·20·10/30; two codes: 2·20·20/40.
        assert_eq!(contrast(100, counts, &settings), 400.0 * settings.reciprocals[40] * 2.0);
        let bright = |code: u32| if code == 178 || code == 179 { 10 } else { 0 };
        assert_eq!(contrast(178, bright, &settings), 100.0 * settings.reciprocals[20]);
        assert_eq!(contrast(179, bright, &settings), 0.0);
        assert_eq!(contrast(0, |code| u32::from(code < 2), &settings), 0.5);
    }

    proptest! {
        #[test]
        fn sliding_counts_are_those_of_each_window(width in 3..20usize, height in 3..20usize, reach in 1..3usize, codes in prop::collection::vec(prop::sample::select(&[0u16, 1, 2, UNCOUNTED]), 400)) {
            let codes = map(width, &codes[..width * height]);
            let mut settings = settings(216, 216, Depth::U10);
            settings.window = 2 * reach as u32 + 1;
            let found = contrasts(&codes, &settings);
            let (columns, rows) = (width as i32, height as i32);
            for (index, &code) in codes.values.iter().enumerate() {
                let (x, y, reach) = ((index % width) as i32, (index / width) as i32, reach as i32);
                let inside = |code: u32| {
                    let window = (y - reach..=y + reach).flat_map(|y| (x - reach..=x + reach).map(move |x| (x, y)));
                    let shown = window.filter(|&(x, y)| (0..columns).contains(&x) && (0..rows).contains(&y));
                    shown.filter(|&(x, y)| u32::from(codes.row(y as usize)[x as usize]) == code).count() as u32
                };
                let expected = if code == UNCOUNTED { 0.0 } else { contrast(code, inside, &settings) };
                prop_assert_eq!(found.values[index], expected);
            }
        }

        #[test]
        fn the_greatest_values_come_first(values in prop::collection::vec(0..9u8, 1..60), count: prop::sample::Index) {
            let mut values: Vec<_> = values.into_iter().map(f32::from).collect();
            let count = count.index(values.len()) + 1;
            let mut sorted = values.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            select(&mut values, count);
            values[..count].sort_by(|a, b| b.total_cmp(a));
            prop_assert_eq!(&values[..count], &sorted[..count]);
        }
    }

    #[test]
    fn the_share_that_is_pooled_is_rounded_down_and_never_nothing() {
        assert_eq!(pool(vec![1.0, 4.0, 2.0, 8.0, 0.0], 0.6), 14.0 / 3.0);
        assert_eq!(pool(vec![1.0, 4.0], 1e-4), 4.0);
        assert_eq!(pool(vec![1.0, 4.0], 1.0), 2.5);
    }

    #[test]
    fn the_finest_scale_weighs_most() {
        let settings = settings(216, 216, Depth::U10);
        assert_eq!(settings.window, 5);
        assert_eq!(combine(&[1.0, 1.0, 1.0, 1.0, 1.0], &settings), 31.0 / 25.0);
        assert_eq!(combine(&[1e5, 0.0, 0.0, 0.0, 0.0], &settings), 1000.0);
    }
}
