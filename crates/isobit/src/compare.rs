//! The one comparison: feeds the verdict and every report.

#![expect(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "an error that is not a number must fail its bound"
)]

mod colour;
mod judge;
#[cfg(test)]
mod norm_tests;
#[cfg(test)]
mod tests;
mod ulps;

use serde::{Deserialize, Serialize};

use crate::kernel::{Metric, NanPolicy};
use crate::output::{ElementKind, Output, Value};
use crate::tolerance::Rule;

pub use colour::{ColourErrors, ErrorSummary, colour_errors};
pub use ulps::UlpHistogram;

/// How far a twin's outputs of one metric are from the reference's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Pairs of elements that were compared; never zero.
    pub elements: u64,
    /// Pairs that break the rule.
    pub mismatches: u64,
    /// Pairs whose bits differ, whatever the rule says.
    pub differing: u64,
    /// Pairs in which NaN stands on one side only.
    pub nan_one_side: u64,
    /// Pairs in which both sides are NaN.
    pub nan_both: u64,
    /// The largest absolute difference of two numbers.
    #[serde(with = "crate::number")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::number::Schema"))]
    pub max_abs: f64,
    /// The largest difference relative to a reference that is not zero.
    #[serde(with = "crate::number")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::number::Schema"))]
    pub max_rel: f64,
    /// The largest distance in representable numbers.
    pub max_ulp: u64,
    /// How many pairs of numbers lie how far apart.
    pub ulps: UlpHistogram,
    /// The colour differences of the pixels; absent where no rule is about them and nobody asked.
    pub colour: Option<ColourErrors>,
    /// The largest error in the rule's own unit, where that is not one of the above: ΔE, normwise or (N)RMSE.
    #[serde(with = "crate::number::option")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::number::Schema>"))]
    pub max_measure: Option<f64>,
    /// The first mismatch, in order of frame, plane and row.
    pub first: Option<Witness>,
    /// The mismatch with the largest error in the rule's unit.
    pub worst: Option<Witness>,
    /// Where the mismatches lie.
    pub spread: Spread,
}

/// One mismatch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Witness {
    /// Index of the frame.
    pub frame: usize,
    /// Index of the plane.
    pub plane: usize,
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// What the reference holds.
    pub reference: Value,
    /// What the twin returned.
    pub twin: Value,
    /// Representable numbers between the two; the largest `u64` where one side alone is NaN.
    pub ulp: u64,
    /// The error in the rule's unit: ULP for `exact`, `ulp` and `fp16`, else the rule's own.
    #[serde(with = "crate::number")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::number::Schema"))]
    pub error: f64,
}

/// Where mismatches lie, as counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// The largest distance of a mismatch from the nearest edge, in samples.
    pub edge_distance: u32,
    /// The largest distance that any element has from its nearest edge.
    pub edge_distance_possible: u32,
    /// In the last column of a plane.
    pub last_column: u64,
    /// In the first row.
    pub first_row: u64,
    /// In even columns.
    pub even_columns: u64,
    /// In odd columns.
    pub odd_columns: u64,
    /// Off by exactly 1.
    pub by_one: u64,
    /// Below the reference.
    pub below: u64,
}

/// Why two lists of outputs cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// The reference yields no element.
    #[error("metric `{metric}` has no element to compare")]
    Nothing {
        /// Name of the metric.
        metric: String,
    },
    /// The twin yields another number of outputs.
    #[error("metric `{metric}` has {reference} outputs in the reference and {twin} in the twin")]
    Count {
        /// Name of the metric.
        metric: String,
        /// Outputs of the reference.
        reference: usize,
        /// Outputs of the twin.
        twin: usize,
    },
    /// An output is for another place, of another size or of another element type.
    #[error("metric `{metric}`: the reference has {reference}, the twin {twin}")]
    Shape {
        /// Name of the metric.
        metric: String,
        /// Frame, plane, size and type in the reference.
        reference: String,
        /// The same of the twin.
        twin: String,
    },
    /// The outputs hold a metric that the kernel does not declare.
    #[error("metric `{metric}` is not declared by the kernel")]
    Undeclared {
        /// Name of the metric.
        metric: String,
    },
    /// A colour difference was asked of a metric that is not three planes with a colour encoding.
    #[error("metric `{metric}` has no three colour planes for a colour difference")]
    NotColour {
        /// Name of the metric.
        metric: String,
    },
}

