//! The rules that judge whole planes, frames or pixels rather than one element at a time.

use super::{CompareError, Comparison, Pair, abs_difference, ulp_distance};
use crate::delta_e::can_be_shown;
use crate::kernel::{Encoding, Metric, MetricKind};
use crate::output::{Value, Values};

pub(super) fn rmse(result: &mut Comparison, pairs: &[Pair<'_>], bound: f64) {
    for (reference, twin) in pairs {
        let len = reference.values.len();
        let squares = (0..len).map(|i| {
            let difference = abs_difference(reference.values.get(i), twin.values.get(i));
            difference * difference
        });
        let rmse = (squares.sum::<f64>() / len as f64).sqrt();
        result.note_measure(rmse);
        if !(rmse <= bound) {
            let score = |v: f64| Values::F64(vec![v]).get(0);
            result.record(reference, (0, 0), (score(0.0), score(rmse)), rmse);
        }
    }
}

pub(super) fn ranking(result: &mut Comparison, pairs: &[Pair<'_>]) {
    let order = |side: fn(&Pair<'_>) -> f64| {
        let mut frames: Vec<usize> = (0..pairs.len()).collect();
        frames.sort_by(|&a, &b| side(&pairs[a]).total_cmp(&side(&pairs[b])).then(a.cmp(&b)));
        frames
    };
    let reference = order(|(r, _)| r.values.get(0).as_f64());
    let twin = order(|(_, t)| t.values.get(0).as_f64());
    let frame = |index: usize| Values::U64(vec![pairs[index].0.frame as u64]).get(0);
    for (rank, (&r, &t)) in reference.iter().zip(&twin).enumerate() {
        if r != t {
            result.record(pairs[rank].0, (0, 0), (frame(r), frame(t)), 1.0);
        }
    }
}

pub(super) fn colour(
    result: &mut Comparison,
    metric: &Metric,
    pairs: &[Pair<'_>],
    bound: f64,
    difference: fn(Encoding, [f64; 3], [f64; 3]) -> f64,
) -> Result<(), CompareError> {
    let not_colour = || CompareError::NotColour {
        metric: metric.name.to_owned(),
    };
    let MetricKind::Plane(Some(encoding)) = metric.kind else {
        return Err(not_colour());
    };
    let (pixels, []) = pairs.as_chunks::<3>() else {
        return Err(not_colour());
    };
    for planes in pixels {
        let place = planes[0].0;
        let one_frame = planes
            .iter()
            .enumerate()
            .all(|(plane, (r, _))| r.frame == place.frame && r.plane == plane && r.values.len() == place.values.len());
        if !one_frame {
            return Err(not_colour());
        }
        for index in 0..place.values.len() {
            let reference = [0, 1, 2].map(|plane| planes[plane].0.values.get(index));
            let twin = [0, 1, 2].map(|plane| planes[plane].1.values.get(index));
            let colour = |values: [Value; 3]| values.map(Value::as_f64);
            // A difference is perceived between colours that can be shown; others are judged by the metric's other rules.
            // Only the reference decides, so a twin that leaves the range is still measured.
            if reference == twin || !can_be_shown(encoding, colour(reference)) {
                continue;
            }
            let error = difference(encoding, colour(reference), colour(twin));
            result.note_measure(error);
            if !(error <= bound) {
                let worst_channel = (0..3).max_by_key(|&c| ulp_distance(reference[c], twin[c])).unwrap_or(0);
                let at = (index as u32 % place.width, index as u32 / place.width);
                result.record(
                    planes[worst_channel].0,
                    at,
                    (reference[worst_channel], twin[worst_channel]),
                    error,
                );
            }
        }
    }
    Ok(())
}
