//! What the options and the size of a clip come to: the picture that is analysed, the window, and the tables.

use isobit::frame::ClipShape;

use super::luminance::Eotf;

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

/// The options, under libvmaf's names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choices {
    /// The greatest score that is reported.
    pub(super) cambi_max_val: f64,
    /// Size of the encode in samples, smaller than the clip's where it was scaled up for display; 0 is the clip's.
    pub(super) enc_size: [u32; 2],
    /// Bit depth of the encode; 0 is the clip's.
    pub(super) enc_bitdepth: u32,
    /// Side of the window at 3840×2160, in samples.
    pub(super) window_size: u32,
    /// Share of the pixels that are pooled.
    pub(super) topk: f64,
    /// The least relative step of luminance that can be seen.
    pub(super) tvi_threshold: f64,
    /// Luminance below which no banding is seen, in cd/m².
    pub(super) cambi_vis_lum_threshold: f64,
    /// Steps of up to 2 to that power of codes are looked at.
    pub(super) max_log_contrast: u32,
    /// How the display turns signal into light.
    pub(super) eotf: Eotf,
    /// Rows from which on analysis begins at half the size: 1080, 1440, 2160, or 0 for never.
    pub(super) cambi_high_res_speedup: u32,
}

/// The defaults of libvmaf.
impl Default for Choices {
    fn default() -> Self {
        Self {
            cambi_max_val: 1000.0,
            enc_size: [0, 0],
            enc_bitdepth: 0,
            window_size: 65,
            topk: 0.6,
            tvi_threshold: 0.019,
            cambi_vis_lum_threshold: 0.0,
            max_log_contrast: 2,
            eotf: Eotf::Bt1886,
            cambi_high_res_speedup: 0,
        }
    }
}

/// A step in code that is looked for around a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// How strongly it counts.
    pub(super) weight: u32,
    /// The brightest code from which it can be seen.
    pub(super) brightest: u32,
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
    /// The greatest score that is reported.
    pub(super) greatest: f64,
}

impl Settings {
    /// Settings for clips of `shape`.
    ///
    /// # Errors
    /// Says why libvmaf refuses such a clip, or computes from samples that are not there.
    pub(super) fn new(shape: &ClipShape, choices: &Choices) -> Result<Self, String> {
        let clip = [shape.width, shape.height];
        let [mut width, mut height] = choices.enc_size;
        if width == 0 || height == 0 || width > clip[0] || height > clip[1] {
            [width, height] = clip;
        }
        if width.max(height) < LEAST_SIDE {
            return Err(format!(
                "a picture of {width}x{height}, and one side has to be at least {LEAST_SIDE}"
            ));
        }
        let halved = match choices.cambi_high_res_speedup {
            1080 => u64::from(width) * u64::from(height) >= 1920 * 1080,
            1440 => u64::from(width) * u64::from(height) >= 2560 * 1440,
            2160 => u64::from(width) * u64::from(height) >= 3840 * 2160,
            _ => false,
        };
        let window = window(choices.window_size, width, height, halved);
        if window > GREATEST_WINDOW {
            return Err(format!(
                "a picture of {width}x{height} takes a window of {window}, and {GREATEST_WINDOW} is the greatest"
            ));
        }
        let darkest = choices.eotf.darkest(choices.cambi_vis_lum_threshold).ok_or_else(|| {
            let luminance = choices.cambi_vis_lum_threshold;
            format!("no code is as bright as {luminance} cd/m²")
        })?;
        let bits = shape.format.depth.bits();
        let settings = Self {
            columns: sampled(clip[0], width)?,
            rows: sampled(clip[1], height)?,
            depth_bits: bits,
            anti_dither: (if choices.enc_bitdepth == 0 {
                bits
            } else {
                choices.enc_bitdepth
            }) < 10,
            flat_limit: flat_limit(width, height),
            halved,
            window,
            steps: (1..=1 << choices.max_log_contrast)
                .map(|step| Step {
                    weight: WEIGHTS[step as usize - 1],
                    brightest: choices.eotf.brightest(step, choices.tvi_threshold),
                })
                .collect(),
            darkest,
            reciprocals: (0..=window * window).map(reciprocal).collect(),
            topk: choices.topk,
            greatest: choices.cambi_max_val,
        };
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

/// The side of the window: `size` at 3840×2160, proportional to width plus height, and odd.
fn window(size: u32, width: u32, height: u32, halved: bool) -> u32 {
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

    use super::*;

    fn settings(width: u32, height: u32, choices: &Choices) -> Result<Settings, String> {
        let format = Format::new(Layout::Yuv420, Depth::U8);
        Settings::new(&ClipShape::tight(format, width, height), choices)
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
        let window = |width, height| window(65, width, height, false);
        assert_eq!(
            [window(3840, 2160), window(1920, 1080), window(358, 354), window(216, 1)],
            [65, 33, 7, 3]
        );
        assert_eq!(super::window(65, 3840, 2160, true), 33);
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
        let refusal = |width, height| settings(width, height, &Choices::default()).unwrap_err();
        assert_eq!(
            refusal(215, 215),
            "a picture of 215x215, and one side has to be at least 216"
        );
        assert_eq!(
            refusal(3846, 2247),
            "a picture of 3846x2247 takes a window of 67, and 65 is the greatest"
        );
        assert!(settings(3846, 2246, &Choices::default()).is_ok());
    }

    #[test]
    fn a_scale_has_to_hold_half_a_window() {
        assert!(settings(216, 1, &Choices::default()).is_ok());
        assert_eq!(
            settings(3000, 128, &Choices::default()).unwrap_err(),
            "a picture of 3000x128, whose smallest scale of 188x8 is less than half its window of 33"
        );
    }

    #[test]
    fn an_encode_that_was_scaled_up_is_sampled_at_its_own_size() {
        let choices = Choices {
            enc_size: [179, 216],
            ..Choices::default()
        };
        let smaller = settings(358, 354, &choices).unwrap();
        assert_eq!(smaller.size(0), [179, 216]);
        assert_eq!(
            (&smaller.columns[..3], &smaller.rows[..4]),
            ([1, 3, 5].as_slice(), [0, 2, 4, 5].as_slice())
        );
        assert_eq!(smaller.rows.last(), Some(&353));
        let larger = Choices {
            enc_size: [359, 216],
            ..Choices::default()
        };
        assert_eq!(settings(358, 354, &larger).unwrap().size(0), [358, 354]);
    }

    #[test]
    fn the_speedup_halves_pictures_from_its_size_on() {
        let choices = Choices {
            cambi_high_res_speedup: 1080,
            ..Choices::default()
        };
        assert_eq!(settings(1920, 1080, &choices).unwrap().size(0), [960, 540]);
        assert_eq!(settings(1918, 1080, &choices).unwrap().size(1), [959, 540]);
    }
}
