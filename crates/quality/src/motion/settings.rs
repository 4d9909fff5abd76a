//! The options of `motion`, under libvmaf's names, and their values.

use isobit::options::{KernelOption, Options};

pub(crate) const FIVE_FRAME_WINDOW: KernelOption = KernelOption::flag(
    "motion_five_frame_window",
    "mffw",
    "compares a frame with the one two before it",
);
pub(crate) const MOVING_AVERAGE: KernelOption =
    KernelOption::flag("motion_moving_average", "mma", "averages motion3 with the frame before");
pub(crate) const MAX_VAL: KernelOption = KernelOption::number(
    "motion_max_val",
    "mmxv",
    "the largest score; what is above is cut to it",
    Settings::DEFAULT.max_val,
    [0.0, 10_000.0],
);

/// The options. `debug` of libvmaf is none of them: it only adds a score that is always there here.
pub(super) const OPTIONS: &[KernelOption] = &[
    KernelOption::flag("motion_force_zero", "force_0", "makes every score zero"),
    KernelOption::number(
        "motion_blend_factor",
        "mbf",
        "the part of what is above the offset that motion3 keeps",
        Settings::DEFAULT.blend_factor,
        [0.0, 1.0],
    ),
    KernelOption::number(
        "motion_blend_offset",
        "mbo",
        "the score above which motion3 is blended",
        Settings::DEFAULT.blend_offset,
        [0.0, 1000.0],
    ),
    KernelOption::number(
        "motion_fps_weight",
        "mfw",
        "a factor that accounts for the frame rate",
        Settings::DEFAULT.fps_weight,
        [0.0, 5.0],
    ),
    MAX_VAL,
    FIVE_FRAME_WINDOW,
    MOVING_AVERAGE,
];

/// Values of all options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Whether every score is zero.
    pub force_zero: bool,
    /// The part of what is above the offset that motion3 keeps, from 0 to 1.
    pub blend_factor: f64,
    /// The score above which motion3 is blended, in 8-bit codes.
    pub blend_offset: f64,
    /// A factor that accounts for the frame rate.
    pub fps_weight: f64,
    /// The largest score, in 8-bit codes.
    pub max_val: f64,
    /// Whether a frame is compared with the one two before it, and not with the one before it.
    pub five_frame_window: bool,
    /// Whether motion3 is averaged with that of the frame before.
    pub moving_average: bool,
}

impl Settings {
    /// The options at their defaults.
    pub const DEFAULT: Self = Self {
        force_zero: false,
        blend_factor: 1.0,
        blend_offset: 40.0,
        fps_weight: 1.0,
        max_val: 10_000.0,
        five_frame_window: false,
        moving_average: false,
    };

    pub(super) fn of(options: &Options) -> Self {
        Self {
            force_zero: options.flag("motion_force_zero"),
            blend_factor: options.number("motion_blend_factor"),
            blend_offset: options.number("motion_blend_offset"),
            fps_weight: options.number("motion_fps_weight"),
            max_val: options.number(MAX_VAL.name),
            five_frame_window: options.flag(FIVE_FRAME_WINDOW.name),
            moving_average: options.flag(MOVING_AVERAGE.name),
        }
    }

    /// How many frames before it the one is that a frame is compared with: 1, or 2 in the five-frame window. So many frames at
    /// the beginning have nothing to be compared with.
    pub const fn back(&self) -> usize {
        if self.five_frame_window { 2 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::KERNEL;

    #[test]
    fn defaults_are_those_of_the_options() {
        assert_eq!(Settings::of(&KERNEL.options), Settings::DEFAULT);
    }

    #[test]
    fn every_option_is_read_and_named_in_the_metrics() {
        let set = [
            ("motion_force_zero", "true"),
            ("motion_blend_factor", "0.5"),
            ("motion_blend_offset", "10"),
            ("motion_fps_weight", "2"),
            ("motion_max_val", "20"),
            ("motion_five_frame_window", "true"),
            ("motion_moving_average", "true"),
        ];
        let given = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let kernel = KERNEL.with_options(&given).unwrap();
        let settings = Settings {
            force_zero: true,
            blend_factor: 0.5,
            blend_offset: 10.0,
            fps_weight: 2.0,
            max_val: 20.0,
            five_frame_window: true,
            moving_average: true,
        };
        assert_eq!(Settings::of(&kernel.options), settings);
        assert_eq!(
            kernel.metrics[2].name,
            "integer_motion2_mbf_0.5_mbo_10_mffw_force_0_mfw_2_mmxv_20_mma"
        );
    }
}
