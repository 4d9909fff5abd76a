//! A shift made for sixteen bits and used at ten and twelve: right at the one depth that was tried.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_shift";

/// The broken twin always drops eight bits.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "The eight most significant bits of each sample.",
        clips: 1,
        metrics: &[picture::CODES],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: picture::accepts,
        refuses: picture::refuses,
        reference: |input, _| Ok(reference::outputs(input)),
        twins: twin::TWINS,
    },
    fixtures: &["padded"],
    formats: &[
        Format::new(Layout::Yuv420, Depth::U10),
        Format::new(Layout::Yuv420, Depth::U12),
        Format::new(Layout::Yuv420, Depth::U16),
    ],
    symptom: |format| match format.depth {
        Depth::U16 => Symptom::None,
        _ => Symptom::Short,
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_falls_short_below_sixteen_bits() {
        testing::confirm(&CONTROL, |input| {
            picture::codes(input, |plane| plane.map(|code| code >> 8))
        });
    }
}
