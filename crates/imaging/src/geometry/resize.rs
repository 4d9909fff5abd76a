//! The weights of resizing along one axis.
//!
//! Sample `o` of `to` covers the samples from o·s to (o + 1)·s of `from`, s = from / to, and its middle lies at (o + ½)·s. The
//! sample whose middle is d from there weighs
//!
//! * `area`: the part of it that is covered;
//! * `bilinear`: 1 − |d|, where positive;
//! * `lanczos3`: sinc(d) · sinc(d/3) for |d| < 3, sinc(d) = sin(πd)/(πd) (C. E. Duchon, "Lanczos Filtering in One and Two
//!   Dimensions", Journal of Applied Meteorology 18, 1979);
//!
//! the latter two with d in units of max(s, 1), so that a picture that shrinks is smoothed as it must be. Weights beyond an edge
//! are left out, and the sum of the others is 1.

use isobit_exact::math;

/// Weights below this count as none.
const LEAST: f64 = 1.0 / (1u32 << 30) as f64;

/// How samples are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resample {
    /// A windowed sinc over three samples to each side; sharp.
    Lanczos3,
    /// A triangle over one sample to each side.
    Bilinear,
    /// The mean over the area that is covered.
    Area,
}

/// The weights along one axis: for each sample that comes out, those of `taps` samples in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Weights of each sample that comes out.
    pub taps: usize,
    /// The first sample that is weighed, for each that comes out.
    pub firsts: Vec<u32>,
    /// `taps` weights for each sample that comes out; zero or of a magnitude from 2^-30 on.
    pub weights: Vec<f32>,
}

impl Axis {
    /// From `from` samples to `to`, both at least one.
    pub fn new(from: u32, to: u32, resample: Resample) -> Self {
        let rows: Vec<(u32, Vec<f64>)> = (0..to).map(|o| weights(from, to, o, resample)).collect();
        let taps = rows.iter().map(|(_, weights)| weights.len()).max().unwrap_or(1);
        let mut axis = Self {
            taps,
            firsts: Vec::new(),
            weights: Vec::new(),
        };
        for (first, weights) in rows {
            // As many samples as all have, moved away from the edge where they would cross it.
            let moved = first.min(from - taps as u32);
            let before = (first - moved) as usize;
            let mut row = vec![0.0; taps];
            for (place, weight) in row[before..].iter_mut().zip(weights) {
                *place = weight as f32;
            }
            axis.firsts.push(moved);
            axis.weights.extend(row);
        }
        axis
    }
}

/// The first sample that is weighed for sample `o`, and its weight and the following.
fn weights(from: u32, to: u32, o: u32, resample: Resample) -> (u32, Vec<f64>) {
    let scale = f64::from(from) / f64::from(to);
    let unit = scale.max(1.0);
    let (start, middle) = (f64::from(o) * scale, (f64::from(o) + 0.5) * scale);
    let reach = match resample {
        Resample::Lanczos3 => 3.0 * unit,
        Resample::Bilinear => unit,
        Resample::Area => scale / 2.0,
    };
    let weight = |sample: u32| {
        let left = f64::from(sample);
        let distance = ((left + 0.5 - middle) / unit).abs();
        match resample {
            Resample::Lanczos3 => lanczos3(distance),
            Resample::Bilinear => (1.0 - distance).max(0.0),
            Resample::Area => ((left + 1.0).min(start + scale) - left.max(start)).max(0.0),
        }
    };
    let first = (middle - reach).floor().max(0.0) as u32;
    let end = ((middle + reach).ceil() as u32).min(from);
    let raw: Vec<f64> = (first..end).map(weight).collect();
    let sum: f64 = raw.iter().sum();
    let parts = raw.iter().map(|weight| weight / sum);
    (
        first,
        parts.map(|part| if part.abs() < LEAST { 0.0 } else { part }).collect(),
    )
}

fn lanczos3(distance: f64) -> f64 {
    if distance >= 3.0 {
        return 0.0;
    }
    sinc(distance) * sinc(distance / 3.0)
}

