//! Ties rounded away from zero instead of to even: one code too many, and only half way between two.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_ties";

/// The broken twin rounds every tie up.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "Each code divided by four, rounded to nearest, ties to even, and kept below the new range's end.",
        clips: 1,
        metrics: &[picture::CODES],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: picture::accepts,
        refuses: picture::refuses,
        reference: |input, _| Ok(reference::outputs(input)),
        twins: twin::TWINS,
    },
    fixtures: &["codes"],
    formats: &[
        Format::new(Layout::Rgb, Depth::U8),
        Format::new(Layout::Rgb, Depth::U10),
    ],
    symptom: |_| Symptom::OneCode,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// A quarter of `code`, ties up.
    fn away(code: u32) -> u32 {
        (code + 2) / 4
    }

    #[test]
    fn the_fault_is_of_one_code() {
        testing::confirm(&CONTROL, |input| {
            let largest = (1 << (input.shape().format.depth.bits() - 2)) - 1;
            picture::codes(input, |plane| plane.map(|code| away(code).min(largest)))
        });
    }

    #[test]
    fn the_fault_is_at_ties_alone() {
        for code in 0..=0xffff {
            let tie_below_even = code % 8 == 2;
            assert_eq!(away(code) != reference::narrowed(code), tie_below_even, "{code}");
        }
    }
}
