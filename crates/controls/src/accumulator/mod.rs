//! A sum that starts from whatever the memory held, taken for zero.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Metric, MetricKind, NanPolicy, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_accumulator";
const METRIC: &str = "energy";

/// The broken twin leaves out the step that clears the sums.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "The sum of squares of each row.",
        clips: 1,
        metrics: &[Metric {
            name: METRIC,
            kind: MetricKind::Plane(None),
            nan: NanPolicy::Never,
        }],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: picture::accepts,
        refuses: picture::refuses,
        reference: |input, _| Ok(picture::outputs(input, METRIC, reference::energies)),
        twins: twin::TWINS,
    },
    fixtures: &["padded"],
    formats: &[Format::new(Layout::Yuv420, Depth::U12)],
    symptom: |_| Symptom::Unstable,
};

#[cfg(test)]
mod tests {
    use isobit::execution::{BufferFault, FaultKind};
    use isobit::frame::{ClipShape, Input};
    use isobit::output::Values;

    use super::*;
    use crate::picture::Picture;
    use crate::testing;

    /// The sums of two runs, each from its own poison.
    fn two_runs(sum: u32) -> [u32; 2] {
        [testing::POISON, !testing::POISON].map(|poison| sum.wrapping_add(poison))
    }

    /// What an executor says that keeps apart an element with a byte that nobody touched, and one that differs throughout.
    fn unstable(sum: u32) -> bool {
        let runs = two_runs(sum).map(u32::to_le_bytes);
        let poison = [testing::POISON, !testing::POISON].map(u32::to_le_bytes);
        runs[0] != runs[1] && (0..4).all(|byte| (0..2).any(|run| runs[run][byte] != poison[run][byte]))
    }

    fn sums(input: &Input) -> Vec<Vec<u32>> {
        (0..input.frames())
            .map(|frame| match reference::energies(&Picture::of(input, frame)) {
                (_, _, Values::U32(sums)) => sums,
                _ => unreachable!("energies are integers"),
            })
            .collect()
    }

    #[test]
    fn two_runs_differ_in_nearly_every_row_and_in_every_byte() {
        let input = testing::inputs(&CONTROL).next().unwrap().2;
        let sums = sums(&input);
        let fault = |frame: usize| BufferFault {
            frame,
            buffer: METRIC.to_owned(),
            kind: FaultKind::Unstable,
            count: sums[frame].iter().filter(|&&sum| unstable(sum)).count() as u64,
            first: 0,
        };
        let faults: Vec<_> = (0..sums.len()).map(fault).collect();
        assert!(
            faults
                .iter()
                .all(|fault| fault.count * 10 > sums[fault.frame].len() as u64 * 9)
        );
        testing::confirm_with_faults(
            &CONTROL,
            |input| {
                picture::outputs(input, METRIC, |picture| match reference::energies(picture) {
                    (width, height, Values::U32(sums)) => {
                        let first = sums.iter().map(|&sum| two_runs(sum)[0]).collect();
                        (width, height, Values::U32(first))
                    }
                    other => other,
                })
            },
            |_| faults.clone(),
        );
    }

    #[test]
    fn the_broken_plan_lacks_the_clear_and_nothing_else() {
        let shape = ClipShape::tight(CONTROL.formats[0], 9, 5);
        let plan = |name| {
            let twin = CONTROL.kernel.twin(name).unwrap();
            CONTROL.kernel.plans(twin, &shape, 1).unwrap().remove(0)
        };
        assert_eq!(plan("broken").clear(METRIC).steps.len(), plan("sound").steps.len());
        assert_eq!(plan("broken").steps, plan("sound").steps[1..]);
        assert_eq!(plan("broken").modules, plan("sound").modules);
        assert_eq!(plan("broken").buffers, plan("sound").buffers);
    }
}