/// Compares all outputs of `metric` under `rule`.
///
/// # Errors
/// If the two lists do not hold the same frames, planes, sizes and types, or hold nothing.
pub fn compare(
    metric: &Metric,
    reference: &[Output],
    twin: &[Output],
    rule: &Rule,
) -> Result<Comparison, CompareError> {
    let pairs = pair(metric, reference, twin)?;
    let mut result = Comparison::default();
    for (reference, twin) in &pairs {
        measure(&mut result, metric, reference, twin, rule);
    }
    match *rule {
        Rule::Rmse { rmse } => judge::rmse(&mut result, &pairs, rmse, |_| 1.0),
        Rule::Nrmse { nrmse } => judge::rmse(&mut result, &pairs, nrmse, judge::rms),
        Rule::Ranking => judge::ranking(&mut result, &pairs),
        Rule::DeltaEOk { delta_e } => colour::judge(&mut result, metric, &pairs, delta_e, |d| d.ok)?,
        Rule::DeltaE2000 { delta_e } => colour::judge(&mut result, metric, &pairs, delta_e, |d| d.ciede2000)?,
        _ => {}
    }
    Ok(result)
}

/// Refuses outputs of metrics that are not among `declared`.
///
/// # Errors
/// Naming the first such metric.
pub fn check_declared(declared: &[Metric], outputs: &[Output]) -> Result<(), CompareError> {
    let stray = |output: &&Output| !declared.iter().any(|metric| metric.name == output.metric);
    match outputs.iter().find(stray) {
        None => Ok(()),
        Some(output) => Err(CompareError::Undeclared {
            metric: output.metric.to_owned(),
        }),
    }
}

type Pair<'a> = (&'a Output, &'a Output);

fn pair<'a>(metric: &Metric, reference: &'a [Output], twin: &'a [Output]) -> Result<Vec<Pair<'a>>, CompareError> {
    let name = || metric.name.to_owned();
    let of_metric = |outputs: &'a [Output]| -> Vec<&'a Output> {
        outputs.iter().filter(|output| output.metric == metric.name).collect()
    };
    let (reference, twin) = (of_metric(reference), of_metric(twin));
    if reference.len() != twin.len() {
        return Err(CompareError::Count {
            metric: name(),
            reference: reference.len(),
            twin: twin.len(),
        });
    }
    if reference.iter().all(|output| output.values.is_empty()) {
        return Err(CompareError::Nothing { metric: name() });
    }
    let describe = |o: &Output| {
        format!(
            "frame {} plane {} of {}x{} in {} elements of {:?}",
            o.frame,
            o.plane,
            o.width,
            o.height,
            o.values.len(),
            o.values.kind()
        )
    };
    for (r, t) in reference.iter().zip(&twin) {
        let expected = u64::from(r.width) * u64::from(r.height);
        let whole = r.values.len() as u64 == expected;
        if !whole || describe(r) != describe(t) {
            return Err(CompareError::Shape {
                metric: name(),
                reference: describe(r),
                twin: describe(t),
            });
        }
    }
    Ok(reference.into_iter().zip(twin).collect())
}

