//! The rules that judge whole planes or frames rather than one element at a time.

use super::{Comparison, Pair, abs_difference};
use crate::output::Values;

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
