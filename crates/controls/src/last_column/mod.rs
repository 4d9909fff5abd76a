//! A loop that ends one column early: values that nobody computed.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_last_column";

/// The broken twin never writes the last column.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "The plane inverted: each code subtracted from the largest one.",
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
    symptom: |_| Symptom::LastColumnUntouched,
};

#[cfg(test)]
mod tests {
    use isobit::execution::{BufferFault, FaultKind};
    use isobit::output::Values;

    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_leaves_the_poison_of_the_last_column() {
        let faults = |outputs: &[isobit::output::Output]| {
            let fault = |frame| BufferFault {
                frame,
                buffer: "codes".to_owned(),
                kind: FaultKind::Untouched,
                count: u64::from(outputs[frame].height),
                first: u64::from(outputs[frame].width - 1),
            };
            (0..outputs.len()).map(fault).collect()
        };
        testing::confirm_with_faults(
            &CONTROL,
            |input| {
                let mut outputs = reference::outputs(input);
                for output in &mut outputs {
                    let width = output.width as usize;
                    if let Values::U32(codes) = &mut output.values {
                        codes
                            .iter_mut()
                            .skip(width - 1)
                            .step_by(width)
                            .for_each(|code| *code = testing::POISON);
                    }
                }
                outputs
            },
            faults,
        );
    }
}