/// Counts and extremes of every pair, and the verdict of the rules that judge one element at a time.
fn measure(result: &mut Comparison, metric: &Metric, reference: &Output, twin: &Output, rule: &Rule) {
    let (width, height) = (reference.width, reference.height);
    result.elements += reference.values.len() as u64;
    result.spread.edge_distance_possible = result
        .spread
        .edge_distance_possible
        .max((width.min(height).max(1) - 1) / 2);
    let mut peak = 1.0f64;
    if matches!(rule, Rule::Normwise { .. }) {
        peak = peak.max(judge::peak(reference));
        result.note_measure(0.0);
    }
    let mut apart = UlpHistogram::default();
    let nans = result.nan_both + result.nan_one_side;
    for index in 0..reference.values.len() {
        let (r, t) = (reference.values.get(index), twin.values.get(index));
        let (r_nan, t_nan) = (r.is_nan(), t.is_nan());
        result.nan_both += u64::from(r_nan && t_nan);
        result.nan_one_side += u64::from(r_nan != t_nan);
        if r.bits != t.bits {
            result.differing += 1;
        } else if !r_nan {
            continue;
        }
        let both_nan_agree = r_nan && t_nan && metric.nan == NanPolicy::Class;
        let ulp = ulp_distance(r, t);
        let abs = abs_difference(r, t);
        if !r_nan && !t_nan {
            result.max_ulp = result.max_ulp.max(ulp);
            apart.add(ulp);
            result.max_abs = result.max_abs.max(abs);
            if r.as_f64() != 0.0 {
                result.max_rel = result.max_rel.max(abs / r.as_f64().abs());
            }
        }
        let (agrees, error) = match *rule {
            Rule::Exact { zero_signs_agree } => (
                !r_nan && (r.bits == t.bits || (zero_signs_agree && r.as_f64() == t.as_f64())),
                ulp as f64,
            ),
            Rule::Abs { abs: bound } => (abs <= bound, abs),
            // Against an infinite reference the bound itself is infinite, and would accept every number.
            Rule::AbsRel { abs: bound, rel } => (abs.is_finite() && abs <= bound.max(rel * r.as_f64().abs()), abs),
            Rule::Normwise { normwise } => {
                result.note_measure(abs / peak);
                (abs.is_finite() && abs <= normwise * peak, abs / peak)
            }
            Rule::Ulp { ulp: bound } => (!r_nan && !t_nan && ulp <= bound, ulp as f64),
            Rule::Fp16 => (encloses_in_fp16(r.as_f64(), t.as_f64()), ulp as f64),
            // Judged over pixels, planes or frames; a NaN that the contract does not allow fails here all the same.
            Rule::DeltaEOk { .. }
            | Rule::DeltaE2000 { .. }
            | Rule::Rmse { .. }
            | Rule::Nrmse { .. }
            | Rule::Ranking => (!r_nan && !t_nan, f64::NAN),
        };
        if !(agrees || both_nan_agree) {
            let at = (index as u32 % width, index as u32 / width);
            result.record(reference, at, (r, t), error);
        }
    }
    // Equal numbers were passed over without being counted.
    let numbers = reference.values.len() as u64 - (result.nan_both + result.nan_one_side - nans);
    apart.add_equal(numbers - apart.total());
    result.ulps.merge(&apart);
}

impl Comparison {
    fn record(&mut self, place: &Output, (x, y): (u32, u32), (reference, twin): (Value, Value), error: f64) {
        let witness = Witness {
            frame: place.frame,
            plane: place.plane,
            x,
            y,
            reference,
            twin,
            ulp: ulp_distance(reference, twin),
            error,
        };
        self.mismatches += 1;
        let edge = x.min(y).min(place.width - 1 - x).min(place.height - 1 - y);
        let spread = &mut self.spread;
        spread.edge_distance = spread.edge_distance.max(edge);
        spread.last_column += u64::from(x + 1 == place.width);
        spread.first_row += u64::from(y == 0);
        spread.even_columns += u64::from(x.is_multiple_of(2));
        spread.odd_columns += u64::from(!x.is_multiple_of(2));
        spread.by_one += u64::from(abs_difference(reference, twin) == 1.0);
        spread.below += u64::from(twin.as_f64() < reference.as_f64());
        // An error that is not a number is worse than any that is.
        let severity = |w: &Witness| {
            if w.error.is_nan() { f64::INFINITY } else { w.error }
        };
        if self
            .worst
            .as_ref()
            .is_none_or(|worst| severity(&witness) > severity(worst))
        {
            self.worst = Some(witness.clone());
        }
        self.first.get_or_insert(witness);
    }

