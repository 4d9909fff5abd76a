//! Rows are measured, found stale and recorded one by one.

use super::*;
use crate::args::RunArgs;
use crate::cell::Cell;
use crate::report::{CellReport, Status};
use crate::toy;

const ROWS: [(&str, &str); 3] = [("invert", "one"), ("invert", "two"), ("revert", "one")];

/// The toy with two kernels listed on lane `one`, and one of them on lane `two`.
fn config() -> Config {
    let mut config = toy::config();
    config.fragments = ROWS.map(|(kernel, lane)| toy::fragment(kernel, lane)).into();
    config
}

fn manifest(config: &Config) -> Manifest {
    let args = RunArgs {
        matrix: true,
        ..RunArgs::default()
    };
    Manifest::plan(&toy::REGISTRY, config, &args, None).unwrap()
}

/// A run in which all is well. Real cells have no numbers, which no row is asked for here.
fn report(config: &Config) -> Report {
    let mut manifest = manifest(config);
    let (controls, real): (Vec<Cell>, Vec<Cell>) = manifest.cells.drain(..).partition(|cell| cell.control.is_some());
    manifest.cells = controls;
    let run = toy::run_facts(&manifest);
    let mut report = summary::assemble(&manifest, config, toy::sound_run(config, &manifest), run);
    report.cells.extend(real.iter().map(|cell| CellReport {
        status: if cell.skip.is_some() { Status::Skip } else { Status::Ok },
        reason: None,
        ..crate::verdict::error(cell, "")
    }));
    report
}

/// The rows that a report yields a record of, and why there is none of others.
fn recorded(report: &Report) -> (Vec<(String, String)>, Vec<String>) {
    let (mut rows, mut reasons) = (Vec::new(), Vec::new());
    for row in measured(&toy::REGISTRY, &config(), report) {
        match row {
            Ok(row) => rows.push((row.kernel, row.lane)),
            Err(reason) => reasons.push(reason.to_string()),
        }
    }
    (rows, reasons)
}

fn named(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter()
        .map(|(kernel, lane)| (kernel.to_string(), lane.to_string()))
        .collect()
}

#[test]
fn a_row_that_is_red_keeps_no_other_back() {
    let config = config();
    assert_eq!(recorded(&report(&config)), (named(&ROWS), vec![]));
    let mut red = report(&config);
    let row = |cell: &&mut CellReport| (&*cell.kernel, &*cell.twin, &*cell.lane) == ("invert", "exact", "one");
    red.cells.iter_mut().find(row).unwrap().status = Status::Fail;
    // A twin that is not listed has no row.
    let native = |cell: &&mut CellReport| cell.twin == "native";
    red.cells
        .iter_mut()
        .filter(native)
        .for_each(|cell| cell.status = Status::Fail);
    let (rows, reasons) = recorded(&red);
    assert_eq!(rows, named(&ROWS[1..]));
    assert_eq!(reasons.len(), 1);
    assert!(reasons[0].starts_with("`invert/exact "), "{}", reasons[0]);
}

#[test]
fn rows_that_did_not_run_are_not_asked_for_and_part_of_a_row_is_none() {
    let mut part = report(&config());
    part.cells
        .retain(|cell| cell.control || (cell.kernel == "revert" && cell.lane == "one"));
    assert_eq!(recorded(&part), (named(&ROWS[2..]), vec![]));
    part.cells.pop();
    let (rows, reasons) = recorded(&part);
    assert_eq!(rows, []);
    assert!(
        reasons[0].contains("only the full matrix is recorded"),
        "{}",
        reasons[0]
    );
}

#[test]
fn a_lane_that_proves_nothing_has_no_record() {
    let mut blind = report(&config());
    let control = |cell: &&mut CellReport| cell.control && cell.lane == "one";
    blind.cells.iter_mut().find(control).unwrap().status = Status::Fail;
    let (rows, reasons) = recorded(&blind);
    assert_eq!(rows, named(&ROWS[1..2]));
    assert_eq!(
        reasons,
        ["nothing on lane `one` is recorded: its controls do not prove that the gate is alive"]
    );

    let mut without = report(&config());
    without.lanes[1].left_out = Some("no `node`".to_owned());
    assert_eq!(
        recorded(&without).1,
        ["nothing on lane `two` is recorded: it was left out: no `node`"]
    );

    let mut faulty = report(&config());
    faulty.faults.push("a second result".to_owned());
    assert_eq!(
        recorded(&faulty),
        (
            vec![],
            vec!["nothing is recorded of a run with a fault: a second result".to_owned()]
        )
    );
}

#[test]
fn only_what_is_missing_or_stale_is_measured_again() {
    let mut config = config();
    config.records = measured(&toy::REGISTRY, &config, &report(&config))
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let left = |config: &Config| {
        let mut manifest = manifest(config);
        let narrowed = narrow(&mut manifest, &toy::REGISTRY, config).unwrap();
        let rows = manifest.cells.iter().filter(|cell| cell.control.is_none());
        let mut rows: Vec<_> = rows
            .map(|cell| (cell.kernel.name, cell.twin.name, cell.lane.clone()))
            .collect();
        rows.dedup();
        (narrowed, rows, manifest.lanes().join(" "))
    };
    let before = manifest(&config).cells.len();
    let mut whole = manifest(&config);
    assert_eq!(narrow(&mut whole, &toy::REGISTRY, &config).unwrap(), Narrowed::Fresh(3));
    assert_eq!(whole.cells.len(), before);
    assert!(Narrowed::Fresh(3).to_string().ends_with("missing or stale (3 records)"));

    config.records.remove(1);
    let two = || ("invert", "exact", "two".to_owned());
    assert_eq!(left(&config), (Narrowed::To(1), vec![two()], "two".to_owned()));
    config.records[0].fingerprint.plans.clear();
    let (narrowed, rows, lanes) = left(&config);
    assert_eq!((narrowed, &*lanes), (Narrowed::To(2), "one two"));
    assert!(
        rows.contains(&("invert", "exact", "one".to_owned())) && rows.contains(&two()),
        "{rows:?}"
    );
    assert!(rows.iter().all(|(kernel, ..)| *kernel == "invert"), "{rows:?}");
}

#[test]
fn an_expected_deviation_is_not_recorded() {
    let mut known = report(&config());
    let row = |cell: &&mut CellReport| (&*cell.kernel, &*cell.twin, &*cell.lane) == ("revert", "exact", "one");
    known.cells.iter_mut().find(row).unwrap().status = Status::Xfail;
    let (rows, reasons) = recorded(&known);
    assert_eq!(rows, named(&ROWS[..2]));
    assert!(reasons[0].contains("is XFAIL"), "{}", reasons[0]);
}
