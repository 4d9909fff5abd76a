//! The report as JUnit: every state mapped so that a case is red where the cell is, and the file where the run is.

use isobit_gate::report::{Report, Status};
use isobit_report::junit;
use quick_junit::{NonSuccessKind, TestCaseStatus};

use crate::reports::*;

/// A report of few cells, one in each state.
fn every_state() -> Report {
    let mut report = border_failure();
    let wanted = ["border_mirror", "psnr", "float_moment"];
    report.cells.retain(|cell| {
        let small = cell.control || (cell.format.to_string() == "yuv420-10");
        wanted.contains(&cell.kernel.as_str()) && small
    });
    let mut set = |name: &str, status: Status, reason: &str| {
        let cell = find(&mut report, name);
        cell.status = status;
        cell.reason = Some(reason.to_owned());
        if matches!(status, Status::Skip | Status::Error) {
            cell.checks.clear();
        }
    };
    set(
        "psnr/exact yuv420-10 scene lavapipe",
        Status::Skip,
        "a single sample has no border",
    );
    set(
        "psnr/exact yuv420-10 odd lavapipe",
        Status::Xfail,
        "a known fault (notes/7); found: it differs",
    );
    set(
        "psnr/exact yuv420-10 scene swiftshader",
        Status::Xpass,
        "it agrees, although FAIL is expected",
    );
    set(
        "psnr/exact yuv420-10 odd swiftshader",
        Status::Error,
        "the worker was ended by \u{1b}[1msignal 11\u{1b}[0m <SIGSEGV>\nhint: cargo xtask doctor",
    );
    report.cells[3].timing.device_ms = 12.5;
    report.lanes[1].probes[2].broken = true;
    report.faults = vec!["expectation `x` of status FAIL matched no cell that ran".to_owned()];
    report
}

#[test]
fn a_case_is_red_where_its_cell_is() {
    insta::assert_snapshot!(junit::render(&every_state(), 2).unwrap());
}

#[test]
fn what_is_written_is_read_back_with_the_same_counts() {
    let report = every_state();
    let read = quick_junit::Report::deserialize_from_str(&junit::render(&report, 2).unwrap()).unwrap();
    let cells = &read.test_suites[1..];
    assert_eq!(cells.iter().map(|suite| suite.tests).sum::<usize>(), report.cells.len());
    let names: Vec<_> = cells.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(names, LANES);
    let red = |status: &TestCaseStatus, wanted: NonSuccessKind| matches!(status, TestCaseStatus::NonSuccess { kind, .. } if *kind == wanted);
    let all: Vec<_> = cells.iter().flat_map(|suite| &suite.test_cases).collect();
    let of = |wanted| all.iter().filter(|case| red(&case.status, wanted)).count();
    let skipped = all
        .iter()
        .filter(|case| matches!(case.status, TestCaseStatus::Skipped { .. }));
    assert_eq!(skipped.count(), 2);
    assert_eq!((of(NonSuccessKind::Failure), of(NonSuccessKind::Error)), (2, 1));
}

#[test]
fn the_file_is_red_exactly_where_the_run_is() {
    let red = |report: &Report, code: u8| {
        let read = quick_junit::Report::deserialize_from_str(&junit::render(report, code).unwrap()).unwrap();
        (read.failures, read.errors)
    };
    assert_eq!(red(&green(), 0), (0, 0));
    assert_eq!(red(&border_failure(), 1), (2, 0));
    // Every cell is well, and no control shows that the gate can turn red.
    let mut blind = green();
    blind.cells.retain(|cell| !cell.control);
    assert_eq!(red(&blind, 2), (0, 1));
    let mut interrupted = green();
    interrupted.interrupted = Some("Ctrl-C".to_owned());
    assert_eq!(red(&interrupted, 2), (0, 1));
}
