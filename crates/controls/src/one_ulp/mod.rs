//! One sample, one unit in the last place: the smallest difference there is.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Metric, MetricKind, NanPolicy, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_one_ulp";
const METRIC: &str = "fraction";

/// The broken twin adds one to the bits of the sample in the middle of the plane.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "Each code plus one as a fraction of the range, in f32.",
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
        reference: |input, _| Ok(reference::outputs(input)),
        twins: twin::TWINS,
    },
    // A single frame, so that one sample of the whole clip is off.
    fixtures: &["codes"],
    formats: &[Format::new(Layout::Rgb, Depth::U8)],
    symptom: |_| Symptom::OneUlp,
};

#[cfg(test)]
mod tests {
    use isobit::output::Values;

    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_is_one_unit_in_one_place() {
        testing::confirm(&CONTROL, |input| {
            let mut outputs = reference::outputs(input);
            for output in &mut outputs {
                if let Values::F32(values) = &mut output.values {
                    let middle = values.len() / 2;
                    values[middle] = values[middle].next_up();
                }
            }
            outputs
        });
    }
}
