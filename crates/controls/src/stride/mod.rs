//! A stride in bytes taken for a stride in samples: right at eight bits, where the two are one.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_stride";

/// The broken twin reads row 2y where samples take two bytes, wrapped at the end of the plane.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "The samples of a plane without the padding of its rows.",
        clips: 1,
        metrics: &[picture::CODES],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: picture::accepts,
        refuses: picture::refuses,
        reference: |input, _| Ok(picture::codes(input, reference::shown)),
        twins: twin::TWINS,
    },
    fixtures: &["padded"],
    formats: &[
        Format::new(Layout::Yuv420, Depth::U8),
        Format::new(Layout::Yuv420, Depth::U10),
        Format::new(Layout::Yuv420, Depth::U16),
    ],
    symptom: |format| match format.depth.bytes() {
        1 => Symptom::None,
        _ => Symptom::LaterRows,
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_leaves_eight_bits_and_the_first_row() {
        testing::confirm(&CONTROL, |input| {
            let bytes = input.shape().format.depth.bytes() as u32;
            picture::codes(input, |plane| {
                reference::shown_with(plane, |y| y * bytes % plane.height)
            })
        });
    }
}
