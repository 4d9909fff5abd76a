//! What can be set of `adm`, under the names and within the ranges of libvmaf.

use isobit::kernel::KernelError;
use isobit::options::{KernelOption, Options};

use super::KERNEL;

/// The options of the kernel.
pub(super) const OPTIONS: &[KernelOption] = &[
    KernelOption::number(
        "adm_csf_scale",
        "scf",
        "gain of Barten's sensitivity to horizontal and vertical detail",
        1.0,
        [0.0, 50.0],
    ),
    KernelOption::number(
        "adm_csf_diag_scale",
        "scfd",
        "gain of Barten's sensitivity to diagonal detail",
        1.0,
        [0.0, 50.0],
    ),
    KernelOption::number(
        "adm_dlm_weight",
        "dlmw",
        "what detail loss weighs in `adm3`, against additive impairment",
        0.5,
        [0.0, 1.0],
    ),
    KernelOption::number(
        "adm_enhn_gain_limit",
        "egl",
        "how far restored detail may exceed the reference's: 1 is not at all",
        100.0,
        [1.0, 100.0],
    ),
    KernelOption::number(
        "adm_norm_view_dist",
        "nvd",
        "viewing distance in heights of the display",
        3.0,
        [0.75, 24.0],
    ),
    KernelOption::integer("adm_ref_display_height", "rdh", "rows of the display", 1080, [1, 4320]),
    KernelOption::integer(
        "adm_csf_mode",
        "csf",
        "contrast sensitivity: 0 is Watson's, 1 Barten's, 2 a blend fitted to eight displays, 3 the same to the least mean absolute error",
        0,
        [0, 3],
    ),
    KernelOption::number(
        "adm_noise_weight",
        "nw",
        "what each coefficient adds to the sums of numerator and denominator",
        0.03125,
        [0.0, 1500.0],
    ),
    KernelOption::flag("adm_skip_aim", "adm_skip_aim", "counts additive impairment as 0"),
    KernelOption::flag("adm_skip_scale0", "ssz", "leaves the finest scale out of the sums"),
    KernelOption::number("adm_min_val", "min", "the least `adm3`", 0.0, [0.0, 1.0]),
];

/// The values of the options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Gains of Barten's sensitivity: to horizontal and vertical detail, and to diagonal detail.
    pub csf_scales: [f64; 2],
    /// What detail loss weighs in `adm3`.
    pub dlm_weight: f64,
    /// How far restored detail may exceed the reference's.
    pub enhn_gain_limit: f64,
    /// Viewing distance in heights of the display.
    pub norm_view_dist: f64,
    /// Rows of the display.
    pub ref_display_height: i32,
    /// Where the contrast sensitivity comes from.
    pub csf_mode: Sensitivity,
    /// What each coefficient adds to the sums.
    pub noise_weight: f64,
    /// Whether additive impairment counts as 0.
    pub skip_aim: bool,
    /// Whether the finest scale is left out.
    pub skip_scale0: bool,
    /// The least `adm3`.
    pub min_val: f64,
}

/// Where the contrast sensitivity comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensitivity {
    /// Watson, Yang, Solomon and Villasenor.
    Watson,
    /// Barten.
    Barten,
    /// A blend of both, fitted to eight displays.
    Blend,
    /// The same, fitted to the least mean absolute error.
    BlendMae,
}

/// Distance times rows of the usual view: 1080 rows at 3 heights.
const USUAL_VIEW: f64 = 3.0 * 1080.0;

impl Parameters {
    /// The values that are set.
    ///
    /// # Errors
    /// If the display is seen closer than 1080 rows at 3 heights: libvmaf refuses it, as weights then exceed 16 bits.
    pub fn new(options: &Options) -> Result<Self, KernelError> {
        let parameters = Self {
            csf_scales: ["adm_csf_scale", "adm_csf_diag_scale"].map(|name| options.number(name)),
            dlm_weight: options.number("adm_dlm_weight"),
            enhn_gain_limit: options.number("adm_enhn_gain_limit"),
            norm_view_dist: options.number("adm_norm_view_dist"),
            ref_display_height: options.integer("adm_ref_display_height") as i32,
            csf_mode: match options.integer("adm_csf_mode") {
                0 => Sensitivity::Watson,
                1 => Sensitivity::Barten,
                2 => Sensitivity::Blend,
                _ => Sensitivity::BlendMae,
            },
            noise_weight: options.number("adm_noise_weight"),
            skip_aim: options.flag("adm_skip_aim"),
            skip_scale0: options.flag("adm_skip_scale0"),
            min_val: options.number("adm_min_val"),
        };
        let view = parameters.view();
        if view < USUAL_VIEW {
            return Err(unsupported(format!(
                "`adm_norm_view_dist` times `adm_ref_display_height` is {view}, below {USUAL_VIEW}"
            )));
        }
        Ok(parameters)
    }

    /// Whether a pixel is seen under the usual angle.
    pub fn views_as_usual(&self) -> bool {
        (self.view() - USUAL_VIEW).abs() < 1e-8
    }

    fn view(&self) -> f64 {
        self.norm_view_dist * f64::from(self.ref_display_height)
    }
}

/// The kernel is not defined for its options, for this reason.
pub(super) const fn unsupported(reason: String) -> KernelError {
    KernelError::Unsupported {
        kernel: KERNEL.name,
        reason,
    }
}
