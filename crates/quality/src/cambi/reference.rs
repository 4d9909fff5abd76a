//! The specification of `cambi`, after `libvmaf/src/feature/cambi.c` in scalar C.
//!
//! Banding is a flat area beside another flat area that differs by a few codes. The luma of the distorted clip is brought to
//! 10 bits. Where its surroundings are flat, each pixel's contrast is found from how many pixels of its window share its
//! code and how many lie a step above or below, at five scales; the strongest contrasts of each scale are averaged, and the
//! averages weighted.
//!
//! All up to the counts is in whole numbers: a code is at most 1024, to which 12 and 16 bits round up. A contrast is one
//! conversion to f32 and one product of f32, and contrasts are pooled in the order in which quickselect leaves them, since
//! their sum in f64 may round. So every score is libvmaf's to the last bit. Luminance goes through `libm::pow` where libvmaf
//! takes that of its C library; it only decides between whole codes.

use isobit::frame::{Input, Plane};
use isobit::output::Output;

use super::contrast::{contrasts, counted, pool};
use super::map::Map;
use super::settings::{Analyses, SCALES, Settings};

/// Name of the score of the encode.
pub(super) const CAMBI: &str = "cambi";
/// Name of the score of the source.
pub(super) const SOURCE: &str = "cambi_source";
/// Name of how much more the encode scores.
pub(super) const DIFFERENCE: &str = "cambi_full_reference";

/// Weights of the scales, the finest first.
const SCALE_WEIGHTS: [u32; SCALES] = [16, 8, 4, 2, 1];
/// Samples on either side of one that its mask looks at.
const REACH: usize = 3;

/// What becomes of a frame.
pub(super) struct Stages {
    /// The picture that is analysed.
    pub(super) image: Map<u16>,
    /// In each row, the flat samples among seven.
    pub(super) flat: Map<u8>,
    /// Where banding is looked for.
    pub(super) mask: Map<bool>,
    /// The scales, the finest first.
    pub(super) scales: Vec<Scale>,
}

/// What becomes of a frame at one scale.
pub(super) struct Scale {
    /// The picture, filtered.
    pub(super) image: Map<u16>,
    /// Its codes that are counted.
    pub(super) codes: Map<u16>,
    /// Its contrasts.
    pub(super) contrasts: Map<f32>,
}

pub(super) fn reference(input: &Input, analyses: &Analyses) -> Vec<Output> {
    let score = |clip, frame, settings| {
        let scales = stages(input.plane(clip, frame, 0), settings).scales;
        combine(scales.into_iter().map(|scale| scale.contrasts.values), settings)
    };
    let frame = |frame| {
        let scores: Vec<_> = analyses
            .clips()
            .map(|(clip, settings)| score(clip, frame, settings))
            .collect();
        outputs(frame, &scores, analyses.greatest)
    };
    (0..input.frames()).flat_map(frame).collect()
}

/// The outputs of a frame from the score of the encode and, if it is analysed, that of the source.
pub(super) fn outputs(frame: usize, scores: &[f64], greatest: f64) -> Vec<Output> {
    let output = |name, score: f64| Output::score(name, frame, score.min(greatest));
    let mut outputs = vec![output(CAMBI, scores[0])];
    if let [encode, source] = scores {
        outputs.push(output(SOURCE, *source));
        outputs.push(output(DIFFERENCE, (encode - source).max(0.0)));
    }
    outputs
}

/// All that becomes of a frame's luma.
pub(super) fn stages(luma: &Plane, settings: &Settings) -> Stages {
    let image = preprocess(luma, settings);
    let flat = flat_in_rows(&image);
    let mask = mask(&flat, settings.flat_limit);
    let mut scales: Vec<Scale> = Vec::with_capacity(SCALES);
    for scale in 0..SCALES {
        let finer = scales.last().map_or(&image, |finer| &finer.image);
        scales.push(analyse(finer, &mask, scale, settings));
    }
    Stages {
        image,
        flat,
        mask,
        scales,
    }
}

