//! Each hint is given where its observation holds and kept back where it does not.

use crate::reports::*;
use isobit::execution::{BufferFault, FaultKind};
use isobit::format::{Depth, Layout};
use isobit::output::{ElementKind, Value};
use isobit_gate::report::{CellReport, Report, Status};
use isobit_report::terminal::{Options, render};

const NAME: &str = "float_moment/exact yuv422-12 odd lavapipe";

/// The hints for one cell after `spoil`, each on one line.
fn hints(spoil: impl FnOnce(&mut CellReport)) -> Vec<String> {
    let mut report = green();
    let cell = find(&mut report, NAME);
    cell.status = Status::Fail;
    let mut check = border(10_000, 1_000);
    // Nothing in particular: all over the plane, of every size.
    let spread = &mut check.comparison.spread;
    spread.edge_distance = 176;
    spread.first_row = 10;
    cell.checks = vec![check];
    spoil(cell);
    shown(&report)
}

fn shown(report: &Report) -> Vec<String> {
    let options = Options {
        width: 100,
        colour: false,
        exit_code: 1,
        json: None,
    };
    let text = render(report, &options);
    let mut hints: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match (line.strip_prefix("  look at:  "), line.strip_prefix("            ")) {
            (Some(hint), _) => {
                hints.push(hint.to_owned());
                open = true;
            }
            (None, Some(rest)) if open => {
                if let Some(last) = hints.last_mut() {
                    *last += &format!(" {rest}");
                }
            }
            _ => open = false,
        }
    }
    hints
}

#[test]
fn differences_without_a_pattern_have_only_their_lane() {
    assert_eq!(
        hints(|_| ()),
        ["fails on `lavapipe` and passes on `swiftshader`: compare the lanes' probes, then suspect the driver"]
    );
}

#[test]
fn each_pattern_has_its_hint() {
    type Case = (&'static str, fn(&mut CellReport));
    let cases: [Case; 12] = [
        (
            "all differences lie within 3 samples of the edge: look at the border rule",
            |cell| {
                cell.checks[0].comparison.spread.edge_distance = 2;
            },
        ),
        (
            "only the last column differs: look at how the tail of a row is written",
            |cell| {
                cell.checks[0].comparison.spread.last_column = 1_000;
            },
        ),
        (
            "only odd columns differ: a packed write may lose its neighbour",
            |cell| {
                cell.checks[0].comparison.spread.odd_columns = 1_000;
            },
        ),
        (
            "only even columns differ: a packed write may lose its neighbour",
            |cell| {
                cell.checks[0].comparison.spread.even_columns = 1_000;
            },
        ),
        (
            "the first row is equal and later ones are not: look at the stride",
            |cell| {
                let comparison = &mut cell.checks[0].comparison;
                comparison.elements = 2_000;
                comparison.spread.first_row = 0;
            },
        ),
        ("every difference is of one code: ties may round differently", |cell| {
            let comparison = &mut cell.checks[0].comparison;
            comparison.spread.by_one = 1_000;
            comparison.first = Some(witness(0, 3, 3, 8.0, 9.0));
            comparison.worst = None;
        }),
        (
            "every value falls short of the reference: terms may be missing from a sum",
            |cell| {
                cell.checks[0].comparison.spread.below = 1_000;
            },
        ),
        (
            "every mismatch has NaN on one side only: test for NaN on the bits, `x != x` is always false",
            |cell| {
                cell.checks[0].comparison.nan_one_side = 1_000;
            },
        ),
        ("only the sign of zero differs", |cell| {
            let comparison = &mut cell.checks[0].comparison;
            comparison.max_abs = 0.0;
            comparison.first = Some(witness(0, 3, 3, 0.0, -0.0));
            comparison.worst = None;
        }),
        (
            "the reference is subnormal where the twin is zero: this device flushes subnormals",
            |cell| {
                cell.checks[0].comparison.worst = Some(witness(0, 3, 3, 1e-40, 0.0));
            },
        ),
        (
            "part of an output was never written: the grid may not cover the whole of it",
            |cell| {
                cell.faults = vec![fault(FaultKind::Untouched)];
            },
        ),
        (
            "the result depends on what memory held before: initialise every accumulator and scratch buffer, \
             and look for a missing barrier",
            |cell| cell.faults = vec![fault(FaultKind::Unstable)],
        ),
    ];
    for (hint, spoil) in cases {
        let hints = hints(spoil);
        assert!(hints.iter().any(|h| h == hint), "`{hint}` is not among {hints:#?}");
        assert_eq!(hints.len(), 2, "more than the pattern and the lane: {hints:#?}");
    }
}

#[test]
fn rounding_is_told_from_other_differences() {
    let rounding = |hint: &String| hint.starts_with("no difference exceeds 2 ULP: ");
    let small = |cell: &mut CellReport| cell.checks[0].comparison.max_ulp = 2;
    assert!(hints(small).iter().any(rounding));
    // Codes have no units in the last place.
    let codes = hints(|cell| {
        small(cell);
        if let Some(worst) = &mut cell.checks[0].comparison.worst {
            worst.reference = Value {
                kind: ElementKind::U32,
                bits: 4,
            };
        }
    });
    assert!(!codes.iter().any(rounding));
}

#[test]
fn a_score_has_neither_edges_nor_columns() {
    let hints = hints(|cell| {
        let spread = &mut cell.checks[0].comparison.spread;
        spread.edge_distance_possible = 0;
        spread.edge_distance = 0;
        spread.last_column = 1_000;
        spread.even_columns = 1_000;
        spread.first_row = 1_000;
    });
    assert_eq!(hints.len(), 1, "{hints:#?}");
}

#[test]
fn a_few_differences_prove_no_pattern() {
    let hints = hints(|cell| {
        let comparison = &mut cell.checks[0].comparison;
        comparison.mismatches = 3;
        comparison.spread.odd_columns = 3;
        comparison.spread.below = 3;
        comparison.spread.edge_distance = 1;
    });
    assert_eq!(hints.len(), 1, "{hints:#?}");
}

#[test]
fn a_fault_above_eight_bits_is_told_by_the_other_depths() {
    let mut report = green();
    for depth in [Depth::U10, Depth::U12, Depth::U16] {
        for lane in LANES {
            let cell = find(
                &mut report,
                &format!("psnr/exact {}-{depth} odd {lane}", Layout::Yuv444),
            );
            cell.status = Status::Fail;
        }
    }
    let hints = shown(&report);
    let stride = "fails only above 8 bits: check byte stride against element stride";
    assert_eq!(hints.iter().filter(|hint| *hint == stride).count(), 6, "{hints:#?}");
    assert!(
        hints
            .iter()
            .any(|hint| hint == "fails on `swiftshader` too: suspect the twin before any driver")
    );
    // Once eight bits fail as well, the depth is no explanation.
    find(&mut report, "psnr/exact yuv444-8 odd lavapipe").status = Status::Fail;
    let on_lavapipe = shown(&report).iter().filter(|hint| *hint == stride).count();
    assert_eq!(on_lavapipe, 3);
}

fn fault(kind: FaultKind) -> BufferFault {
    BufferFault {
        frame: 0,
        buffer: "sums".to_owned(),
        kind,
        count: 3,
        first: 17,
    }
}
