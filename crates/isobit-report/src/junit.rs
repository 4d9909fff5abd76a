//! The report as JUnit XML, for systems that collect test results: a suite a lane, a test case a cell.
//!
//! JUnit knows no expected failure. `XFAIL` is a skipped case of type `XFAIL`, `XPASS` a failure of type `XPASS`, so that a
//! case is red where the cell is. What is red for no cell, such as a control that did not run, is in the suite `run`, whose
//! first case follows the exit code.

use std::time::Duration;

use isobit_gate::report::{CellReport, LaneReport, Report, Status};
use quick_junit::{NonSuccessKind, Property, SerializeError, TestCase, TestCaseStatus, TestSuite};

use crate::detail::Finding;
use crate::groups::{Group, case};
use crate::terminal::hosts;
use crate::text::clean;
use crate::verdict::{Word, elements, sentence};

/// Columns of text in descriptions.
const WIDTH: usize = 100;
/// Failing cells that are described in full; explaining one looks at all others.
const DESCRIBED: usize = 200;

/// The report as XML.
///
/// # Errors
/// Those of the serializer.
pub fn render(report: &Report, exit_code: u8) -> Result<String, SerializeError> {
    let mut junit = quick_junit::Report::new("isobit");
    junit.set_time(seconds(report.timing.total_ms));
    junit.add_test_suite(run(report, exit_code));
    let mut described = 0;
    for lane in &report.lanes {
        junit.add_test_suite(suite(report, lane, &mut described));
    }
    junit.to_string()
}

/// The run as a whole: its verdict, and its faults.
fn run(report: &Report, exit_code: u8) -> TestSuite {
    let mut suite = TestSuite::new("run");
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let shard = report.shard.as_ref().map(|shard| shard.part.to_string());
    let properties = [
        ("isobit", report.isobit_version.clone()),
        ("commit", text(&report.commit)),
        ("host", hosts(report)),
        ("manifest", report.manifest.clone()),
        ("configuration", report.configuration.clone()),
        ("shard", text(&shard)),
    ];
    add_properties(&mut suite, properties.map(|(name, value)| (name.to_owned(), value)));
    let said = sentence(report, exit_code);
    let status = match Word::new(report, exit_code) {
        Word::Ok => TestCaseStatus::success(),
        Word::Fail => red(NonSuccessKind::Failure, "FAIL", &said),
        word => red(NonSuccessKind::Error, word.name(), &said),
    };
    let mut verdict = TestCase::new("verdict", status);
    verdict.set_classname("run");
    verdict.set_time(seconds(report.timing.total_ms));
    suite.add_test_case(verdict);
    for fault in &report.faults {
        let mut case = TestCase::new("fault of the run", red(NonSuccessKind::Error, "ERROR", fault));
        case.set_classname("run");
        suite.add_test_case(case);
    }
    suite
}

fn suite(report: &Report, lane: &LaneReport, described: &mut usize) -> TestSuite {
    let mut suite = TestSuite::new(&lane.name);
    let mut properties = vec![("environment", lane.environment.clone())];
    if let Some(facts) = &lane.adapter {
        properties.extend([
            ("adapter", facts.name.clone()),
            ("backend", format!("{:?}", facts.backend).to_lowercase()),
            ("kind", format!("{:?}", facts.kind).to_lowercase()),
            ("driver", facts.driver.clone()),
            ("driver_info", facts.driver_info.clone()),
            ("compiler", facts.compiler.clone()),
        ]);
    }
    properties.extend(lane.icd.iter().map(|icd| ("icd", icd.clone())));
    properties.extend(lane.error.iter().map(|error| ("error", error.clone())));
    let probes = lane.probes.iter().map(|probe| {
        let broken = if probe.broken { "broken: " } else { "" };
        (format!("probe {}", probe.name), format!("{broken}{}", probe.finding))
    });
    let properties = properties.into_iter().map(|(name, value)| (name.to_owned(), value));
    add_properties(&mut suite, properties.chain(probes));

    let mut total_ms = 0.0;
    for cell in report.cells.iter().filter(|cell| cell.lane == lane.name) {
        let ms = cell.timing.total_ms();
        total_ms += ms;
        let mut test = TestCase::new(case(cell), status(report, cell, described));
        let group = if cell.control { "controls" } else { &cell.kernel };
        test.set_classname(format!("{}.{group}", lane.name));
        test.set_assertions(usize::try_from(elements(cell)).unwrap_or(usize::MAX));
        test.set_time(seconds(ms));
        suite.add_test_case(test);
    }
    suite.set_time(seconds(total_ms));
    suite
}

fn status(report: &Report, cell: &CellReport, described: &mut usize) -> TestCaseStatus {
    let reason = cell.reason.as_deref().unwrap_or("no reason was given");
    let kind = match cell.status {
        Status::Ok => return TestCaseStatus::success(),
        Status::Skip | Status::Xfail => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(cell.status.name()).set_message(clean(reason));
            return status;
        }
        Status::Fail | Status::Xpass => NonSuccessKind::Failure,
        Status::Error => NonSuccessKind::Error,
    };
    let mut status = red(kind, cell.status.name(), reason);
    *described += 1;
    if *described <= DESCRIBED {
        let finding = match kind {
            NonSuccessKind::Failure => Finding::Cell(cell),
            NonSuccessKind::Error => Finding::Lost(Group {
                reason,
                cells: vec![cell],
            }),
        };
        status.set_description(finding.detail(report, WIDTH).plain());
    }
    status
}

fn red(kind: NonSuccessKind, word: &str, reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(word).set_message(clean(reason)).set_description(reason);
    status
}

fn add_properties(suite: &mut TestSuite, properties: impl IntoIterator<Item = (String, String)>) {
    for (name, value) in properties {
        // What is not known has no property.
        if !value.is_empty() {
            suite.add_property(Property::new(name, clean(&value)));
        }
    }
}

/// A clock that ran backwards must not end the rendering.
fn seconds(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default()
}
