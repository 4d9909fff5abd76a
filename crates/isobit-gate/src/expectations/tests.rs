//! XFAIL, XPASS and expectations that nothing shows.

use super::*;
use crate::args::RunArgs;
use crate::config::Expected;
use crate::manifest::Manifest;
use crate::toy;

fn expectation(status: Expected) -> Expectation {
    Expectation {
        kernel: "invert".to_owned(),
        twin: "exact".to_owned(),
        format: "yuv420-*".to_owned(),
        fixture: "tiny_?x5".to_owned(),
        lane: "one".to_owned(),
        driver: None,
        status,
        reason: "a known fault of the driver".to_owned(),
        link: "notes/7".to_owned(),
    }
}

/// The quick run with the cell that the expectation covers in `status`, then the expectation applied.
fn applied(status: Status, expectation: Expectation) -> (CellReport, Vec<String>) {
    let config = toy::config();
    let manifest = Manifest::plan(&toy::REGISTRY, &config, &RunArgs::default(), None).unwrap();
    let mut cells = toy::sound_run(&config, &manifest);
    let index = cells
        .iter()
        .position(|c| c.kernel == "invert" && c.twin == "exact" && c.lane == "one")
        .unwrap();
    cells[index].status = status;
    cells[index].reason = (status != Status::Ok).then(|| "what was found".to_owned());
    let before = cells.clone();
    let spoken = apply(&[expectation], &mut cells, &toy::run_facts(&manifest).lanes, |_| true);
    let faults = unused(&spoken).collect();
    for (i, (cell, before)) in cells.iter().zip(&before).enumerate() {
        assert!(i == index || cell == before, "{cell} is not covered");
    }
    (cells.swap_remove(index), faults)
}

#[test]
fn an_expected_failure_is_known_and_keeps_what_was_found() {
    let (cell, faults) = applied(Status::Fail, expectation(Expected::Fail));
    assert_eq!(cell.status, Status::Xfail);
    assert_eq!(
        cell.reason.unwrap(),
        "a known fault of the driver (notes/7); found: what was found"
    );
    assert_eq!(faults, [""; 0]);
    assert_eq!(
        applied(Status::Error, expectation(Expected::Error)).0.status,
        Status::Xfail
    );
}

#[test]
fn an_expected_failure_that_passes_is_red() {
    let (cell, _) = applied(Status::Ok, expectation(Expected::Fail));
    assert_eq!(cell.status, Status::Xpass);
    assert!(cell.reason.unwrap().contains("although FAIL is expected"));
}

#[test]
fn another_fault_than_the_expected_one_stays() {
    let (cell, faults) = applied(Status::Error, expectation(Expected::Fail));
    assert_eq!(cell.status, Status::Error);
    assert_eq!(
        faults,
        ["expectation `invert/exact yuv420-* tiny_?x5 one` of status FAIL matched no cell that ran"]
    );
    assert_eq!(
        applied(Status::Fail, expectation(Expected::Error)).0.status,
        Status::Fail
    );
}

#[test]
fn an_expectation_is_unused_where_its_cells_did_not_run() {
    let (cell, faults) = applied(Status::Skip, expectation(Expected::Fail));
    assert_eq!((cell.status, faults.len()), (Status::Skip, 1));
}

#[test]
fn an_expectation_is_not_judged_by_a_run_without_its_cells() {
    let elsewhere = [
        Expectation {
            lane: "far".to_owned(),
            ..expectation(Expected::Fail)
        },
        Expectation {
            format: "yuv420-16".to_owned(),
            ..expectation(Expected::Fail)
        },
        Expectation {
            driver: Some("other *".to_owned()),
            ..expectation(Expected::Fail)
        },
    ];
    for expectation in elsewhere {
        let (cell, faults) = applied(Status::Fail, expectation);
        assert_eq!((cell.status, faults.len()), (Status::Fail, 0));
    }
}

#[test]
fn a_driver_is_matched_by_name_and_version() {
    let driver = Some("toy 1.*".to_owned());
    let (cell, _) = applied(
        Status::Fail,
        Expectation {
            driver,
            ..expectation(Expected::Fail)
        },
    );
    assert_eq!(cell.status, Status::Xfail);
}

#[test]
fn a_lane_and_its_container_are_told_apart_by_their_drivers() {
    let config = toy::config();
    let manifest = Manifest::plan(&toy::REGISTRY, &config, &RunArgs::default(), None).unwrap();
    let mut cells = toy::sound_run(&config, &manifest);
    let mut lanes = toy::run_facts(&manifest).lanes;
    // Lane `two` becomes the container of `one`, on a newer driver.
    for cell in cells.iter_mut().filter(|cell| cell.lane == "two") {
        cell.lane = "one@new".to_owned();
    }
    lanes[1].name = "one@new".to_owned();
    lanes[1].adapter.as_mut().unwrap().driver_info = "2.0".to_owned();
    for cell in &mut cells {
        cell.status = Status::Fail;
    }
    let newer = Expectation {
        driver: Some("toy 2.*".to_owned()),
        ..expectation(Expected::Fail)
    };
    let faults = apply(&[newer], &mut cells, &lanes, |_| true);
    assert!(faults.iter().all(|spoken| spoken.shown));
    let excused = cells.iter().filter(|cell| cell.status == Status::Xfail);
    assert!(excused.clone().count() > 0 && excused.clone().all(|cell| cell.lane == "one@new"));
}

#[test]
fn controls_are_never_excused() {
    let config = toy::config();
    let manifest = Manifest::plan(&toy::REGISTRY, &config, &RunArgs::default(), None).unwrap();
    let mut cells = toy::sound_run(&config, &manifest);
    for cell in &mut cells {
        cell.status = Status::Error;
    }
    let control = Expectation {
        kernel: "off_by_one".to_owned(),
        twin: "broken".to_owned(),
        fixture: "*".to_owned(),
        ..expectation(Expected::Error)
    };
    apply(&[control], &mut cells, &toy::run_facts(&manifest).lanes, |_| true);
    assert!(cells.iter().all(|cell| cell.status == Status::Error));
}
