//! A float sum in another order than the reference's: as good a sum, and not the same bits.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Metric, MetricKind, NanPolicy, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_order";
const METRIC: &str = "energy";
/// The most that two orders of a row can be apart, in units in the last place.
///
/// Each of n − 1 additions of positive terms is off by at most half a unit in the last place of the final sum, in either
/// order (Higham, *Accuracy and Stability of Numerical Algorithms*, §4.2). So the sums of n samples are at most n − 1 such
/// units apart, and twice as many of the smaller units where a power of two lies between them. Here n is at most 66.
const BOUND: u64 = 2 * (66 - 1);

/// The broken twin sums each row from its right end.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "The sum of squares of each row in f32, from left to right.",
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
    formats: &[Format::new(Layout::Yuv420, Depth::U16)],
    symptom: |_| Symptom::Ulps(BOUND),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_fault_is_of_a_few_units_in_the_last_place() {
        testing::confirm(&CONTROL, |input| {
            assert!(2 * u64::from(input.shape().planes[0].width - 1) <= BOUND);
            picture::outputs(input, METRIC, |picture| {
                let mut mirrored = picture.clone();
                mirrored
                    .codes
                    .chunks_mut(picture.width as usize)
                    .for_each(<[u32]>::reverse);
                reference::energies(&mirrored)
            })
        });
    }
}
