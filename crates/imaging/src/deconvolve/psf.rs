//! Point spread functions as taps: Gaussian, Airy, and Gaussian as wide as the brightest star.

use crate::convolve::{LEAST_WEIGHT, Tap, gaussian, separable};
use crate::raster::{Raster, held};

/// How a point spreads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Psf {
    /// As a normal distribution of this standard deviation in samples, from 0.3 to 3, cut beyond three of them.
    Gaussian(f32),
    /// As the image of a point through a circular aperture whose first dark ring has this radius in samples, from 1 to 4, up to
    /// its second dark ring.
    Airy(f32),
    /// As a normal distribution of the width that [`measured`] finds.
    Automatic,
}

impl Psf {
    /// The taps of the passes that a convolution with the PSF takes; `None` where the observed raster has to tell.
    pub(super) fn known_passes(self) -> Option<Vec<Vec<Tap>>> {
        match self {
            Self::Gaussian(sigma) => Some(separable(&gaussian(sigma, (3.0 * sigma).ceil() as u32), 1).to_vec()),
            Self::Airy(radius) => Some(vec![airy(radius)]),
            Self::Automatic => None,
        }
    }

    /// The same for this observed raster.
    pub(super) fn passes(self, observed: &Raster) -> Vec<Vec<Tap>> {
        let measured = || separable(&gaussian(measured(observed), REACH), 1).to_vec();
        self.known_passes().unwrap_or_else(measured)
    }
}

/// The taps on either side of a PSF of a measured width: three of the greatest standard deviation.
pub(super) const REACH: u32 = 9;
/// The least and the greatest standard deviation that is measured, in samples.
pub(super) const MEASURED: [f32; 2] = [0.5, 3.0];
/// The standard deviation where there is no star.
pub(super) const UNMEASURED: f32 = 1.5;
/// Samples on each side of the brightest one that its star is measured over.
pub(super) const WINDOW: u32 = 6;
/// The part of a star's height that does not count.
pub(super) const PEDESTAL: f32 = 0.25;
/// The variance along one axis over the mean square of the distance from the centre of what exceeds the pedestal.
///
/// A normal distribution exceeds a part a of its height within u = r²/(2σ²) < U = ln(1/a), and the mean of r² there, weighted by
/// the excess e^−u − a, is 2σ² · (1 − a(1 + U) − aU²/2) / (1 − a − aU).
pub(super) const VARIANCE_OF_MOMENT: f32 = 1.235_988_5;

/// The standard deviation, from 0.5 to 3 samples, of a normal distribution as wide as the brightest star.
///
/// The star is what lies within six samples of the brightest one, the first of several in reading order. Its height is that
/// above the least sample there. Each sample that exceeds a quarter of the height counts with its excess, and the mean square of
/// the distances gives the variance. Sums go in reading order. What is wider than three samples is no star, and neither is what has no contrast: the
/// width then is 1.5 samples.
pub fn measured(observed: &Raster) -> f32 {
    let places = || (0..observed.height).flat_map(|y| (0..observed.width).map(move |x| (x, y)));
    let mut centre = (0, 0);
    for (x, y) in places() {
        if observed.at(x, y) > observed.at(centre.0, centre.1) {
            centre = (x, y);
        }
    }
    let near = |centre: u32, count: u32| centre.saturating_sub(WINDOW)..(centre + WINDOW + 1).min(count);
    let (columns, rows) = (near(centre.0, observed.width), near(centre.1, observed.height));
    let window = || rows.clone().flat_map(|y| columns.clone().map(move |x| (x, y)));
    let peak = observed.at(centre.0, centre.1);
    let mut least = peak;
    for (x, y) in window() {
        let sample = observed.at(x, y);
        if sample < least {
            least = sample;
        }
    }
    let pedestal = least + PEDESTAL * (peak - least);
    let (mut weights, mut moments) = (0.0f32, 0.0f32);
    for (x, y) in window() {
        let excess = observed.at(x, y) - pedestal;
        if excess > 0.0 {
            let (dx, dy) = (x.abs_diff(centre.0), y.abs_diff(centre.1));
            weights += excess;
            moments += excess * (dx * dx + dy * dy) as f32;
        }
    }
    if weights == 0.0 {
        return UNMEASURED;
    }
    let sigma = (held(moments / weights) * VARIANCE_OF_MOMENT).sqrt();
    if sigma > MEASURED[1] {
        UNMEASURED
    } else if sigma < MEASURED[0] {
        MEASURED[0]
    } else {
        sigma
    }
}

/// The first two zeros of the Bessel function J₁: the dark rings (Abramowitz and Stegun, table 9.5).
const DARK_RINGS: [f64; 2] = [3.831_705_970_207_512, 7.015_586_669_815_619];

