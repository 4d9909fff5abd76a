//! The rules that judge whole planes or frames rather than one element at a time, and the norms of planes.

use super::{Comparison, Pair, abs_difference};
use crate::output::{Output, Values};

/// Judges the root of the mean squared error of each pair, relative to what `norm` tells of the reference where that is
/// above 1.
pub(super) fn rmse(result: &mut Comparison, pairs: &[Pair<'_>], bound: f64, norm: impl Fn(&Output) -> f64) {
    for (reference, twin) in pairs {
        let len = reference.values.len();
        let squares = (0..len).map(|i| {
            let difference = abs_difference(reference.values.get(i), twin.values.get(i));
            difference * difference
        });
        let rmse = (squares.sum::<f64>() / len as f64).sqrt();
        let norm = norm(reference).max(1.0);
        result.note_measure(rmse / norm);
        if !(rmse.is_finite() && rmse <= bound * norm) {
            let score = |v: f64| Values::F64(vec![v]).get(0);
            result.record(reference, (0, 0), (score(0.0), score(rmse)), rmse / norm);
        }
    }
}

/// The largest finite magnitude of a plane; 0 where there is none.
pub(super) fn peak(plane: &Output) -> f64 {
    magnitudes(plane).fold(0.0, f64::max)
}

/// The root of the mean square of a plane, in which what is not finite counts as 0.
pub(super) fn rms(plane: &Output) -> f64 {
    let peak = peak(plane);
    if peak == 0.0 {
        return 0.0;
    }
    // Relative to the peak, so that no square overflows: an infinite norm would accept everything.
    let squares = magnitudes(plane).map(|magnitude| (magnitude / peak).powi(2));
    peak * (squares.sum::<f64>() / plane.values.len() as f64).sqrt()
}

fn magnitudes(plane: &Output) -> impl Iterator<Item = f64> + '_ {
    let magnitudes = (0..plane.values.len()).map(|index| plane.values.get(index).as_f64().abs());
    magnitudes.filter(|magnitude| magnitude.is_finite())
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
