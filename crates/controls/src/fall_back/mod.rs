//! A step that the host takes in silence because the device could not: right numbers that prove nothing about the device.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_fall_back";

/// The broken twin's second step has no plan.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "Twice each sample, and then one more, in two steps.",
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
    formats: &[Format::new(Layout::Yuv420, Depth::U8)],
    symptom: |_| Symptom::FellBack,
};

#[cfg(test)]
mod tests {
    use isobit::compare::compare;
    use isobit::execution::Execution;
    use isobit::tolerance::Rule;

    use super::*;
    use crate::testing;

    /// A device that returns what its steps would leave.
    fn ran(twin: &str) -> (Vec<isobit::output::Output>, isobit::work::Receipt, isobit::frame::Input) {
        let (_, _, input) = testing::inputs(&CONTROL).next().unwrap();
        let twin = CONTROL.kernel.twin(twin).unwrap();
        let isobit::work::Work::Steps(steps) = twin.work else {
            panic!("no steps");
        };
        let steps = steps(input.shape(), &Options::NONE).unwrap();
        let ran = CONTROL.kernel.run(twin, &input, "toy", &mut |plan, one| {
            let handed = plan.buffers.iter().find_map(|(name, buffer)| match &buffer.role {
                isobit::plan::Role::Constant { words } => Some((name.clone(), words.clone())),
                _ => None,
            });
            let bytes = |words: Vec<u32>| words.into_iter().flat_map(u32::to_le_bytes).collect();
            let left = isobit::execution::Readback {
                buffers: handed.into_iter().map(|(name, words)| (name, bytes(words))).collect(),
            };
            let step = &steps[usize::from(!left.buffers.is_empty())];
            Ok::<_, String>(Execution {
                frames: vec![step.on_host(one, 0, &left).unwrap()],
                ..Execution::default()
            })
        });
        let ran = ran.unwrap();
        let outputs = CONTROL
            .kernel
            .finish(twin, input.shape(), &ran.execution.frames)
            .unwrap();
        (outputs, ran.receipt, input)
    }

    #[test]
    fn the_receipt_tells_the_twins_apart_and_the_numbers_do_not() {
        for (twin, falls) in [("sound", false), ("broken", true)] {
            let (outputs, receipt, input) = ran(twin);
            let reference = CONTROL.kernel.compute(&input).unwrap();
            let comparison = compare(&picture::CODES, &reference, &outputs, &Rule::EXACT).unwrap();
            assert_eq!(comparison.mismatches, 0);
            assert_eq!(receipt.fallen_back().is_some(), falls);
            let confirmed = Symptom::FellBack.confirm(&[comparison], &[], &receipt);
            assert_eq!(confirmed.is_ok(), falls, "{twin}");
        }
    }
}
