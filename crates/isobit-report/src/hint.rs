//! Where to look: what the spread of mismatches, the buffers and the neighbouring cells of a failing cell have in common.
//!
//! A hint states an observation that holds for every mismatch, then what usually causes it. It is silent where too few
//! elements differ for the observation to mean anything.

use isobit::compare::{Comparison, Witness};
use isobit::execution::FaultKind;
use isobit::format::Depth;
use isobit::output::ElementKind;
use isobit_gate::report::{CellReport, Check, Report, Status};

use crate::number::counted;

/// Fewer mismatches than this can lie in one place by chance.
const ENOUGH: u64 = 8;
/// The widest border, in samples, that is taken for one.
const WIDEST_BORDER: u32 = 16;
/// Differences up to this many units in the last place look like rounding.
const ROUNDING_ULPS: u64 = 4;

/// The hints for `cell`, the most telling first.
pub fn hints(report: &Report, cell: &CellReport) -> Vec<String> {
    let mut hints = Vec::new();
    faults(cell, &mut hints);
    for check in &cell.checks {
        if check.comparison.mismatches > 0 {
            spread(check, &mut hints);
        }
    }
    depths(report, cell, &mut hints);
    lanes(report, cell, &mut hints);
    let mut seen = Vec::new();
    hints.retain(|hint| {
        let new = !seen.contains(hint);
        if new {
            seen.push(hint.clone());
        }
        new
    });
    hints
}

fn faults(cell: &CellReport, hints: &mut Vec<String>) {
    let has = |kind: FaultKind| cell.faults.iter().any(|fault| fault.kind == kind);
    if has(FaultKind::Untouched) {
        hints.push("part of an output was never written: the grid may not cover the whole of it".to_owned());
    }
    if has(FaultKind::Unstable) {
        hints.push(
            "the result depends on what memory held before: initialise every accumulator and scratch buffer, \
             and look for a missing barrier"
                .to_owned(),
        );
    }
    if has(FaultKind::GuardBefore) || has(FaultKind::GuardAfter) {
        hints.push("a shader writes outside of its buffer: check the bounds of the last workgroup".to_owned());
    }
}

fn spread(check: &Check, hints: &mut Vec<String>) {
    let comparison = &check.comparison;
    let (spread, mismatches) = (&comparison.spread, comparison.mismatches);
    let all = |count: u64| count == mismatches;
    let enough = mismatches >= ENOUGH;
    // A score has one element, which is every edge and column at once.
    let plane = spread.edge_distance_possible > 0;

    if all(comparison.nan_one_side) {
        hints.push(
            "every mismatch has NaN on one side only: test for NaN on the bits, `x != x` is always false".to_owned(),
        );
        return;
    }
    if zero_signs_only(comparison) {
        hints.push("only the sign of zero differs".to_owned());
    }
    if [&comparison.first, &comparison.worst]
        .into_iter()
        .flatten()
        .any(is_flushed)
    {
        hints.push("the reference is subnormal where the twin is zero: this device flushes subnormals".to_owned());
    }
    if plane && all(spread.last_column) {
        hints.push("only the last column differs: look at how the tail of a row is written".to_owned());
    } else if plane && enough && spread.edge_distance < WIDEST_BORDER.min(spread.edge_distance_possible) {
        let reach = u64::from(spread.edge_distance) + 1;
        hints.push(format!(
            "all differences lie within {} of the edge: look at the border rule",
            counted(reach, "sample")
        ));
    }
    if plane && enough && !all(spread.last_column) {
        let only = |parity: &str| format!("only {parity} columns differ: a packed write may lose its neighbour");
        if all(spread.odd_columns) {
            hints.push(only("odd"));
        } else if all(spread.even_columns) {
            hints.push(only("even"));
        }
    }
    if plane && spread.first_row == 0 && mismatches.saturating_mul(4) >= comparison.elements {
        hints.push("the first row is equal and later ones are not: look at the stride".to_owned());
    }
    if all(spread.by_one) && whole_numbers(comparison) {
        hints.push("every difference is of one code: ties may round differently".to_owned());
    } else if enough && all(spread.below) {
        hints.push("every value falls short of the reference: terms may be missing from a sum".to_owned());
    }
    let floats = comparison
        .worst
        .as_ref()
        .is_some_and(|worst| is_float(worst.reference.kind));
    if floats && comparison.nan_one_side == 0 && (1..=ROUNDING_ULPS).contains(&comparison.max_ulp) {
        hints.push(format!(
            "no difference exceeds {} ULP: arithmetic that the compiler fused, reordered or replaced; \
             compare with the lane's probes",
            comparison.max_ulp
        ));
    }
}

