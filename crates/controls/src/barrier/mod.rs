//! A reduction without its barrier: terms are summed that have not been written.

mod reference;
mod twin;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Control, Kernel, Metric, MetricKind, NanPolicy, Symptom, Window};
use isobit::options::Options;

use crate::picture;

const NAME: &str = "control_barrier";
const METRIC: &str = "sums";
/// Samples in a sum, and invocations in a workgroup: the most that every device takes.
const TERMS: usize = 256;

/// In the broken twin no barrier stands between the writes of the terms and their reads.
pub const CONTROL: Control = Control {
    kernel: Kernel {
        name: NAME,
        summary: "The sums of each 256 samples, row by row.",
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
        reference: |input, _| Ok(picture::outputs(input, METRIC, reference::sums)),
        twins: twin::TWINS,
    },
    fixtures: &["codes"],
    formats: &[Format::new(Layout::Rgb, Depth::U10)],
    symptom: |_| Symptom::Short,
};

#[cfg(test)]
mod tests {
    use isobit::output::Values;

    use super::*;
    use crate::testing;

    /// The sums where subgroups of `lanes` invocations run one after another in `order`, each from start to end.
    fn one_subgroup_at_a_time(
        picture: &picture::Picture,
        lanes: usize,
        order: impl Fn(usize) -> usize,
    ) -> (u32, u32, Values) {
        let sum = |samples: &[u32]| {
            let term = |lane: usize| samples.get(lane).copied().unwrap_or(0);
            let (mut terms, mut pairs) = ([0; TERMS], 0);
            for subgroup in 0..TERMS / lanes {
                let invocations = order(subgroup) * lanes..(order(subgroup) + 1) * lanes;
                invocations.clone().for_each(|lane| terms[lane] = term(lane));
                pairs += invocations
                    .map(|lane| terms[lane] + terms[(lane + TERMS / 2) % TERMS])
                    .sum::<u32>();
            }
            pairs / 2
        };
        let sums: Vec<u32> = picture.codes.chunks(TERMS).map(sum).collect();
        (sums.len() as u32, 1, Values::U32(sums))
    }

    #[test]
    fn the_sum_falls_short_whatever_the_order_and_size_of_subgroups() {
        for lanes in [1, 4, 8, 16, 32, 64, 128] {
            let last = TERMS / lanes - 1;
            for reverse in [false, true] {
                let order = |subgroup| if reverse { last - subgroup } else { subgroup };
                testing::confirm(&CONTROL, |input| {
                    picture::outputs(input, METRIC, |picture| one_subgroup_at_a_time(picture, lanes, order))
                });
            }
        }
    }

    #[test]
    fn the_sum_falls_short_where_half_of_the_workgroup_is_late() {
        testing::confirm(&CONTROL, |input| {
            picture::outputs(input, METRIC, |picture| {
                let sum = |samples: &[u32]| {
                    let late = samples.iter().skip(TERMS / 2).sum::<u32>();
                    (2 * samples.iter().sum::<u32>() - late) / 2
                };
                let sums: Vec<u32> = picture.codes.chunks(TERMS).map(sum).collect();
                (sums.len() as u32, 1, Values::U32(sums))
            })
        });
    }
}
