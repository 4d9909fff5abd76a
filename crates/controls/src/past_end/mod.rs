//! A result written behind the end of its buffer: every value is right, and somebody else's memory is not.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_past_end";

/// In the broken twin one invocation more than there are samples writes a result.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "Each code halved, rounded down.",
        clips: 1,
        metrics: &[picture::CODES],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: picture::accepts,
        refuses: picture::refuses,
        reference: |input, _| Ok(picture::codes(input, |picture| picture.map(reference::halved))),
        twins: twin::TWINS,
    },
    fixtures: &["padded"],
    formats: &[Format::new(Layout::Yuv420, Depth::U8)],
    symptom: |_| Symptom::GuardHit,
};

#[cfg(test)]
mod tests {
    use isobit::execution::{BufferFault, FaultKind};

    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_shows_in_no_value() {
        let hit = |frame| BufferFault {
            frame,
            buffer: "codes".to_owned(),
            kind: FaultKind::GuardAfter,
            count: 4,
            first: 0,
        };
        testing::confirm_with_faults(
            &CONTROL,
            |input| CONTROL.kernel.compute(input).unwrap(),
            |outputs| (0..outputs.len()).map(hit).collect(),
        );
    }
}