/// Cells of the same kernel, twin, layout and fixture on the same lane: does the fault depend on the depth?
fn depths(report: &Report, cell: &CellReport, hints: &mut Vec<String>) {
    if cell.control || cell.status != Status::Fail {
        return;
    }
    let siblings = || {
        report.cells.iter().filter(|other| {
            same_twin(cell, other)
                && other.fixture == cell.fixture
                && other.lane == cell.lane
                && other.format.layout == cell.format.layout
                && other.format.depth != Depth::F32
        })
    };
    let mut wide = siblings().filter(|other| other.format.depth != Depth::U8).peekable();
    let narrow_is_ok = siblings().any(|other| other.format.depth == Depth::U8 && other.status == Status::Ok);
    if narrow_is_ok && wide.peek().is_some() && wide.all(|other| other.status == Status::Fail) {
        hints.push("fails only above 8 bits: check byte stride against element stride".to_owned());
    }
}

/// The same cell on other lanes: does the fault depend on the driver?
fn lanes(report: &Report, cell: &CellReport, hints: &mut Vec<String>) {
    if cell.control || cell.status != Status::Fail {
        return;
    }
    let others = || {
        report.cells.iter().filter(|other| {
            same_twin(cell, other)
                && other.fixture == cell.fixture
                && other.format == cell.format
                && other.lane != cell.lane
                && matches!(other.status, Status::Ok | Status::Fail)
        })
    };
    let names = |status: Status| -> Vec<String> {
        let of_status = others().filter(|other| other.status == status);
        of_status.map(|other| format!("`{}`", other.lane)).collect()
    };
    let (equal, failing) = (names(Status::Ok), names(Status::Fail));
    if !equal.is_empty() && failing.is_empty() {
        hints.push(format!(
            "fails on `{}` and passes on {}: compare the lanes' probes, then suspect the driver",
            cell.lane,
            equal.join(", ")
        ));
    } else if equal.is_empty() && !failing.is_empty() {
        hints.push(format!(
            "fails on {} too: suspect the twin before any driver",
            failing.join(", ")
        ));
    }
}

fn same_twin(a: &CellReport, b: &CellReport) -> bool {
    !b.control && a.kernel == b.kernel && a.twin == b.twin
}

fn is_float(kind: ElementKind) -> bool {
    matches!(kind, ElementKind::F32 | ElementKind::F64)
}

fn is_flushed(witness: &Witness) -> bool {
    let smallest = match witness.reference.kind {
        ElementKind::F32 => f64::from(f32::MIN_POSITIVE),
        ElementKind::F64 => f64::MIN_POSITIVE,
        ElementKind::U32 | ElementKind::U64 => return false,
    };
    let reference = witness.reference.as_f64().abs();
    reference > 0.0 && reference < smallest && witness.twin.as_f64() == 0.0
}

fn zero_signs_only(comparison: &Comparison) -> bool {
    let mut shown = [&comparison.first, &comparison.worst].into_iter().flatten();
    let nan = comparison.nan_one_side + comparison.nan_both;
    nan == 0 && comparison.max_abs == 0.0 && shown.all(|w| w.reference.as_f64() == 0.0 && w.twin.as_f64() == 0.0)
}

/// Whether the mismatches that are shown are codes rather than arbitrary numbers.
fn whole_numbers(comparison: &Comparison) -> bool {
    let witnesses = [&comparison.first, &comparison.worst].into_iter().flatten();
    witnesses
        .flat_map(|witness| [witness.reference, witness.twin])
        .all(|value| !is_float(value.kind) || value.as_f64().fract() == 0.0)
}
