//! Weights of samples for a place between them, at sixteenths of a sample.

use isobit_exact::math;

/// Places between two samples, themselves included on one side.
pub const PHASES: usize = 16;
/// The most samples along an axis that a place is made of; in a table, taps beyond an interpolation's own are zero.
pub const MOST: usize = 6;

/// How samples between samples are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// From two samples along each axis, by a straight line.
    Bilinear,
    /// From six samples along each axis, by a sinc windowed with the middle lobe of a sinc three times as wide.
    Lanczos3,
}

/// The weights at each phase: of samples −2 to 3, counted from the one at or before the place, or of samples 0 and 1.
pub type Table = [[f32; MOST]; PHASES];

impl Interpolation {
    /// Samples along an axis that a place is made of.
    pub const fn taps(self) -> usize {
        match self {
            Self::Bilinear => 2,
            Self::Lanczos3 => 6,
        }
    }

    /// The weights at each phase.
    ///
    /// Those of Lanczos are `3·sin(πt)·sin(πt/3) / (π²t²)` for a sample at distance `t` (Duchon: "Lanczos filtering in one
    /// and two dimensions", Journal of Applied Meteorology 18, 1979), each divided by their sum, so that flat fields stay flat.
    /// All are zero or of a magnitude above 2^-12.
    pub fn table(self) -> Table {
        std::array::from_fn(|phase| {
            let part = phase as f32 / PHASES as f32;
            let mut taps = [0.0; MOST];
            match self {
                Self::Bilinear => (taps[0], taps[1]) = (1.0 - part, part),
                Self::Lanczos3 => {
                    for (place, tap) in taps.iter_mut().enumerate() {
                        *tap = lanczos3(part + 2.0 - place as f32);
                    }
                    let sum = taps.iter().fold(0.0, |sum, tap| sum + tap);
                    taps = taps.map(|tap| tap / sum);
                }
            }
            taps
        })
    }
}

/// The weight of a sample at distance `t`, a whole number of sixteenths within three samples.
fn lanczos3(t: f32) -> f32 {
    const PI: f32 = std::f32::consts::PI;
    let whole = t.round();
    if t == 0.0 {
        return 1.0;
    }
    if t == whole {
        return 0.0;
    }
    // The sine of π·t from that of the part between whole numbers, which is small and so has a small error.
    let sine = math::sin(PI * (t - whole)) * if whole % 2.0 == 0.0 { 1.0 } else { -1.0 };
    let window = math::sin(PI * (t / 3.0));
    (3.0 * (sine * window)) / ((PI * t) * (PI * t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanczos_taps_are_those_of_the_formula_in_f64() {
        let sinc = |x: f64| {
            if x == 0.0 {
                1.0
            } else {
                (x * std::f64::consts::PI).sin() / (x * std::f64::consts::PI)
            }
        };
        for (phase, taps) in Interpolation::Lanczos3.table().iter().enumerate() {
            let exact: Vec<f64> = (0..6)
                .map(|place| {
                    let t = phase as f64 / 16.0 + 2.0 - f64::from(place);
                    if t.abs() < 3.0 { sinc(t) * sinc(t / 3.0) } else { 0.0 }
                })
                .collect();
            let sum: f64 = exact.iter().sum();
            for (tap, exact) in taps.iter().zip(exact) {
                assert!((f64::from(*tap) - exact / sum).abs() < 2e-7, "{phase}: {tap} {exact}");
                assert!(*tap == 0.0 || tap.abs() > 0.5f32.powi(12), "{tap:e}");
            }
        }
    }

    #[test]
    fn a_whole_place_is_its_sample_and_phases_mirror_each_other() {
        assert_eq!(Interpolation::Lanczos3.table()[0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(Interpolation::Bilinear.table()[0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(Interpolation::Bilinear.table()[4], [0.75, 0.25, 0.0, 0.0, 0.0, 0.0]);
        for interpolation in [Interpolation::Bilinear, Interpolation::Lanczos3] {
            let table = interpolation.table();
            for phase in 1..PHASES {
                for place in 0..interpolation.taps() {
                    let mirrored = table[PHASES - phase][interpolation.taps() - 1 - place];
                    assert!((table[phase][place] - mirrored).abs() < 3e-7);
                }
            }
        }
    }
}