/// sin(πx)/(πx) for x from 0 on, its sine by shared math in f32 of an angle of at most a right one.
fn sinc(x: f64) -> f64 {
    if x < 1e-6 {
        return 1.0;
    }
    let whole = x.round();
    let sine = f64::from(math::sin(((x - whole) * std::f64::consts::PI) as f32));
    let sign = if whole % 2.0 == 0.0 { 1.0 } else { -1.0 };
    sign * sine / (x * std::f64::consts::PI)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Resample; 3] = [Resample::Lanczos3, Resample::Bilinear, Resample::Area];

    /// The weight of every sample of `from` for sample `o`.
    fn spread(axis: &Axis, from: u32, o: usize) -> Vec<f32> {
        let mut all = vec![0.0; from as usize];
        let first = axis.firsts[o] as usize;
        all[first..][..axis.taps].copy_from_slice(&axis.weights[o * axis.taps..][..axis.taps]);
        all
    }

    #[test]
    fn a_half_is_the_mean_of_two_by_area_and_a_triangle_of_four() {
        let area = Axis::new(8, 4, Resample::Area);
        assert_eq!(spread(&area, 8, 1), [0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0]);
        let triangle = Axis::new(8, 4, Resample::Bilinear);
        assert_eq!(
            spread(&triangle, 8, 1),
            [0.0, 0.125, 0.375, 0.375, 0.125, 0.0, 0.0, 0.0]
        );
        // Beyond the edge nothing is weighed.
        let edge = spread(&triangle, 8, 0);
        assert_eq!(edge[3..], [0.0; 5]);
        assert!((edge[0] - 3.0 / 7.0).abs() < 1e-7 && (edge[2] - 1.0 / 7.0).abs() < 1e-7);
    }

    #[test]
    fn two_thirds_are_covered_in_part() {
        let axis = Axis::new(3, 2, Resample::Area);
        let expected = [[2.0 / 3.0, 1.0 / 3.0, 0.0], [0.0, 1.0 / 3.0, 2.0 / 3.0]];
        for (o, expected) in expected.iter().enumerate() {
            for (weight, expected) in spread(&axis, 3, o).iter().zip(expected) {
                assert!((weight - expected).abs() < 1e-7, "{weight} for {expected}");
            }
        }
    }

    #[test]
    fn lanczos_is_one_at_the_middle_and_none_at_other_samples() {
        assert_eq!(lanczos3(0.0), 1.0);
        for distance in [1.0, 2.0, 3.0, 4.5] {
            assert!(lanczos3(distance).abs() < 1e-7);
        }
        // sinc(½)·sinc(1/6), with sin(π/6) = ½.
        let half = 2.0 / std::f64::consts::PI * (0.5 * 6.0 / std::f64::consts::PI);
        assert!((lanczos3(0.5) - half).abs() < 1e-7);
        assert!(lanczos3(1.5) < 0.0 && lanczos3(2.5) > 0.0);
    }

    #[test]
    fn the_same_size_takes_each_sample_alone() {
        for resample in ALL {
            let axis = Axis::new(9, 9, resample);
            for o in 0..9 {
                let all = spread(&axis, 9, o);
                let others = all.iter().enumerate().filter(|(sample, _)| *sample != o);
                assert!((all[o] - 1.0).abs() < 1e-6 && others.map(|(_, w)| w.abs()).sum::<f32>() < 1e-6);
            }
        }
    }

    proptest! {
        #[test]
        fn weights_sum_to_one_lie_inside_and_mirror(
            from in 1..90u32,
            to in 1..90u32,
            resample in prop::sample::select(&ALL[..]),
        ) {
            let axis = Axis::new(from, to, resample);
            prop_assert_eq!(axis.firsts.len(), to as usize);
            for o in 0..to as usize {
                let all = spread(&axis, from, o);
                let sum: f64 = all.iter().copied().map(f64::from).sum();
                prop_assert!((sum - 1.0).abs() < 1e-6, "{sum}");
                let mirrored = spread(&axis, from, to as usize - 1 - o);
                for (weight, other) in all.iter().zip(mirrored.iter().rev()) {
                    prop_assert!((weight - other).abs() < 2e-6, "{weight} against {other}");
                }
            }
        }
    }
}
