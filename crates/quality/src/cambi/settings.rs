//! What the options and the size of a clip come to: the pictures that are analysed, their windows, and the tables.

use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::options::Options;

use super::KERNEL;
use super::choices::Choices;

/// The side from which on a picture is large enough; one side has to be.
const LEAST_SIDE: u32 = 216;
/// The greatest window whose pixel counts have a reciprocal.
const GREATEST_WINDOW: u32 = 65;
/// How strongly a step of one code, two codes, and so on, counts.
const WEIGHTS: [u32; 32] = [
    1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
];

/// The scales that a picture is analysed at, each half as wide and high as the one before.
pub(super) const SCALES: usize = 5;

/// A step in code that is looked for around a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// How strongly it counts.
    pub(super) weight: u32,
    /// The brightest code from which it can be seen.
    pub(super) brightest: u32,
}

/// What is analysed of a pair of clips.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Analyses {
    /// The encode, which is the distorted clip.
    pub(super) encode: Settings,
    /// The source, which is the reference, where the encode is held against it.
    pub(super) source: Option<Settings>,
    /// The greatest score that is reported.
    pub(super) greatest: f64,
}

/// What analysis of one clip's frames needs to know.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settings {
    /// The columns of the clip that are analysed, left to right.
    pub(super) columns: Vec<u32>,
    /// The rows of it, top to bottom.
    pub(super) rows: Vec<u32>,
    /// Bits of its samples.
    pub(super) depth_bits: u32,
    /// Whether 2×2 samples are averaged, which undoes the dither of 8-bit encodes.
    pub(super) anti_dither: bool,
    /// Banding is looked for where more of the 7×7 samples around are flat.
    pub(super) flat_limit: u32,
    /// Whether the first scale is half the size.
    pub(super) halved: bool,
    /// Side of the window in samples, odd, at most 65.
    pub(super) window: u32,
    /// Steps by one code, by two codes, and so on.
    pub(super) steps: Vec<Step>,
    /// The darkest code in which banding is seen.
    pub(super) darkest: u32,
    /// The reciprocal of each number of samples that a window may hold; that of 0 is 0.
    pub(super) reciprocals: Vec<f32>,
    /// Share of the pixels that are pooled.
    pub(super) topk: f64,
}

impl Analyses {
    /// Analyses of clips of `shape`.
    ///
    /// Rows of a source that is wider than its clip are rows here, at 10 bits too, where libvmaf copies a clip that needs no
    /// sampling with the wrong stride.
    ///
    /// # Errors
    /// Where libvmaf refuses such clips, or would read beyond its pictures and histograms.
    pub(super) fn new(shape: &ClipShape, options: &Options) -> Result<Self, KernelError> {
        Self::of(shape, &Choices::new(options)).map_err(|reason| KernelError::Unsupported {
            kernel: KERNEL.name,
            reason,
        })
    }

    fn of(shape: &ClipShape, choices: &Choices) -> Result<Self, String> {
        let clip = [shape.width, shape.height];
        let encode = encode_size(clip, choices.encode);
        let source = choices.source.filter(|size| !size.contains(&0)).unwrap_or(clip);
        for [width, height] in [encode, source] {
            if width.max(height) < LEAST_SIDE {
                return Err(format!(
                    "a picture of {width}x{height}, and one side has to be at least {LEAST_SIDE}"
                ));
            }
        }
        if (source[0] > encode[0] && source[1] < encode[1]) || (source[0] < encode[0] && source[1] > encode[1]) {
            return Err(format!(
                "a source of {}x{}, wider or higher than its encode of {}x{} but not both",
                source[0], source[1], encode[0], encode[1]
            ));
        }
        let halved = choices.halved_from.is_some_and(|pixels| area(encode) >= pixels);
        let windows = [encode, source].map(|size| window(choices.window, size, halved));
        for (window, [width, height]) in windows.into_iter().zip([encode, source]) {
            if window > GREATEST_WINDOW {
                return Err(format!(
                    "a picture of {width}x{height} takes a window of {window}, and {GREATEST_WINDOW} is the greatest"
                ));
            }
        }
        let settings = |size, window| Settings::new(shape, choices, size, window, halved);
        Ok(Self {
            encode: settings(encode, windows[0])?,
            source: choices.source.map(|_| settings(source, windows[1])).transpose()?,
            greatest: choices.greatest,
        })
    }

    /// The index of each clip that is analysed, and how.
    pub(super) fn clips(&self) -> impl Iterator<Item = (usize, &Settings)> {
        [(1, &self.encode)]
            .into_iter()
            .chain(self.source.iter().map(|source| (0, source)))
    }
}