    fn note_measure(&mut self, measure: f64) {
        self.max_measure = Some(self.max_measure.map_or(measure, |m| m.max(measure)));
    }

    /// Adds what was found in a later part of the same clip.
    pub fn merge(&mut self, later: Self) {
        let severity = |w: &Option<Witness>| w.as_ref().map_or(f64::NEG_INFINITY, |w| w.error);
        if severity(&later.worst) > severity(&self.worst) || self.worst.is_none() {
            self.worst = later.worst;
        }
        self.first = self.first.take().or(later.first);
        self.elements += later.elements;
        self.mismatches += later.mismatches;
        self.differing += later.differing;
        self.nan_one_side += later.nan_one_side;
        self.nan_both += later.nan_both;
        self.max_abs = self.max_abs.max(later.max_abs);
        self.max_rel = self.max_rel.max(later.max_rel);
        self.max_ulp = self.max_ulp.max(later.max_ulp);
        self.ulps.merge(&later.ulps);
        self.colour = match (self.colour, later.colour) {
            (Some(earlier), Some(later)) => Some(earlier.merged(later)),
            (earlier, later) => earlier.or(later),
        };
        self.max_measure = match (self.max_measure, later.max_measure) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let (spread, more) = (&mut self.spread, later.spread);
        spread.edge_distance = spread.edge_distance.max(more.edge_distance);
        spread.edge_distance_possible = spread.edge_distance_possible.max(more.edge_distance_possible);
        spread.last_column += more.last_column;
        spread.first_row += more.first_row;
        spread.even_columns += more.even_columns;
        spread.odd_columns += more.odd_columns;
        spread.by_one += more.by_one;
        spread.below += more.below;
    }
}

/// The distance in representable numbers, −0 and +0 one apart; the largest `u64` where one side alone is NaN.
fn ulp_distance(a: Value, b: Value) -> u64 {
    if a.bits == b.bits || (a.is_nan() && b.is_nan()) {
        return 0;
    }
    if a.is_nan() || b.is_nan() {
        return u64::MAX;
    }
    // Maps sign-and-magnitude to a line on which neighbours are one apart.
    let line = |v: Value| -> i128 {
        let (magnitude, negative) = match v.kind {
            ElementKind::U32 | ElementKind::U64 => (v.bits, false),
            ElementKind::F32 => (v.bits & 0x7fff_ffff, v.bits >> 31 == 1),
            ElementKind::F64 => (v.bits & (u64::MAX >> 1), v.bits >> 63 == 1),
        };
        if negative {
            -1 - i128::from(magnitude)
        } else {
            i128::from(magnitude)
        }
    };
    line(a).abs_diff(line(b)) as u64
}

fn abs_difference(a: Value, b: Value) -> f64 {
    match a.kind {
        ElementKind::U32 | ElementKind::U64 => a.bits.abs_diff(b.bits) as f64,
        // Equal infinities differ by nothing, though their difference is NaN.
        ElementKind::F32 | ElementKind::F64 if a.as_f64() == b.as_f64() => 0.0,
        ElementKind::F32 | ElementKind::F64 => (a.as_f64() - b.as_f64()).abs(),
    }
}

fn encloses_in_fp16(reference: f64, twin: f64) -> bool {
    let nearest = half::f16::from_f64(reference);
    let neighbour = if nearest.to_f64() == reference {
        nearest
    } else {
        // Bit patterns of one sign are ordered by magnitude, so the other side is one step away.
        let grow = nearest.to_f64().abs() < reference.abs();
        half::f16::from_bits(if grow {
            nearest.to_bits() + 1
        } else {
            nearest.to_bits() - 1
        })
    };
    [nearest, neighbour].iter().any(|h| h.to_f64() == twin)
}
