//! The one comparison: feeds the verdict and every report.

#![expect(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "an error that is not a number must fail its bound"
)]

use serde::{Deserialize, Serialize};

use crate::delta_e::{can_be_shown, delta_e_2000, delta_e_ok};
use crate::execution::{BufferFault, FaultKind};
use crate::kernel::{Encoding, Metric, MetricKind, NanPolicy, Symptom};
use crate::output::{ElementKind, Output, Value, Values};
use crate::tolerance::Rule;

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
    /// The largest error in the rule's own unit, where that is not one of the above: ΔE or RMSE.
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
        Rule::Rmse { rmse } => judge_rmse(&mut result, &pairs, rmse),
        Rule::Ranking => judge_ranking(&mut result, &pairs),
        Rule::DeltaEOk { delta_e } => judge_colour(&mut result, metric, &pairs, delta_e, delta_e_ok)?,
        Rule::DeltaE2000 { delta_e } => judge_colour(&mut result, metric, &pairs, delta_e, delta_e_2000)?,
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
            Rule::Ulp { ulp: bound } => (!r_nan && !t_nan && ulp <= bound, ulp as f64),
            Rule::Fp16 => (encloses_in_fp16(r.as_f64(), t.as_f64()), ulp as f64),
            // Judged over pixels, planes or frames; a NaN that the contract does not allow fails here all the same.
            Rule::DeltaEOk { .. } | Rule::DeltaE2000 { .. } | Rule::Rmse { .. } | Rule::Ranking => {
                (!r_nan && !t_nan, f64::NAN)
            }
        };
        if !(agrees || both_nan_agree) {
            let at = (index as u32 % width, index as u32 / width);
            result.record(reference, at, (r, t), error);
        }
    }
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

