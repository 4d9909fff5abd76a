//! A monotone cubic through five points a quarter apart, as the cubic of each quarter.
//!
//! F. N. Fritsch and R. E. Carlson, "Monotone Piecewise Cubic Interpolation", SIAM Journal on Numerical Analysis 17 (1980).
//! The slope at a point is the mean of those of the chords beside it, at the ends that of the one chord; zero where the chords
//! turn or one of them is level; and where the slopes α and β at the ends of a chord, in units of its own, lie outside the
//! circle α² + β² = 9, both are shortened to it. Between two points the curve then leaves neither their order nor their range.

use crate::raster::held;

/// Points of a curve: what becomes of 0, ¼, ½, ¾ and 1.
pub type Points = [f64; 5];
/// The cubic of each quarter of the range, as coefficients of t³, t², t and 1, where t goes from 0 to 1 in the quarter.
pub type Cubics = [[f32; 4]; 4];

/// The points of the straight line.
pub const STRAIGHT: Points = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The cubics of the curve through `points`, each from 0 to 1: formed in f64 by operations that are rounded alike everywhere,
/// rounded to f32 and held once. The slopes here are per quarter.
pub fn cubics(points: &Points) -> Cubics {
    let chords = [0, 1, 2, 3].map(|quarter| points[quarter + 1] - points[quarter]);
    let slopes = slopes(&chords);
    [0, 1, 2, 3].map(|quarter| {
        let (chord, [left, right]) = (chords[quarter], [slopes[quarter], slopes[quarter + 1]]);
        let coefficients = [
            left + right - 2.0 * chord,
            3.0 * chord - 2.0 * left - right,
            left,
            points[quarter],
        ];
        coefficients.map(|coefficient| held(coefficient as f32))
    })
}

/// The slope at each point.
fn slopes(chords: &[f64; 4]) -> [f64; 5] {
    let mut slopes = [chords[0], 0.0, 0.0, 0.0, chords[3]];
    for point in 1..4 {
        let [left, right] = [chords[point - 1], chords[point]];
        if left * right > 0.0 {
            slopes[point] = (left + right) / 2.0;
        }
    }
    for (quarter, &chord) in chords.iter().enumerate() {
        if chord == 0.0 {
            continue;
        }
        let (alpha, beta) = (slopes[quarter] / chord, slopes[quarter + 1] / chord);
        let square = alpha * alpha + beta * beta;
        if square > 9.0 {
            let shorter = 3.0 / square.sqrt();
            slopes[quarter] = shorter * alpha * chord;
            slopes[quarter + 1] = shorter * beta * chord;
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The curve in f64, and its slope per quarter.
    fn at(cubics: &Cubics, quarter: usize, t: f64) -> (f64, f64) {
        let [a, b, c, d] = cubics[quarter].map(f64::from);
        (((a * t + b) * t + c) * t + d, (3.0 * a * t + 2.0 * b) * t + c)
    }

    #[test]
    fn a_straight_line_stays_straight() {
        assert_eq!(
            cubics(&STRAIGHT),
            [0.0, 0.25, 0.5, 0.75].map(|start| [0.0, 0.0, 0.25, start])
        );
    }

    #[test]
    fn slopes_are_those_of_the_paper() {
        // Chords of 0.1, 0.3, 0 and −0.2: a mean, none beside the level chord and where the curve turns.
        assert_eq!(slopes(&[0.125, 0.375, 0.0, -0.25]), [0.125, 0.25, 0.0, 0.0, -0.25]);
        // α = 1 and β = 8.5 of the first chord lie outside the circle.
        let [first, second, ..] = slopes(&[1.0 / 32.0, 0.5, 0.25, 0.125]);
        let shorter = 3.0 / (1.0f64 + 8.5 * 8.5).sqrt() / 32.0;
        assert!((first - shorter).abs() < 1e-15 && (second - 8.5 * shorter).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn the_curve_meets_its_points_smoothly_and_overshoots_nowhere(points: [u16; 5]) {
            let points = points.map(|point| f64::from(point % 513) / 512.0);
            let cubics = cubics(&points);
            for quarter in 0..4 {
                let [start, end] = [points[quarter], points[quarter + 1]];
                prop_assert!((at(&cubics, quarter, 0.0).0 - start).abs() < 1e-6);
                prop_assert!((at(&cubics, quarter, 1.0).0 - end).abs() < 1e-6);
                if quarter > 0 {
                    let gap = at(&cubics, quarter - 1, 1.0).1 - at(&cubics, quarter, 0.0).1;
                    prop_assert!(gap.abs() < 3e-6, "{gap}");
                }
                for step in 0..=32u8 {
                    let (_, slope) = at(&cubics, quarter, f64::from(step) / 32.0);
                    prop_assert!(slope * (end - start).signum() > -3e-6, "{slope}");
                }
            }
        }
    }
}
