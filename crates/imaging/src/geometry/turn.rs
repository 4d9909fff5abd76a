//! The sine and cosine of an angle in degrees, exact for quarter turns.

use isobit_exact::math;

use crate::raster::held;

/// Sine and cosine of an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The sine; zero or of a magnitude from 2^-40 on.
    pub sine: f32,
    /// The cosine, likewise.
    pub cosine: f32,
    /// Whether the angle is a whole number of quarter turns.
    pub is_quarters: bool,
}

impl Turn {
    /// By `degrees`, a finite number: reduced to 45° and less in f64, then by shared math in f32.
    pub fn of(degrees: f64) -> Self {
        let quarters = (degrees / 90.0).round();
        let rest = degrees - 90.0 * quarters;
        let radians = (rest * (std::f64::consts::PI / 180.0)) as f32;
        let (sine, cosine) = (held(math::sin(radians)), held(math::cos(radians)));
        let (sine, cosine) = match quarters.rem_euclid(4.0) as u8 {
            0 => (sine, cosine),
            1 => (cosine, -sine),
            2 => (-sine, -cosine),
            _ => (-cosine, sine),
        };
        Self {
            sine,
            cosine,
            is_quarters: sine == 0.0 || cosine == 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quarter_turns_are_exact() {
        let turns = [-360.0, -270.0, -180.0, -90.0, 0.0, 90.0, 180.0, 270.0, 360.0].map(Turn::of);
        let expected = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
        for (index, turn) in turns.iter().enumerate() {
            assert_eq!((turn.sine, turn.cosine), expected[index % 4]);
            assert!(turn.is_quarters);
        }
        assert!(!Turn::of(90.001).is_quarters);
    }

    proptest! {
        #[test]
        fn other_turns_are_those_of_f64(degrees in -360.0..360.0f64) {
            let turn = Turn::of(degrees);
            let (sine, cosine) = degrees.to_radians().sin_cos();
            prop_assert!((f64::from(turn.sine) - sine).abs() < 1e-7);
            prop_assert!((f64::from(turn.cosine) - cosine).abs() < 1e-7);
        }
    }
}