impl Settings {
    fn new(shape: &ClipShape, choices: &Choices, size: [u32; 2], window: u32, halved: bool) -> Result<Self, String> {
        let [width, height] = size;
        let luminance = choices.least_luminance;
        let darkest = choices.eotf.darkest(luminance);
        let bits = shape.format.depth.bits();
        let encode_bits = if choices.encode_bits == 0 {
            bits
        } else {
            choices.encode_bits
        };
        let step = |step| Step {
            weight: WEIGHTS[step as usize - 1],
            brightest: choices.eotf.brightest(step, choices.threshold),
        };
        let settings = Self {
            columns: sampled(shape.width, width)?,
            rows: sampled(shape.height, height)?,
            depth_bits: bits,
            anti_dither: encode_bits < 10,
            flat_limit: flat_limit(width, height),
            halved,
            window,
            steps: (1..=choices.greatest_step).map(step).collect(),
            darkest: darkest.ok_or_else(|| format!("no code is as bright as {luminance} cd/m²"))?,
            reciprocals: (0..=window * window).map(reciprocal).collect(),
            topk: choices.topk,
        };
        let darkest_counted = settings.darkest.saturating_sub(3 * choices.greatest_step - 1);
        if darkest_counted > settings.brightest_counted() + 1 {
            return Err(format!(
                "no step is seen from {luminance} cd/m² on, and libvmaf has no histogram of no codes"
            ));
        }
        let [least_width, least_height] = settings.size(SCALES - 1);
        if least_width.min(least_height) < window / 2 {
            return Err(format!(
                "a picture of {width}x{height}, whose smallest scale of {least_width}x{least_height} is less than half \
                 its window of {window}"
            ));
        }
        Ok(settings)
    }

    /// Width and height of a scale.
    pub(super) fn size(&self, scale: usize) -> [u32; 2] {
        [&self.columns, &self.rows].map(|side| (side.len() as u32).div_ceil(1 << self.halvings(scale)))
    }

    /// How many times a scale is halved in either direction.
    pub(super) fn halvings(&self, scale: usize) -> u32 {
        scale as u32 + u32::from(self.halved)
    }

    /// The brightest code whose pixels are counted: the greatest that a step leads to from a code where it can be seen.
    pub(super) fn brightest_counted(&self) -> u32 {
        let last = self.steps.last().map_or(0, |step| step.brightest);
        last + self.steps.len() as u32
    }
}

/// The size at which an encode is analysed: that of the clip unless both sides are set, and none is larger than the clip's.
fn encode_size(clip: [u32; 2], [width, height]: [u32; 2]) -> [u32; 2] {
    let scaled_up = width > 0 && height > 0 && width <= clip[0] && height <= clip[1];
    if scaled_up { [width, height] } else { clip }
}

