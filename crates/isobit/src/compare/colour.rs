//! Colour differences of whole outputs: judged by a rule, and summed up for a report.

use serde::{Deserialize, Serialize};

use super::{CompareError, Comparison, Pair, pair, ulp_distance};
use crate::delta_e::{Differences, Meter, can_be_shown};
use crate::kernel::Metric;
use crate::output::{Output, Value};

/// The colour differences of pixels that can be shown; see [`can_be_shown`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColourErrors {
    /// Pixels that were judged, equal ones included.
    pub pixels: u64,
    /// Distances in Oklab, whose lightness axis runs from 0 to 1.
    pub ok: ErrorSummary,
    /// CIEDE2000 differences, on an axis from 0 to 100.
    pub ciede2000: ErrorSummary,
}

/// The greatest and the mean of many errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorSummary {
    /// The greatest; NaN is greater than any number.
    #[serde(with = "crate::number")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::number::Schema"))]
    pub max: f64,
    /// The mean.
    #[serde(with = "crate::number")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::number::Schema"))]
    pub mean: f64,
}

impl ErrorSummary {
    /// Adds `error` to what is for now a sum.
    fn add(&mut self, error: f64) {
        self.max = larger(self.max, error);
        self.mean += error;
    }

    fn merged(self, later: Self, share: f64) -> Self {
        Self {
            max: larger(self.max, later.max),
            mean: self.mean * (1.0 - share) + later.mean * share,
        }
    }
}

impl ColourErrors {
    /// The errors of both parts together.
    #[must_use]
    pub fn merged(self, later: Self) -> Self {
        let pixels = self.pixels + later.pixels;
        let share = later.pixels as f64 / pixels.max(1) as f64;
        Self {
            pixels,
            ok: self.ok.merged(later.ok, share),
            ciede2000: self.ciede2000.merged(later.ciede2000, share),
        }
    }
}

/// The larger of two errors, of which NaN is the largest.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// The colour differences between all outputs of `metric`; `None` for a metric without a colour encoding.
///
/// # Errors
/// If the two lists cannot be compared, or do not consist of three planes a frame.
pub fn colour_errors(
    metric: &Metric,
    reference: &[Output],
    twin: &[Output],
) -> Result<Option<ColourErrors>, CompareError> {
    if metric.kind.encoding().is_none() {
        return Ok(None);
    }
    let pairs = pair(metric, reference, twin)?;
    each_pixel(metric, &pairs, |_, _| {}).map(Some)
}

/// Applies a bound to one of the two differences of every pixel.
pub(super) fn judge(
    result: &mut Comparison,
    metric: &Metric,
    pairs: &[Pair<'_>],
    bound: f64,
    difference: fn(Differences) -> f64,
) -> Result<(), CompareError> {
    let errors = each_pixel(metric, pairs, |pixel, differences| {
        let error = difference(differences);
        result.note_measure(error);
        if !(error <= bound) {
            let [reference, twin] = pixel.values();
            let channel = (0..3).max_by_key(|&c| ulp_distance(reference[c], twin[c])).unwrap_or(0);
            let place = pixel.planes[channel].0;
            let at = (pixel.index as u32 % place.width, pixel.index as u32 / place.width);
            result.record(place, at, (reference[channel], twin[channel]), error);
        }
    })?;
    result.colour = Some(errors);
    Ok(())
}

/// One pixel of one frame.
struct Pixel<'a> {
    planes: &'a [Pair<'a>; 3],
    index: usize,
}

impl Pixel<'_> {
    /// The components of the reference and of the twin.
    fn values(&self) -> [[Value; 3]; 2] {
        [
            [0, 1, 2].map(|plane| self.planes[plane].0.values.get(self.index)),
            [0, 1, 2].map(|plane| self.planes[plane].1.values.get(self.index)),
        ]
    }
}

