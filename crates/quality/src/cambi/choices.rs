//! What can be set of `cambi`, under the names and within the ranges of libvmaf.

use isobit::options::{KernelOption, Options};

use super::luminance::Eotf;

/// The options of analysis against the source; the last two are of the source alone.
pub(super) const FULL_REFERENCE: &[KernelOption] = &[
    KernelOption::number(
        "cambi_max_val",
        "cmxv",
        "the greatest score that is reported",
        1000.0,
        [0.0, 1000.0],
    ),
    KernelOption::integer(
        "enc_width",
        "encw",
        "columns of the encode, where it was scaled up; 0 is as many as the clip has",
        0,
        [180, 7680],
    ),
    KernelOption::integer(
        "enc_height",
        "ench",
        "rows of the encode, where it was scaled up; 0 is as many as the clip has",
        0,
        [150, 7680],
    ),
    KernelOption::integer(
        "enc_bitdepth",
        "encbd",
        "bit depth of the encode, whose dither is undone below 10; 0 is that of the clip",
        0,
        [6, 16],
    ),
    KernelOption::integer(
        "window_size",
        "ws",
        "side of the window in samples of a picture of 3840x2160",
        65,
        [15, 127],
    ),
    KernelOption::number(
        "topk",
        "topk",
        "share of the pixels that are pooled, unless 0.6",
        0.6,
        [0.0001, 1.0],
    ),
    KernelOption::number(
        "cambi_topk",
        "ctpk",
        "share of the pixels that are pooled, where `topk` is 0.6",
        0.6,
        [0.0001, 1.0],
    ),
    KernelOption::number(
        "tvi_threshold",
        "tvit",
        "the least step in luminance that can be seen, relative to luminance",
        0.019,
        [0.0001, 1.0],
    ),
    KernelOption::number(
        "cambi_vis_lum_threshold",
        "vlt",
        "luminance in cd/m² below which no banding is seen",
        0.0,
        [0.0, 300.0],
    ),
    KernelOption::integer(
        "max_log_contrast",
        "mlc",
        "base-2 logarithm of the greatest step that is looked for, in codes of 10 bits",
        2,
        [0, 5],
    ),
    KernelOption::choice(
        "eotf",
        "eotf",
        "how the display turns codes into light, where `cambi_eotf` is `bt1886`",
        &["bt1886", "pq"],
    ),
    KernelOption::choice(
        "cambi_eotf",
        "ceot",
        "how the display turns codes into light, unless `bt1886`",
        &["bt1886", "pq"],
    ),
    KernelOption::integer(
        "cambi_high_res_speedup",
        "hrs",
        "analyses pictures of at least as many pixels as one of 1080, 1440 or 2160 rows at half their size; any other number does not",
        0,
        [0, 2160],
    ),
    KernelOption::integer(
        "src_width",
        "srcw",
        "columns of the source; 0 is as many as the clip has",
        0,
        [320, 7680],
    ),
    KernelOption::integer(
        "src_height",
        "srch",
        "rows of the source; 0 is as many as the clip has",
        0,
        [200, 4320],
    ),
];

/// The options of the distorted clip's analysis alone.
pub(super) const OPTIONS: &[KernelOption] = FULL_REFERENCE.split_at(FULL_REFERENCE.len() - 2).0;

/// The values of the options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choices {
    /// The greatest score that is reported.
    pub(super) greatest: f64,
    /// Width and height of the encode; one that is 0 is the clip's.
    pub(super) encode: [u32; 2],
    /// Width and height of the source; one that is 0 is the clip's. `None` where it is not analysed.
    pub(super) source: Option<[u32; 2]>,
    /// Bit depth of the encode; 0 is the clip's.
    pub(super) encode_bits: u32,
    /// Side of the window at 3840×2160, in samples.
    pub(super) window: u32,
    /// Share of the pixels that are pooled.
    pub(super) topk: f64,
    /// The least relative step of luminance that can be seen.
    pub(super) threshold: f64,
    /// Luminance below which no banding is seen, in cd/m².
    pub(super) least_luminance: f64,
    /// The greatest step that is looked for, in codes.
    pub(super) greatest_step: u32,
    /// How the display turns signal into light.
    pub(super) eotf: Eotf,
    /// Pixels from which on analysis begins at half the size.
    pub(super) halved_from: Option<u64>,
}

impl Choices {
    /// The values that are set.
    pub(super) fn new(options: &Options) -> Self {
        let sides = |names: [&str; 2]| names.map(|name| options.integer(name) as u32);
        let either = |first: f64, second: f64, default: f64| if first == default { second } else { first };
        let pq = ["eotf", "cambi_eotf"].map(|name| options.choice(name)).contains(&"pq");
        let full_reference = options.known().len() == FULL_REFERENCE.len();
        Self {
            greatest: options.number("cambi_max_val"),
            encode: sides(["enc_width", "enc_height"]),
            source: full_reference.then(|| sides(["src_width", "src_height"])),
            encode_bits: options.integer("enc_bitdepth") as u32,
            window: options.integer("window_size") as u32,
            topk: either(options.number("topk"), options.number("cambi_topk"), 0.6),
            threshold: options.number("tvi_threshold"),
            least_luminance: options.number("cambi_vis_lum_threshold"),
            greatest_step: 1 << options.integer("max_log_contrast"),
            eotf: if pq { Eotf::Pq } else { Eotf::Bt1886 },
            halved_from: match options.integer("cambi_high_res_speedup") {
                1080 => Some(1920 * 1080),
                1440 => Some(2560 * 1440),
                2160 => Some(3840 * 2160),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FULL_REFERENCE as KERNEL, KERNEL as DISTORTED};
    use super::*;

    fn with(given: &[(&str, &str)]) -> Choices {
        let given: Vec<_> = given
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        Choices::new(&KERNEL.with_options(&given).unwrap().options)
    }

    #[test]
    fn the_older_name_of_an_option_gives_way_or_wins_as_in_libvmaf() {
        assert_eq!(with(&[("topk", "0.5"), ("cambi_topk", "0.3")]).topk, 0.5);
        assert_eq!(with(&[("topk", "0.6"), ("cambi_topk", "0.3")]).topk, 0.3);
        assert_eq!(with(&[("eotf", "pq")]).eotf, Eotf::Pq);
        assert_eq!(with(&[("cambi_eotf", "pq")]).eotf, Eotf::Pq);
        assert_eq!(with(&[]).eotf, Eotf::Bt1886);
    }

    #[test]
    fn only_analysis_against_the_source_has_a_size_of_it() {
        assert_eq!(with(&[("src_width", "640")]).source, Some([640, 0]));
        assert_eq!(Choices::new(&DISTORTED.options).source, None);
        assert!(OPTIONS.iter().all(|option| !option.name.starts_with("src_")));
    }

    #[test]
    fn a_speedup_of_no_known_size_is_none() {
        assert_eq!(with(&[("cambi_high_res_speedup", "1440")]).halved_from, Some(3_686_400));
        assert_eq!(with(&[("cambi_high_res_speedup", "1000")]).halved_from, None);
    }
}
