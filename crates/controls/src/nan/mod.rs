//! A sample that is not a number and comes out as one.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Metric, MetricKind, NanPolicy, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_nan";
const METRIC: &str = "value";

/// The broken twin gives dead samples the value of their code.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "Each code in f32, NaN where its low four bits are zero: a dead sample.",
        clips: 1,
        metrics: &[Metric {
            name: METRIC,
            kind: MetricKind::Plane(None),
            nan: NanPolicy::Class,
        }],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: picture::accepts,
        refuses: picture::refuses,
        reference: |input, _| Ok(picture::outputs(input, METRIC, reference::values)),
        twins: twin::TWINS,
    },
    fixtures: &["codes"],
    formats: &[Format::new(Layout::Rgb, Depth::U8)],
    symptom: |_| Symptom::NanLost,
};

#[cfg(test)]
mod tests {
    use isobit::output::Values;

    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_leaves_no_nan() {
        testing::confirm(&CONTROL, |input| {
            picture::outputs(input, METRIC, |picture| {
                let values = picture.codes.iter().map(|&code| code as f32).collect();
                (picture.width, picture.height, Values::F32(values))
            })
        });
    }
}
