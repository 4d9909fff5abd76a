//! A border mirrored about the wrong point: a filter that is right everywhere but at its far edge.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;
use isobit::kernel::{Control, Kernel, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_mirror";
/// Samples that the filter reaches to either side.
const RADIUS: u32 = 2;

/// The broken twin repeats the last sample of a row, where the mirror has to pass over it.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "Horizontal blur with the weights 1 4 6 4 1, rows mirrored about their first and last sample.",
        clips: 1,
        metrics: &[picture::CODES],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: picture::accepts,
        refuses,
        reference: |input, _| Ok(picture::codes(input, reference::blurred)),
        twins: twin::TWINS,
    },
    fixtures: &["padded"],
    formats: &[
        Format::new(Layout::Yuv420, Depth::U8),
        Format::new(Layout::Yuv420, Depth::U10),
    ],
    symptom: |_| Symptom::Border(RADIUS),
};

fn refuses(shape: &ClipShape) -> Option<String> {
    let width = shape.planes[0].width;
    let narrow = || format!("a row of {width} samples has none to mirror at a distance of {RADIUS}");
    picture::refuses(shape).or_else(|| (width <= RADIUS).then(narrow))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_shows_at_the_edge_alone() {
        testing::confirm(&CONTROL, |input| {
            picture::codes(input, |plane| {
                reference::blurred_with(plane, |x, width| {
                    let folded = x.unsigned_abs();
                    if folded < width { folded } else { 2 * width - 1 - folded }
                })
            })
        });
    }

    #[test]
    fn rows_too_short_to_mirror_are_refused() {
        let format = CONTROL.formats[0];
        assert!(refuses(&ClipShape::tight(format, 2, 9)).is_some());
        assert!(refuses(&ClipShape::tight(format, 3, 9)).is_none());
    }
}