/// Calls `differing` for every pixel that differs and can be shown, and sums up.
fn each_pixel(
    metric: &Metric,
    pairs: &[Pair<'_>],
    mut differing: impl FnMut(&Pixel<'_>, Differences),
) -> Result<ColourErrors, CompareError> {
    let not_colour = || CompareError::NotColour {
        metric: metric.name.to_owned(),
    };
    let encoding = metric.kind.encoding().ok_or_else(not_colour)?;
    let (frames, []) = pairs.as_chunks::<3>() else {
        return Err(not_colour());
    };
    let mut errors = ColourErrors::default();
    let mut meter = Meter::new(encoding);
    for planes in frames {
        let place = planes[0].0;
        let one_frame = planes
            .iter()
            .enumerate()
            .all(|(plane, (r, _))| r.frame == place.frame && r.plane == plane && r.values.len() == place.values.len());
        if !one_frame {
            return Err(not_colour());
        }
        for index in 0..place.values.len() {
            let pixel = Pixel { planes, index };
            let [reference, twin] = pixel.values();
            let colour = |values: [Value; 3]| values.map(Value::as_f64);
            // A difference is perceived between colours that can be shown; others are judged by the metric's other rules.
            // Only the reference decides, so a twin that leaves the range is still measured.
            let shown = can_be_shown(encoding, colour(reference));
            errors.pixels += u64::from(shown);
            if !shown || reference == twin {
                continue;
            }
            let differences = meter.differences(colour(reference), colour(twin));
            errors.ok.add(differences.ok);
            errors.ciede2000.add(differences.ciede2000);
            differing(&pixel, differences);
        }
    }
    for summary in [&mut errors.ok, &mut errors.ciede2000] {
        summary.mean /= errors.pixels.max(1) as f64;
    }
    Ok(errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::compare;
    use crate::kernel::MetricKind;
    use crate::kernel::{Encoding, NanPolicy};
    use crate::output::Values;
    use crate::tolerance::Rule;

    const COLOUR: Metric = Metric {
        name: "plane",
        kind: MetricKind::Plane(Some(Encoding::Linear)),
        nan: NanPolicy::Never,
    };

    fn pixels(colours: &[[f32; 3]]) -> Vec<Output> {
        let plane = |plane: usize| Output {
            metric: "plane",
            frame: 0,
            plane,
            width: colours.len() as u32,
            height: 1,
            values: Values::F32(colours.iter().map(|colour| colour[plane]).collect()),
        };
        [0, 1, 2].map(plane).into()
    }

    fn judged(reference: [f32; 3], twin: [f32; 3], rule: &Rule) -> Comparison {
        compare(&COLOUR, &pixels(&[reference]), &pixels(&[twin]), rule).unwrap()
    }

    #[test]
    fn colour_differences_are_of_pixels() {
        let rule = Rule::DeltaEOk { delta_e: 0.001 };
        let of = |twin| judged([0.5; 3], twin, &rule);
        assert_eq!(of([0.5, 0.5, 0.6]).mismatches, 1);
        assert!(of([0.5, 0.5, 0.6]).max_measure.unwrap() > 0.01);
        assert_eq!(of([0.5, 0.5, 0.500_01]).mismatches, 0);
        for lost in [1e30, f32::INFINITY, f32::NAN] {
            assert!(of([0.5, 0.5, lost]).mismatches > 0, "{lost}");
        }
        let unseen = judged([1e30, 0.5, 0.5], [1.1e30, 0.5, 0.5], &rule);
        assert_eq!((unseen.mismatches, unseen.differing), (0, 1));
        assert_eq!(unseen.colour.unwrap().pixels, 0);
        let plain = Metric {
            kind: MetricKind::Plane(None),
            ..COLOUR
        };
        let grey = pixels(&[[0.5; 3]]);
        assert!(matches!(
            compare(&plain, &grey, &grey, &rule),
            Err(CompareError::NotColour { .. })
        ));
        assert_eq!(colour_errors(&plain, &grey, &grey), Ok(None));
    }

    #[test]
    fn each_rule_is_about_its_own_difference_and_both_are_reported() {
        let (reference, twin) = ([0.5; 3], [0.5, 0.5, 0.6]);
        let ok = judged(reference, twin, &Rule::DeltaEOk { delta_e: 1.0 });
        let ciede2000 = judged(reference, twin, &Rule::DeltaE2000 { delta_e: 1.0 });
        let errors = ok.colour.unwrap();
        assert_eq!(ok.max_measure, Some(errors.ok.max));
        assert_eq!(ciede2000.max_measure, Some(errors.ciede2000.max));
        assert_eq!(ciede2000.colour, Some(errors));
        assert_eq!((ok.mismatches, ciede2000.mismatches), (0, 1));
        assert!(errors.ciede2000.max > 20.0 * errors.ok.max, "{errors:?}");
    }

    #[test]
    fn means_are_over_all_pixels_that_can_be_shown() {
        let reference = pixels(&[[0.5; 3], [0.25; 3], [1e9; 3], [0.75; 3]]);
        let twin = pixels(&[[0.5; 3], [0.26; 3], [2e9; 3], [0.75; 3]]);
        let errors = colour_errors(&COLOUR, &reference, &twin).unwrap().unwrap();
        assert_eq!(errors.pixels, 3);
        assert_eq!(errors.ok.mean * 3.0, errors.ok.max);
        let equal = colour_errors(&COLOUR, &reference, &reference).unwrap().unwrap();
        let both = errors.merged(equal);
        assert_eq!((both.pixels, both.ok.max), (6, errors.ok.max));
        assert!((both.ok.mean * 6.0 - errors.ok.max).abs() < 1e-15);
    }
}
