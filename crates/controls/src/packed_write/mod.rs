//! Two results in one word, written by two invocations: the half that one of them wrote is lost in the other's copy.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_packed_write";

/// In the broken twin the invocation of an odd column merges its half into the word as it was before its neighbour wrote.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "Each sample scaled to sixteen bits.",
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
        Format::new(Layout::Yuv420, Depth::U8),
        Format::new(Layout::Yuv420, Depth::U10),
    ],
    symptom: |_| Symptom::OneParity,
};

#[cfg(test)]
mod tests {
    use isobit::output::Values;

    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_loses_every_even_column_that_has_a_neighbour() {
        testing::confirm(&CONTROL, |input| {
            let mut outputs = reference::outputs(input);
            for output in &mut outputs {
                let width = output.width as usize;
                let Values::U32(codes) = &mut output.values else {
                    continue;
                };
                for row in codes.chunks_mut(width) {
                    row.chunks_exact_mut(2).for_each(|pair| pair[0] = 0);
                }
            }
            outputs
        });
    }
}