/// The taps of an Airy pattern (2·J₁(v)/v)², v = 3.8317 · distance / `radius`, out to its second dark ring.
///
/// The table is formed in f64 by addition, multiplication, division and square root only, and rounded once; places of less than
/// 2^-30 have no tap.
fn airy(radius: f32) -> Vec<Tap> {
    let per_sample = DARK_RINGS[0] / f64::from(radius);
    let reach = (DARK_RINGS[1] / per_sample).ceil() as i32;
    let light = |[x, y]: [i32; 2]| {
        let v = per_sample * f64::from(x * x + y * y).sqrt();
        let amplitude = 2.0 * bessel_over(v);
        if v > DARK_RINGS[1] { 0.0 } else { amplitude * amplitude }
    };
    // One of each two places opposite each other, the farthest rows first.
    let half = (0..=reach).rev().flat_map(|y| (-reach..=reach).map(move |x| [x, y]));
    let half: Vec<[i32; 2]> = half.filter(|&[x, y]| y > 0 || x > 0).collect();
    let total = 1.0 + 2.0 * half.iter().map(|&place| light(place)).sum::<f64>();
    let taps = half.into_iter().map(|offset| Tap {
        offset,
        weight: (light(offset) / total) as f32,
    });
    taps.filter(|tap| tap.weight >= LEAST_WEIGHT).collect()
}

/// J₁(v)/v by its ascending series (Abramowitz and Stegun, 9.1.10), which for |v| up to 7.1 loses less than three digits.
fn bessel_over(v: f64) -> f64 {
    let quarter = v * v / 4.0;
    let (mut term, mut sum) = (0.5, 0.5);
    for k in 1..40 {
        term = -term * quarter / f64::from(k * (k + 1));
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bessel_function_has_its_published_values() {
        // Abramowitz and Stegun, table 9.1.
        for (v, expected) in [
            (0.5, 0.242_268_457_674_9),
            (1.0, 0.440_050_585_744_9),
            (2.0, 0.576_724_807_756_9),
            (5.0, -0.327_579_137_591_5),
            (7.0, -0.004_682_823_482_3),
            (DARK_RINGS[0], 0.0),
            (DARK_RINGS[1], 0.0),
        ] {
            let found = v * bessel_over(v);
            assert!((found - expected).abs() < 1e-12, "{v}: {found}");
        }
    }

    #[test]
    fn an_airy_pattern_is_round_dark_at_its_rings_and_adds_up() {
        let taps = airy(3.0);
        let at = |offset| {
            taps.iter()
                .find(|tap| tap.offset == offset)
                .map_or(0.0, |tap| tap.weight)
        };
        assert_eq!(at([3, 0]), 0.0);
        assert_eq!(at([1, 2]).to_bits(), at([2, 1]).to_bits());
        assert_eq!(at([1, 2]).to_bits(), at([-2, 1]).to_bits());
        assert!(at([4, 0]) > 0.0 && at([6, 0]) == 0.0);
        let centre = 1.0 - 2.0 * taps.iter().map(|tap| f64::from(tap.weight)).sum::<f64>();
        // At a third of the way to the first dark ring v is 1.27724, and (2·J₁(v)/v)² is 0.65526.
        let part = f64::from(at([1, 0])) / centre;
        assert!((part - 0.655_26).abs() < 1e-4, "{part}");
    }

    #[test]
    fn the_width_of_a_star_is_found() {
        for sigma in [0.8f64, 1.2, 1.7, 2.4] {
            let star = Raster::of(31, 25, |x, y| {
                let square = (f64::from(x) - 17.0).powi(2) + (f64::from(y) - 11.0).powi(2);
                (0.1 + 0.8 * (-square / (2.0 * sigma * sigma)).exp()) as f32
            });
            let found = f64::from(measured(&star));
            assert!((found / sigma - 1.0).abs() < 0.08, "{found} for {sigma}");
        }
    }

    #[test]
    fn the_pedestal_gives_the_variance() {
        let a = f64::from(PEDESTAL);
        let u = (1.0 / a).ln();
        let mean = 2.0 * (1.0 - a * (1.0 + u) - a * u * u / 2.0) / (1.0 - a - a * u);
        assert!(
            (f64::from(VARIANCE_OF_MOMENT) * mean - 1.0).abs() < 1e-6,
            "{}",
            1.0 / mean
        );
    }

    #[test]
    fn what_is_no_star_has_a_width_of_its_own() {
        let measured_of = |sample: fn(u32, u32) -> f32| measured(&Raster::of(21, 21, sample));
        assert_eq!(measured_of(|_, _| 0.5), UNMEASURED);
        assert_eq!(measured_of(|_, y| f32::from(u8::from(y > 8))), UNMEASURED);
        assert_eq!(measured_of(|x, y| f32::from(u8::from((x, y) == (4, 9)))), MEASURED[0]);
    }
}
