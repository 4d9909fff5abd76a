//! Points of light on black: sums and products without rounding, so that thresholds, scores and sums can be met to the last bit.

use crate::paint::Site;

/// Column, row and brightness of each point: so far apart that no move takes one near another. The lowest one comes last.
const POINTS: [(i64, i64, f32); 7] = [
    (17, 14, 1.0),
    (41, 14, 0.5),
    (64, 14, 1.0),
    (24, 33, 0.75),
    (51, 33, 1.0),
    (76, 33, 0.5),
    (45, 61, 0.75),
];

/// The brightness that is 1022 in the units in which frames of 97x75 are aligned, which end at 1023.
const ALMOST: f32 = 12_857.0 / 1_048_576.0;

/// The first column, the columns from one to the next, and the row of points that stand aside: inside what is compared at
/// every move of up to seven samples.
const ASIDE: (i64, i64, i64) = (18, 12, 47);

/// What is seen of a point in one frame.
#[derive(Clone, Copy)]
enum Look {
    /// The point, so many columns to the right and rows below its place.
    Moved(i64, i64),
    /// Two of them, so many columns to the left and to the right.
    Twofold(i64),
    /// The point so many columns to the right, and before it one of this part of its brightness.
    Tailed(i64, f32),
    /// [`ALMOST`] so many columns to the left, the point as many to the right.
    Unequal(i64),
    /// The point elsewhere: in a row of its own, where no move leads.
    Aside,
    /// Nothing.
    Black,
}

/// The number of frames.
pub const FRAMES: usize = 11;

/// What is seen of a point in a frame.
const fn look(frame: u32, lowest: bool) -> Look {
    match (frame, lowest) {
        (0, _) => Look::Moved(0, 0),
        // As sharp as the first frame, bit for bit.
        (1, _) => Look::Moved(3, -2),
        (2, _) => Look::Moved(-4, 1),
        // Found to the left as well as to the right.
        (3, _) => Look::Twofold(2),
        // Farther away than is tried at first: the parabola through what is found leads beyond half a sample.
        (4, _) => Look::Tailed(7, 3.0 / 256.0),
        // Sharper than the twofold points, and not so by its Laplacian alone.
        (5, _) => Look::Tailed(7, 5.0 / 16.0),
        // Found by its lowest point alone, and as sharp as the first frame too.
        (6 | 9, false) => Look::Aside,
        (6, true) => Look::Moved(2, 1),
        (9, true) => Look::Moved(1, 2),
        (7, _) => Look::Unequal(2),
        // There is no parabola that has a lowest place.
        (8, _) => Look::Tailed(7, 1.0 / 256.0),
        _ => Look::Black,
    }
}

/// The points as they look in each frame. A second clip is a frame ahead.
pub fn points(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let paint = |clip: usize| {
        let frame = (site.frame + clip as u32) % FRAMES as u32;
        site.paint(clip, |x, y| {
            let (x, y) = (i64::from(x), i64::from(y));
            let light = POINTS.iter().enumerate().map(|(index, &(column, row, brightness))| {
                let place = (x - column, y - row);
                let aside = (x, y) == (ASIDE.0 + ASIDE.1 * index as i64, ASIDE.2);
                match look(frame, index + 1 == POINTS.len()) {
                    Look::Moved(right, down) if place == (right, down) => brightness,
                    Look::Aside if aside => brightness,
                    Look::Twofold(apart) if place == (apart, 0) || place == (-apart, 0) => brightness,
                    Look::Tailed(right, _) if place == (right, 0) => brightness,
                    Look::Tailed(right, part) if place == (right - 1, 0) => brightness * part,
                    Look::Unequal(apart) if place == (apart, 0) => brightness,
                    Look::Unequal(apart) if place == (-apart, 0) => ALMOST,
                    _ => 0.0,
                }
            });
            light.fold(0.0, f32::max).to_bits()
        })
    };
    (0..clips).map(paint).collect()
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::frame::PlaneShape;

    use super::*;

    /// The samples that are not black, with their places.
    fn lit(frame: u32) -> Vec<(i64, i64, f32)> {
        let site = Site {
            format: Format::new(Layout::Mono, Depth::F32),
            frame,
            plane: 0,
            shape: PlaneShape::tight(97, 75, Depth::F32),
        };
        let bytes = points(&site, 1).remove(0);
        let samples = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let places = samples
            .enumerate()
            .map(|(index, sample)| ((index % 97) as i64, (index / 97) as i64, sample));
        places.filter(|place| place.2 != 0.0).collect()
    }

    #[test]
    fn frames_that_are_as_sharp_as_the_first_have_its_points_alone() {
        for frame in [0, 1, 2, 6, 9] {
            let lit = lit(frame);
            let mut brightness: Vec<f32> = lit.iter().map(|place| place.2).collect();
            brightness.sort_by(f32::total_cmp);
            assert_eq!(brightness, [0.5, 0.5, 0.75, 0.75, 1.0, 1.0, 1.0]);
            for (index, &(x, y, _)) in lit.iter().enumerate() {
                assert!((8..97 - 8).contains(&x) && (8..75 - 8).contains(&y), "{x} {y}");
                let apart = |other: &(i64, i64, f32)| (other.0 - x).abs().max((other.1 - y).abs());
                assert!(lit[..index].iter().all(|other| apart(other) > 7), "{x} {y}");
            }
        }
    }

    #[test]
    fn the_other_frames_have_each_point_twice_or_none() {
        let counts: Vec<usize> = [3, 4, 5, 7, 8, 10].map(|frame| lit(frame).len()).into();
        assert_eq!(counts, [14, 14, 14, 14, 14, 0]);
    }

    #[test]
    fn almost_is_a_step_below_the_end_of_the_range() {
        let light = lit(7);
        let sum: f64 = light.iter().map(|place| f64::from(place.2)).sum();
        let quantised = f64::from(ALMOST) * 64.0 * f64::from(97 * 75) / sum;
        assert!((quantised - 1022.0).abs() < 0.25, "{quantised}");
    }
}