/// The picture that is analysed, in 10 bits: the sampled codes, and where dither is undone the mean of each and its right,
/// lower and lower right neighbours, edges repeated.
fn preprocess(luma: &Plane, settings: &Settings) -> Map<u16> {
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
fn flat_in_rows(image: &Map<u16>) -> Map<u8> {
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
fn mask(flat: &Map<u8>, flat_limit: u32) -> Map<bool> {
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
fn analyse(finer: &Map<u16>, mask: &Map<bool>, scale: usize, settings: &Settings) -> Scale {
    let [width, height] = settings.size(scale).map(|side| side as usize);
    let step = if scale > 0 || settings.halved { 2 } else { 1 };
    let image = filter(&decimate(finer, step, width, height));
    let mask = decimate(mask, 1 << settings.halvings(scale), width, height);
    let codes = counted(&image, &mask, settings);
    let contrasts = contrasts(&codes, settings);
    Scale {
        image,
        codes,
        contrasts,
    }
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

/// The score from the contrasts of all scales, the finest first.
pub(super) fn combine(contrasts: impl IntoIterator<Item = Vec<f32>>, settings: &Settings) -> f64 {
    let mut sum = 0.0;
    for (contrasts, weight) in contrasts.into_iter().zip(SCALE_WEIGHTS) {
        sum += pool(contrasts, settings.topk) * f64::from(weight);
    }
    sum / f64::from(settings.window * settings.window)
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::frame::{ClipShape, PlaneShape};

    use super::super::KERNEL;
    use super::*;

    fn settings(width: u32, height: u32, depth: Depth) -> Settings {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, depth), width, height);
        Analyses::new(&shape, &KERNEL.options).unwrap().encode
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
        let filtered = filter(&Map::of(3, &[1, 1, 9, 7, 4, 4, 1, 2, 9, 6, 6, 6]));
        assert_eq!(filtered.values, [1, 1, 9, 1, 1, 9, 1, 1, 4, 6, 6, 6]);
    }

    #[test]
    fn a_mask_counts_only_what_lies_inside() {
        let even = flat_in_rows(&Map::of(8, &[5; 64]));
        assert_eq!(even.row(0), [4, 5, 6, 7, 7, 6, 5, 4]);
        assert_eq!(mask(&even, 15).row(0), [true; 8]);
        assert_eq!(mask(&even, 16).row(0)[..2], [false, true]);
        assert_eq!(mask(&even, 48).values.iter().filter(|&&mask| mask).count(), 4);
        // Of a chequerboard only the last sample has no neighbour that differs.
        let chequered: Vec<_> = (0..64).map(|i| (i % 8 + i / 8) % 2).collect();
        let corner = mask(&flat_in_rows(&Map::of(8, &chequered)), 0);
        assert_eq!(corner.values.iter().filter(|&&mask| mask).count(), 16);
    }

    #[test]
    fn the_finest_scale_weighs_most() {
        let settings = settings(216, 216, Depth::U10);
        assert_eq!(settings.window, 5);
        assert_eq!(combine(vec![vec![1.0]; SCALES], &settings), 31.0 / 25.0);
        let finest = [10.0, 0.0, 0.0, 0.0, 0.0].map(|contrast| vec![contrast]);
        assert_eq!(combine(finest, &settings), 160.0 / 25.0);
    }

    #[test]
    fn scores_are_capped_after_the_source_is_taken_off() {
        let values = |scores: &[f64], greatest| -> Vec<_> {
            let outputs = outputs(2, scores, greatest);
            outputs
                .iter()
                .map(|output| (output.metric, output.values.get(0).as_f64()))
                .collect()
        };
        assert_eq!(values(&[7.0], 5.0), [(CAMBI, 5.0)]);
        assert_eq!(
            values(&[9.0, 7.0], 5.0),
            [(CAMBI, 5.0), (SOURCE, 5.0), (DIFFERENCE, 2.0)]
        );
        assert_eq!(values(&[1.0, 2.0], 5.0)[2], (DIFFERENCE, 0.0));
    }
}