fn judge_rmse(result: &mut Comparison, pairs: &[Pair<'_>], bound: f64) {
    for (reference, twin) in pairs {
        let len = reference.values.len();
        let squares = (0..len).map(|i| {
            let difference = abs_difference(reference.values.get(i), twin.values.get(i));
            difference * difference
        });
        let rmse = (squares.sum::<f64>() / len as f64).sqrt();
        result.note_measure(rmse);
        if !(rmse <= bound) {
            let score = |v: f64| Values::F64(vec![v]).get(0);
            result.record(reference, (0, 0), (score(0.0), score(rmse)), rmse);
        }
    }
}

fn judge_ranking(result: &mut Comparison, pairs: &[Pair<'_>]) {
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

fn judge_colour(
    result: &mut Comparison,
    metric: &Metric,
    pairs: &[Pair<'_>],
    bound: f64,
    difference: fn(Encoding, [f64; 3], [f64; 3]) -> f64,
) -> Result<(), CompareError> {
    let not_colour = || CompareError::NotColour {
        metric: metric.name.to_owned(),
    };
    let MetricKind::Plane(Some(encoding)) = metric.kind else {
        return Err(not_colour());
    };
    let (pixels, []) = pairs.as_chunks::<3>() else {
        return Err(not_colour());
    };
    for planes in pixels {
        let place = planes[0].0;
        let one_frame = planes
            .iter()
            .enumerate()
            .all(|(plane, (r, _))| r.frame == place.frame && r.plane == plane && r.values.len() == place.values.len());
        if !one_frame {
            return Err(not_colour());
        }
        for index in 0..place.values.len() {
            let reference = [0, 1, 2].map(|plane| planes[plane].0.values.get(index));
            let twin = [0, 1, 2].map(|plane| planes[plane].1.values.get(index));
            let colour = |values: [Value; 3]| values.map(Value::as_f64);
            // A difference is perceived between colours that can be shown; others are judged by the metric's other rules.
            // Only the reference decides, so a twin that leaves the range is still measured.
            if reference == twin || !can_be_shown(encoding, colour(reference)) {
                continue;
            }
            let error = difference(encoding, colour(reference), colour(twin));
            result.note_measure(error);
            if !(error <= bound) {
                let worst_channel = (0..3).max_by_key(|&c| ulp_distance(reference[c], twin[c])).unwrap_or(0);
                let at = (index as u32 % place.width, index as u32 / place.width);
                result.record(
                    planes[worst_channel].0,
                    at,
                    (reference[worst_channel], twin[worst_channel]),
                    error,
                );
            }
        }
    }
    Ok(())
}

impl Comparison {
    fn note_measure(&mut self, measure: f64) {
        self.max_measure = Some(self.max_measure.map_or(measure, |m| m.max(measure)));
    }
}

impl Symptom {
    /// Whether a broken twin differs in just the way that its fault implies.
    ///
    /// # Errors
    /// With a sentence on what was found instead.
    pub fn confirm(self, comparisons: &[Comparison], faults: &[BufferFault]) -> Result<(), String> {
        let sum = |count: fn(&Comparison) -> u64| comparisons.iter().map(count).sum::<u64>();
        let mismatches = sum(|c| c.mismatches);
        let faulty = |kind: FaultKind| faults.iter().filter(|f| f.kind == kind).map(|f| f.count).sum::<u64>();
        let (untouched, unstable) = (faulty(FaultKind::Untouched), faulty(FaultKind::Unstable));
        let expect = |holds: bool, what: String| if holds { Ok(()) } else { Err(what) };

        if self == Self::None {
            return expect(
                mismatches == 0 && faults.is_empty(),
                format!("{mismatches} mismatches and {} faults where none can be", faults.len()),
            );
        }
        if self == Self::Unstable {
            return expect(unstable > 0, "the result does not depend on earlier memory".to_owned());
        }
        if self == Self::GuardHit {
            return expect(
                mismatches == 0 && faulty(FaultKind::GuardAfter) > 0,
                format!(
                    "{mismatches} mismatches, {} bytes overwritten behind a buffer",
                    faulty(FaultKind::GuardAfter)
                ),
            );
        }
        if mismatches == 0 {
            return Err("no difference was found".to_owned());
        }
        let all = |count: u64| count == mismatches;
        match self {
            Self::None | Self::Unstable | Self::GuardHit => Ok(()),
            Self::Border(radius) => {
                let reached = comparisons.iter().map(|c| c.spread.edge_distance).max().unwrap_or(0);
                let interior = comparisons.iter().all(|c| c.spread.edge_distance_possible > radius);
                expect(
                    reached < radius && interior,
                    format!("differences reach {reached} samples from the edge, not below {radius}"),
                )
            }
            Self::LastColumnUntouched => expect(
                all(sum(|c| c.spread.last_column)) && untouched == mismatches,
                format!("{mismatches} mismatches, {untouched} elements untouched"),
            ),
            Self::OneCode => expect(
                all(sum(|c| c.spread.by_one)),
                format!(
                    "{} of {mismatches} mismatches are of one code",
                    sum(|c| c.spread.by_one)
                ),
            ),
            Self::OneParity => expect(
                all(sum(|c| c.spread.even_columns)) || all(sum(|c| c.spread.odd_columns)),
                "both even and odd columns differ".to_owned(),
            ),
            Self::LaterRows => expect(
                sum(|c| c.spread.first_row) == 0,
                format!("{} mismatches are in the first row", sum(|c| c.spread.first_row)),
            ),
            Self::Short => expect(
                all(sum(|c| c.spread.below)),
                format!(
                    "{} of {mismatches} mismatches are below the reference",
                    sum(|c| c.spread.below)
                ),
            ),
            Self::Ulps(bound) => {
                let worst = comparisons.iter().map(|c| c.max_ulp).max().unwrap_or(0);
                expect(
                    worst <= bound && sum(|c| c.nan_one_side) == 0,
                    format!("differences reach {worst} ULP, not at most {bound}"),
                )
            }
            Self::OneUlp => {
                let worst = comparisons.iter().map(|c| c.max_ulp).max().unwrap_or(0);
                expect(
                    mismatches == 1 && worst == 1,
                    format!("{mismatches} mismatches of up to {worst} ULP"),
                )
            }
            Self::NanLost => {
                let (lost, kept) = (sum(|c| c.nan_one_side), sum(|c| c.nan_both));
                expect(
                    all(lost) && kept == 0,
                    format!("{lost} of {mismatches} mismatches are a NaN on one side, {kept} NaN are on both"),
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANE: Metric = Metric {
        name: "plane",
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    };

    fn plane(values: &[f32]) -> Vec<Output> {
        vec![Output {
            metric: "plane",
            frame: 0,
            plane: 0,
            width: values.len() as u32,
            height: 1,
            values: Values::F32(values.to_vec()),
        }]
    }

    fn mismatches(rule: &Rule, reference: &[f32], twin: &[f32]) -> u64 {
        compare(&PLANE, &plane(reference), &plane(twin), rule)
            .unwrap()
            .mismatches
    }

    #[test]
    fn exact_is_of_bits() {
        assert_eq!(mismatches(&Rule::EXACT, &[1.0, 0.0], &[1.0, -0.0]), 1);
        let signs = Rule::Exact { zero_signs_agree: true };
        assert_eq!(mismatches(&signs, &[0.0], &[-0.0]), 0);
        assert_eq!(mismatches(&Rule::EXACT, &[f32::INFINITY], &[f32::INFINITY]), 0);
    }

    #[test]
    fn nan_agrees_by_class_and_only_where_the_contract_says_so() {
        let other_nan = f32::from_bits(0x7fc0_1234);
        for rule in [
            Rule::EXACT,
            Rule::Abs { abs: 1e9 },
            Rule::Ulp { ulp: 1 },
            Rule::Rmse { rmse: 1e9 },
        ] {
            for twin in [f32::NAN, other_nan, 1.0] {
                assert!(mismatches(&rule, &[f32::NAN], &[twin]) > 0, "{rule} {twin}");
            }
            assert!(mismatches(&rule, &[1.0], &[f32::NAN]) > 0, "{rule}");
        }
        let lenient = Metric {
            nan: NanPolicy::Class,
            ..PLANE
        };
        let result = compare(&lenient, &plane(&[f32::NAN]), &plane(&[other_nan]), &Rule::EXACT).unwrap();
        assert_eq!((result.mismatches, result.nan_both), (0, 1));
        let result = compare(&lenient, &plane(&[f32::NAN]), &plane(&[0.0]), &Rule::EXACT).unwrap();
        assert_eq!((result.mismatches, result.nan_one_side), (1, 1));
    }

    #[test]
    fn bounds_are_inclusive() {
        let rule = Rule::AbsRel { abs: 0.5, rel: 0.25 };
        assert_eq!(mismatches(&rule, &[1.0, 4.0], &[1.5, 5.0]), 0);
        assert_eq!(mismatches(&rule, &[1.0, 4.0], &[1.6, 5.1]), 2);
        assert_eq!(mismatches(&Rule::Ulp { ulp: 1 }, &[1.0], &[1.0f32.next_up()]), 0);
        assert_eq!(
            mismatches(&Rule::Ulp { ulp: 1 }, &[1.0], &[1.0f32.next_up().next_up()]),
            1
        );
        assert_eq!(
            mismatches(&Rule::Abs { abs: 1.0 }, &[f32::INFINITY], &[f32::NEG_INFINITY]),
            1
        );
        assert_eq!(mismatches(&rule, &[f32::INFINITY; 2], &[f32::INFINITY, f32::MAX]), 1);
    }

    #[test]
    fn fp16_accepts_both_roundings_and_no_other() {
        let between = 1.0 + 0.3 * 2f32.powi(-10);
        let (down, up) = (1.0, 1.0 + 2f32.powi(-10));
        assert_eq!(mismatches(&Rule::Fp16, &[between, between, 1.0], &[down, up, 1.0]), 0);
        assert_eq!(mismatches(&Rule::Fp16, &[between, 1.0], &[between.next_up(), up]), 2);
        assert_eq!(mismatches(&Rule::Fp16, &[-between, -between], &[-down, -up]), 0);
    }

    #[test]
    fn nothing_and_unequal_lists_are_errors() {
        let one = plane(&[1.0]);
        assert!(matches!(
            compare(&PLANE, &[], &[], &Rule::EXACT),
            Err(CompareError::Nothing { .. })
        ));
        assert!(matches!(
            compare(&PLANE, &one, &[], &Rule::EXACT),
            Err(CompareError::Count { .. })
        ));
        let longer = plane(&[1.0, 2.0]);
        assert!(matches!(
            compare(&PLANE, &one, &longer, &Rule::EXACT),
            Err(CompareError::Shape { .. })
        ));
        let mut doubles = one.clone();
        doubles[0].values = Values::F64(vec![1.0]);
        assert!(matches!(
            compare(&PLANE, &one, &doubles, &Rule::EXACT),
            Err(CompareError::Shape { .. })
        ));
        let stray = [Output::score("other", 0, 1.0)];
        assert!(matches!(
            check_declared(&[PLANE], &stray),
            Err(CompareError::Undeclared { .. })
        ));
    }

    #[test]
    fn the_witnesses_are_the_first_and_the_worst() {
        let result = compare(
            &PLANE,
            &plane(&[1.0, 2.0, 3.0]),
            &plane(&[1.0, 2.5, 5.0]),
            &Rule::Abs { abs: 0.1 },
        )
        .unwrap();
        assert_eq!((result.elements, result.mismatches, result.differing), (3, 2, 2));
        assert_eq!(result.first.unwrap().x, 1);
        assert_eq!(result.worst.as_ref().unwrap().x, 2);
        assert_eq!(result.max_abs, 2.0);
    }

    #[test]
    fn ulps_cross_zero_and_count_integers() {
        let f = |v: f32| Values::F32(vec![v]).get(0);
        assert_eq!(ulp_distance(f(0.0), f(-0.0)), 1);
        assert_eq!(ulp_distance(f(f32::from_bits(1)), f(-f32::from_bits(1))), 3);
        let u = |v: u64| Values::U64(vec![v]).get(0);
        assert_eq!(ulp_distance(u(0), u(u64::MAX)), u64::MAX);
    }

    #[test]
    fn rankings_differ_by_order_alone() {
        let score = Metric {
            kind: MetricKind::Score,
            ..PLANE
        };
        let scores = |values: [f64; 3]| -> Vec<_> {
            values
                .iter()
                .enumerate()
                .map(|(frame, &v)| Output::score("plane", frame, v))
                .collect()
        };
        let of = |twin| {
            compare(&score, &scores([1.0, 3.0, 2.0]), &scores(twin), &Rule::Ranking)
                .unwrap()
                .mismatches
        };
        assert_eq!(of([10.0, 30.0, 20.0]), 0);
        assert_eq!(of([1.0, 2.0, 3.0]), 2);
    }

    #[test]
    fn colour_differences_are_of_pixels() {
        let metric = Metric {
            kind: MetricKind::Plane(Some(Encoding::Linear)),
            ..PLANE
        };
        let pixel = |rgb: [f32; 3]| -> Vec<_> {
            (0..3)
                .map(|plane_index| Output {
                    plane: plane_index,
                    ..plane(&rgb[plane_index..][..1]).remove(0)
                })
                .collect()
        };
        let of = |twin, delta_e| compare(&metric, &pixel([0.5; 3]), &pixel(twin), &Rule::DeltaEOk { delta_e }).unwrap();
        assert_eq!(of([0.5, 0.5, 0.6], 0.001).mismatches, 1);
        assert!(of([0.5, 0.5, 0.6], 0.001).max_measure.unwrap() > 0.01);
        assert_eq!(of([0.5, 0.5, 0.500_01], 0.001).mismatches, 0);
        for lost in [1e30, f32::INFINITY, f32::NAN] {
            assert!(of([0.5, 0.5, lost], 0.001).mismatches > 0, "{lost}");
        }
        let beyond = [1e30, 0.5, 0.5];
        let rule = Rule::DeltaEOk { delta_e: 0.001 };
        let unseen = compare(&metric, &pixel(beyond), &pixel([1.1e30, 0.5, 0.5]), &rule).unwrap();
        assert_eq!((unseen.mismatches, unseen.differing), (0, 1));
        let grey = compare(
            &PLANE,
            &pixel([0.5; 3]),
            &pixel([0.5; 3]),
            &Rule::DeltaEOk { delta_e: 1.0 },
        );
        assert!(matches!(grey, Err(CompareError::NotColour { .. })));
    }

    #[test]
    fn a_lost_nan_is_confirmed_only_where_all_are_lost_and_nothing_else_differs() {
        let metric = Metric {
            nan: NanPolicy::Class,
            ..PLANE
        };
        let confirmed = |twin: [f32; 3]| {
            let reference = plane(&[f32::NAN, 1.0, f32::NAN]);
            let comparison = compare(&metric, &reference, &plane(&twin), &Rule::EXACT).unwrap();
            Symptom::NanLost.confirm(&[comparison], &[])
        };
        assert_eq!(confirmed([0.0, 1.0, 7.0]), Ok(()));
        assert!(confirmed([0.0, 1.0, f32::NAN]).is_err());
        assert!(confirmed([0.0, 2.0, 7.0]).is_err());
        assert!(confirmed([f32::NAN, 1.0, f32::NAN]).is_err());
    }

    #[test]
    fn a_guard_hit_is_confirmed_only_behind_a_buffer_of_right_values() {
        let hit = |kind| BufferFault {
            frame: 0,
            buffer: "codes".to_owned(),
            kind,
            count: 4,
            first: 0,
        };
        let comparison = |twin| compare(&PLANE, &plane(&[1.0]), &plane(&[twin]), &Rule::EXACT).unwrap();
        let confirmed = |twin, faults: &[_]| Symptom::GuardHit.confirm(&[comparison(twin)], faults).is_ok();
        assert!(confirmed(1.0, &[hit(FaultKind::GuardAfter)]));
        assert!(!confirmed(2.0, &[hit(FaultKind::GuardAfter)]));
        assert!(!confirmed(1.0, &[hit(FaultKind::GuardBefore)]));
        assert!(!confirmed(1.0, &[]));
    }

    #[test]
    fn merging_parts_equals_comparing_the_whole() {
        let (reference, twin) = (plane(&[1.0, 2.0, 3.0, 4.0]), plane(&[1.0, 2.5, 3.0, 9.0]));
        let rule = Rule::Abs { abs: 0.1 };
        let mut whole = compare(&PLANE, &reference, &twin, &rule).unwrap();
        whole.merge(compare(&PLANE, &plane(&[1.0]), &plane(&[1.2]), &rule).unwrap());
        assert_eq!((whole.elements, whole.mismatches), (5, 3));
        assert_eq!(whole.worst.unwrap().x, 3);
    }
}
