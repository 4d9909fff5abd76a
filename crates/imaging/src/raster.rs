//! Rasters: f32 samples in rows without padding, and the range in which filters keep them. Knows no format.

use isobit::output::{Output, Values};

/// The least magnitude of a sample that is not zero.
pub const LEAST: f32 = f32::from_bits((127 - 40) << 23);
/// The greatest magnitude of a sample.
pub const GREATEST: f32 = f32::from_bits((127 + 40) << 23);

/// One plane of f32 samples, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Samples in a row; at least one.
    pub width: u32,
    /// Rows; at least one.
    pub height: u32,
    /// `width` · `height` samples.
    pub samples: Vec<f32>,
}

impl Raster {
    /// A raster of what `sample` gives for each column and row.
    pub fn of(width: u32, height: u32, sample: impl Fn(u32, u32) -> f32) -> Self {
        let rows = 0..height;
        Self {
            width,
            height,
            samples: rows
                .flat_map(|y| (0..width).map(move |x| (x, y)))
                .map(|(x, y)| sample(x, y))
                .collect(),
        }
    }

    /// The sample in column `x` of row `y`.
    ///
    /// # Panics
    /// If there is no such sample.
    pub fn at(&self, x: u32, y: u32) -> f32 {
        self.samples[y as usize * self.width as usize + x as usize]
    }

    /// The same with places beyond an edge taken from the edge.
    pub fn clamped(&self, x: i64, y: i64) -> f32 {
        let inside = |place: i64, count: u32| place.clamp(0, i64::from(count) - 1) as u32;
        self.at(inside(x, self.width), inside(y, self.height))
    }

    /// The samples as the plane `plane` of `metric` in frame `frame`.
    pub fn output(self, metric: &'static str, frame: usize, plane: usize) -> Output {
        Output {
            metric,
            frame,
            plane,
            width: self.width,
            height: self.height,
            values: Values::F32(self.samples),
        }
    }
}

/// A finite number brought into the range of samples: zero where its magnitude is below [`LEAST`], [`GREATEST`] with its sign
/// where it is above that.
pub fn held(x: f32) -> f32 {
    let magnitude = x.abs();
    if magnitude < LEAST {
        0.0
    } else if magnitude > GREATEST {
        GREATEST.copysign(x)
    } else {
        x
    }
}

/// A finite number clipped to the range from 0 to 1, and held.
pub fn unit(x: f32) -> f32 {
    if x > 1.0 {
        1.0
    } else if x < 0.0 {
        0.0
    } else {
        held(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_held_in_range_with_their_sign_and_small_ones_become_plain_zero() {
        let cases = [
            (0.0, 0.0f32),
            (-0.0, 0.0),
            (f32::from_bits(1), 0.0),
            (-LEAST.next_down(), 0.0),
            (LEAST, LEAST),
            (-1.5, -1.5),
            (GREATEST, GREATEST),
            (f32::MAX, GREATEST),
            (-GREATEST.next_up(), -GREATEST),
        ];
        for (x, expected) in cases {
            assert_eq!(held(x).to_bits(), expected.to_bits(), "{x:e}");
        }
    }

    #[test]
    fn numbers_are_clipped_to_the_unit_range_without_a_sign_of_zero() {
        let numbers = [
            -GREATEST,
            -LEAST,
            -0.0,
            LEAST.next_down(),
            LEAST,
            0.5,
            1.0,
            1.0f32.next_up(),
        ];
        let clipped = numbers.map(|x| unit(x).to_bits());
        assert_eq!(clipped, [0.0, 0.0, 0.0, 0.0, LEAST, 0.5, 1.0, 1.0].map(f32::to_bits));
    }

    #[test]
    fn places_beyond_an_edge_are_taken_from_it() {
        let raster = Raster::of(3, 2, |x, y| (10 * y + x) as f32);
        assert_eq!(raster.samples, [0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
        assert_eq!(
            [(-5, -1), (7, 0), (1, 9)].map(|(x, y)| raster.clamped(x, y)),
            [0.0, 2.0, 11.0]
        );
    }
}