fn area([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

/// The side of the window: `size` at 3840×2160, proportional to width plus height, and odd.
fn window(size: u32, [width, height]: [u32; 2], halved: bool) -> u32 {
    let scaled = (u64::from(size) * (u64::from(width) + u64::from(height)) / 375) >> 4;
    let scaled = if halved { scaled.div_ceil(2) } else { scaled };
    scaled as u32 | 1
}

/// How many of the 7×7 samples around one may be flat without it being looked at: more in larger pictures.
fn flat_limit(width: u32, height: u32) -> u32 {
    let blocks = (width >> 6) * (height >> 6);
    let log2 = blocks.max(1).next_power_of_two().trailing_zeros();
    (15 + 3 * log2) / 2
}

/// The samples of a side of `from` that are taken for a side of `to`: the nearest, in the arithmetic of libvmaf.
fn sampled(from: u32, to: u32) -> Result<Vec<u32>, String> {
    let ratio = from as f32 / to as f32;
    let mut position = (f64::from(ratio / 2.0) - 0.5) as f32;
    let mut samples = Vec::with_capacity(to as usize);
    for _ in 0..to {
        let sample = (f64::from(position) + 0.5) as u32;
        if sample >= from {
            return Err(format!(
                "taking {to} of {from} samples by steps of {ratio} leads beyond the last"
            ));
        }
        samples.push(sample);
        position += ratio;
    }
    Ok(samples)
}

/// 1/`count` as libvmaf's table has it: rounded to nine significant decimals first, and to f32 then. For 42 of the 4,225
/// numbers that is not the f32 nearest to 1/`count`.
fn reciprocal(count: u32) -> f32 {
    if count == 0 {
        return 0.0;
    }
    let count = u64::from(count);
    let mut power = 100_000_000;
    while power / count < 100_000_000 {
        power *= 10;
    }
    let decimals = (power + count / 2) / count;
    (decimals as f64 / power as f64) as f32
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::super::FULL_REFERENCE;
    use super::*;

    fn analyses(width: u32, height: u32, given: &[(&str, &str)]) -> Result<Analyses, String> {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), width, height);
        let given: Vec<_> = given
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let kernel = FULL_REFERENCE.with_options(&given).unwrap();
        Analyses::of(&shape, &Choices::new(&kernel.options))
    }

    fn encode(width: u32, height: u32, given: &[(&str, &str)]) -> Settings {
        analyses(width, height, given).unwrap().encode
    }

    #[test]
    fn reciprocals_are_rounded_twice() {
        let decimal = |count: u32| format!("{:.8e}", 1.0 / f64::from(count)).parse::<f32>().unwrap();
        assert!((1..=4225).all(|count| reciprocal(count) == decimal(count)));
        let twice = (1..=4225u16).filter(|&count| reciprocal(count.into()) != 1.0 / f32::from(count));
        let twice: Vec<_> = twice.collect();
        assert_eq!((twice.len(), &twice[..5]), (42, [82, 83, 244, 488, 504].as_slice()));
    }

    #[test]
    fn windows_are_odd_and_grow_with_the_picture() {
        let window = |width, height| window(65, [width, height], false);
        assert_eq!(
            [window(3840, 2160), window(1920, 1080), window(358, 354), window(216, 1)],
            [65, 33, 7, 3]
        );
        assert_eq!(super::window(65, [3840, 2160], true), 33);
    }

    #[test]
    fn larger_pictures_need_more_flat_samples() {
        assert_eq!(
            [flat_limit(216, 63), flat_limit(358, 354), flat_limit(3840, 2160)],
            [7, 15, 24]
        );
    }

    #[test]
    fn what_libvmaf_refuses_is_refused() {
        let refusal = |width, height, given: &[_]| analyses(width, height, given).unwrap_err();
        assert_eq!(
            refusal(215, 215, &[]),
            "a picture of 215x215, and one side has to be at least 216"
        );
        assert_eq!(
            refusal(3846, 2247, &[]),
            "a picture of 3846x2247 takes a window of 67, and 65 is the greatest"
        );
        assert!(analyses(3846, 2246, &[]).is_ok());
        assert!(analyses(3846, 2247, &[("window_size", "64")]).is_ok());
        assert_eq!(
            refusal(358, 354, &[("src_width", "400"), ("src_height", "300")]),
            "a source of 400x300, wider or higher than its encode of 358x354 but not both"
        );
    }

    #[test]
    fn a_luminance_at_which_no_step_is_seen_is_refused() {
        let luminance = |value| analyses(358, 354, &[("cambi_vis_lum_threshold", value)]);
        assert!(luminance("70").is_ok());
        assert_eq!(
            luminance("120").unwrap_err(),
            "no step is seen from 120 cd/m² on, and libvmaf has no histogram of no codes"
        );
    }

    #[test]
    fn a_scale_has_to_hold_half_a_window() {
        assert!(analyses(216, 1, &[]).is_ok());
        assert_eq!(
            analyses(3000, 128, &[]).unwrap_err(),
            "a picture of 3000x128, whose smallest scale of 188x8 is less than half its window of 33"
        );
    }

    #[test]
    fn an_encode_that_was_scaled_up_is_sampled_at_its_own_size() {
        let smaller = encode(358, 354, &[("enc_width", "180"), ("enc_height", "216")]);
        assert_eq!(smaller.size(0), [180, 216]);
        assert_eq!(
            (&smaller.columns[..4], &smaller.rows[..4]),
            ([0, 2, 4, 6].as_slice(), [0, 2, 4, 5].as_slice())
        );
        assert_eq!((smaller.columns.last(), smaller.rows.last()), (Some(&357), Some(&353)));
        let one_side_larger = encode(358, 354, &[("enc_width", "359"), ("enc_height", "216")]);
        assert_eq!(one_side_larger.size(0), [358, 354]);
    }

    #[test]
    fn a_source_may_be_larger_than_its_clip() {
        let larger = analyses(358, 354, &[("src_width", "716"), ("src_height", "354")]).unwrap();
        let source = larger.source.unwrap();
        assert_eq!(source.columns[..5], [0, 0, 1, 1, 2]);
        assert_eq!((source.window, larger.encode.window), (11, 7));
    }

    #[test]
    fn the_speedup_halves_pictures_from_its_size_on() {
        let given = [("cambi_high_res_speedup", "1080")];
        assert_eq!(encode(1920, 1080, &given).size(0), [960, 540]);
        assert_eq!(encode(1918, 1080, &given).size(1), [959, 540]);
    }
}
