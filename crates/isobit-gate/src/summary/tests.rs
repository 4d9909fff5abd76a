//! Reports held to their manifest, and the exit code of each kind of run.

use std::collections::BTreeSet;

use isobit::execution::DeviceKind;

use super::*;
use crate::args::RunArgs;
use crate::config::{Expectation, Expected};
use crate::report::ProbeReport;
use crate::toy;

struct Run {
    config: Config,
    manifest: Manifest,
    results: Vec<CellReport>,
    facts: RunFacts,
}

/// The quick run of the toys, with nothing wrong.
fn run() -> Run {
    let config = toy::config();
    let manifest = Manifest::plan(&toy::REGISTRY, &config, &RunArgs::default(), None).unwrap();
    let results = toy::sound_run(&config, &manifest);
    let facts = toy::run_facts(&manifest);
    Run {
        config,
        manifest,
        results,
        facts,
    }
}

impl Run {
    fn report(self) -> Report {
        assemble(&self.manifest, &self.config, self.results, self.facts)
    }

    /// The index of the result of a cell.
    fn index(&self, name: &str) -> usize {
        self.results
            .iter()
            .position(|result| result.to_string() == name)
            .unwrap()
    }
}

const REAL: &str = "invert/exact yuv420-8 tiny_7x5 one";
const BROKEN: &str = "off_by_one/broken yuv420-8 tiny_7x5 one";

fn code(change: impl FnOnce(&mut Run)) -> u8 {
    exit_code(&report(change))
}

fn report(change: impl FnOnce(&mut Run)) -> Report {
    let mut run = run();
    change(&mut run);
    run.report()
}

/// The status and reason of a cell after a change.
fn found(name: &str, change: impl FnOnce(&mut Run)) -> (Status, String) {
    let report = report(change);
    assert_ne!(exit_code(&report), exit::OK);
    let cell = report.cells.into_iter().find(|cell| cell.to_string() == name).unwrap();
    (cell.status, cell.reason.unwrap_or_default())
}

#[test]
fn a_sound_run_is_ok_and_in_the_order_of_the_manifest() {
    let mut run = run();
    run.results.reverse();
    let names: Vec<_> = run.manifest.cells.iter().map(Cell::to_string).collect();
    let report = run.report();
    assert_eq!(
        report.cells.iter().map(CellReport::to_string).collect::<Vec<_>>(),
        names
    );
    assert_eq!(counts(&report.cells), BTreeMap::from([(Status::Ok, 14)]));
    assert!(report.faults.is_empty());
    assert_eq!(exit_code(&report), exit::OK);
}

#[test]
fn a_cell_without_a_result_is_an_error() {
    let remove = |run: &mut Run| {
        run.results.remove(run.index(REAL));
    };
    assert_eq!(
        found(REAL, remove),
        (Status::Error, "no result was reported".to_owned())
    );
    assert_eq!(code(remove), exit::UNTRUSTED);
    let (_, reason) = found(REAL, |run| {
        remove(run);
        run.facts.lanes[0].error = Some("no driver".to_owned());
    });
    assert_eq!(reason, "lane `one` could not be used: no driver");
    let (_, reason) = found(REAL, |run| {
        remove(run);
        run.facts.interrupted = Some("Ctrl-C".to_owned());
    });
    assert_eq!(reason, "it did not run before the run ended: Ctrl-C");
    assert_eq!(code(|run| run.results.clear()), exit::UNTRUSTED);
}

#[test]
fn results_beyond_the_manifest_are_faults() {
    let twice = report(|run| run.results.push(run.results[9].clone()));
    assert!(twice.faults[0].starts_with("a second result was reported for `invert/exact"));
    assert_eq!(exit_code(&twice), exit::UNTRUSTED);
    let foreign = report(|run| {
        let mut foreign = run.results[9].clone();
        foreign.fixture = "elsewhere".to_owned();
        run.results.push(foreign);
    });
    assert!(foreign.faults[0].ends_with("which is not in the manifest"));
    assert_eq!(exit_code(&foreign), exit::UNTRUSTED);
}

#[test]
fn a_verdict_without_elements_is_an_error() {
    let (status, reason) = found(REAL, |run| {
        let index = run.index(REAL);
        run.results[index].checks[1].comparison.elements = 0;
    });
    assert_eq!(
        (status, reason.as_str()),
        (Status::Error, "no element of metric `mean` was compared")
    );
    let (status, _) = found(REAL, |run| {
        let index = run.index(REAL);
        run.results[index].checks.clear();
    });
    assert_eq!(status, Status::Error);
}

#[test]
fn an_undeclared_skip_is_an_error() {
    let skip = |run: &mut Run| {
        let index = run.index(REAL);
        run.results[index].status = Status::Skip;
    };
    let expected = "it was skipped without a declared reason".to_owned();
    assert_eq!(found(REAL, skip), (Status::Error, expected));
    assert_eq!(code(skip), exit::UNTRUSTED);
    let (status, _) = found(REAL, |run| {
        let index = run.index(REAL);
        run.results[index].status = Status::Xfail;
    });
    assert_eq!(status, Status::Error);
}

#[test]
fn a_declared_skip_needs_no_result_and_admits_no_verdict() {
    let declare = |run: &mut Run| {
        let name = run.index(REAL);
        let cell = run
            .manifest
            .cells
            .iter_mut()
            .find(|cell| cell.to_string() == REAL)
            .unwrap();
        cell.skip = Some("too small".to_owned());
        name
    };
    let report = report(|run| {
        let index = declare(run);
        run.results.remove(index);
    });
    assert_eq!(exit_code(&report), exit::OK);
    assert_eq!(counts(&report.cells)[&Status::Skip], 1);
    let (status, _) = found(REAL, |run| {
        declare(run);
    });
    assert_eq!(status, Status::Error);
}

#[test]
fn a_failure_is_1_and_an_error_goes_before_it() {
    let fail = |run: &mut Run| {
        let index = run.index(REAL);
        run.results[index].status = Status::Fail;
    };
    assert_eq!(code(fail), exit::DIFFERENT);
    let error = |run: &mut Run| {
        fail(run);
        run.results[10].status = Status::Error;
    };
    assert_eq!(code(error), exit::UNTRUSTED);
}

#[test]
fn nothing_compared_is_never_green() {
    let only_controls = code(|run| {
        run.manifest.cells.retain(|cell| cell.control.is_some());
        run.results.retain(|cell| cell.control);
    });
    assert_eq!(only_controls, exit::UNTRUSTED);
    let all_skipped = code(|run| {
        for cell in run.manifest.cells.iter_mut().filter(|cell| cell.control.is_none()) {
            cell.skip = Some("declared".to_owned());
        }
        run.results.retain(|cell| cell.control);
    });
    assert_eq!(all_skipped, exit::UNTRUSTED);
    let empty = code(|run| {
        run.manifest.cells.clear();
        run.results.clear();
    });
    assert_eq!(empty, exit::UNTRUSTED);
}

#[test]
fn a_gate_that_was_not_proved_alive_on_every_lane_is_never_green() {
    let no_controls = code(|run| {
        run.manifest.cells.retain(|cell| cell.control.is_none());
        run.results.retain(|cell| !cell.control);
    });
    assert_eq!(no_controls, exit::UNTRUSTED);
    let on_one_lane = code(|run| {
        run.manifest
            .cells
            .retain(|cell| cell.control.is_none() || cell.lane == "one");
        run.results.retain(|cell| !cell.control || cell.lane == "one");
    });
    assert_eq!(on_one_lane, exit::UNTRUSTED);
    for status in [Status::Error, Status::Fail, Status::Skip] {
        let blind = code(|run| {
            let index = run.index(BROKEN);
            run.results[index].status = status;
        });
        assert_eq!(blind, exit::UNTRUSTED, "{status}");
    }
}

#[test]
fn controls_that_show_nothing_do_not_prove_the_gate_alive() {
    let inert = code(|run| {
        run.manifest
            .cells
            .retain(|c| c.control.is_none() || c.format == toy::DEEP);
        run.results.retain(|c| !c.control || c.format == toy::DEEP);
    });
    assert_eq!(inert, exit::UNTRUSTED);
}

#[test]
fn interruption_and_faults_are_never_green() {
    assert_eq!(
        code(|run| run.facts.interrupted = Some("Ctrl-C".to_owned())),
        exit::UNTRUSTED
    );
    assert_eq!(code(|run| run.facts.faults.push("a fault".to_owned())), exit::UNTRUSTED);
}

#[test]
fn a_lane_on_another_adapter_compares_nothing() {
    let (status, reason) = found(REAL, |run| {
        run.facts.lanes[0].adapter.as_mut().unwrap().kind = DeviceKind::Discrete;
    });
    assert_eq!(status, Status::Error);
    assert!(reason.contains("its kind is `discrete`, not `cpu`"), "{reason}");
    let (_, reason) = found(REAL, |run| run.facts.lanes[0].adapter = None);
    assert_eq!(reason, "lane `one` does not say which adapter ran");
    let (_, reason) = found(REAL, |run| {
        run.facts.lanes.remove(0);
    });
    assert_eq!(reason, "nothing is known of lane `one`");
}

#[test]
fn a_lane_that_failed_a_probe_compares_nothing() {
    let probe = |broken| ProbeReport {
        name: "round_trip".to_owned(),
        finding: "zeros came back".to_owned(),
        broken,
    };
    let (status, reason) = found(REAL, |run| run.facts.lanes[0].probes.push(probe(true)));
    assert_eq!(status, Status::Error);
    assert_eq!(reason, "probe `round_trip` failed on lane `one`: zeros came back");
    assert_eq!(code(|run| run.facts.lanes[0].probes.push(probe(false))), exit::OK);
}

fn expectation(fixture: &str) -> Expectation {
    Expectation {
        kernel: "invert".to_owned(),
        twin: "exact".to_owned(),
        format: "*".to_owned(),
        fixture: fixture.to_owned(),
        lane: "one".to_owned(),
        driver: None,
        status: Expected::Fail,
        reason: "known".to_owned(),
        link: "notes/7".to_owned(),
    }
}

#[test]
fn expectations_decide_last() {
    let expected = code(|run| {
        run.config.expectations.push(expectation("*"));
        let index = run.index(REAL);
        run.results[index].status = Status::Fail;
    });
    assert_eq!(expected, exit::OK);
    assert_eq!(
        code(|run| run.config.expectations.push(expectation("*"))),
        exit::DIFFERENT
    );
    // No cell of this run is covered, so this run has no say.
    assert_eq!(code(|run| run.config.expectations.push(expectation("odd"))), exit::OK);
    let unused = report(|run| {
        run.config.expectations.push(expectation("*"));
        let index = run.index(REAL);
        run.results[index].status = Status::Error;
    });
    assert_eq!((exit_code(&unused), unused.faults.len()), (exit::UNTRUSTED, 1));
}

#[test]
fn a_known_crash_is_no_comparison() {
    let crash = code(|run| {
        let crash = |lane: &str| Expectation {
            lane: lane.to_owned(),
            status: Expected::Error,
            ..expectation("*")
        };
        run.config.expectations = vec![crash("one"), crash("two")];
        run.manifest
            .cells
            .retain(|c| c.control.is_some() || (c.kernel.name, c.twin.name) == ("invert", "exact"));
        run.results.retain(|c| c.control);
        let real = run.manifest.cells.iter().filter(|cell| cell.control.is_none());
        run.results
            .extend(real.map(|cell| verdict::error(cell, "the driver crashed")));
    });
    assert_eq!(crash, exit::UNTRUSTED);
}

#[test]
fn a_known_crash_excuses_neither_a_lost_result_nor_a_lost_lane() {
    let crash = |run: &mut Run| {
        let status = Expected::Error;
        run.config.expectations.push(Expectation {
            status,
            ..expectation("*")
        });
        let index = run.index(REAL);
        (run.results[index].status, run.results[index].reason) = (Status::Error, Some("it crashed".to_owned()));
        index
    };
    let known = report(|run| {
        crash(run);
    });
    assert_eq!(exit_code(&known), exit::OK);
    assert_eq!(counts(&known.cells)[&Status::Xfail], 1);
    let (status, _) = found(REAL, |run| {
        let index = crash(run);
        run.results.remove(index);
    });
    assert_eq!(status, Status::Error);
    let (status, _) = found(REAL, |run| {
        crash(run);
        run.facts.lanes[0].adapter = None;
    });
    assert_eq!(status, Status::Error);
    let (status, _) = found(REAL, |run| {
        crash(run);
        run.facts.lanes[0].error = Some("the worker does not start".to_owned());
    });
    assert_eq!(status, Status::Error);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// Whatever goes wrong with whichever result, the run is not green.
    #[test]
    fn no_single_fault_is_green(index in 0_usize..14, fault in 0..7) {
        let code = code(|run| {
            let result = &mut run.results[index];
            match fault {
                0 => drop(run.results.remove(index)),
                1 => run.results.push(run.results[index].clone()),
                2 => result.status = Status::Fail,
                3 => result.status = Status::Skip,
                4 => result.checks.clear(),
                5 => result.control = !result.control,
                _ => result.lane.push('x'),
            }
        });
        proptest::prop_assert_ne!(code, exit::OK);
    }
}

#[test]
fn every_exit_code_is_documented_once() {
    let codes: BTreeSet<u8> = exit::EXIT_CODES.iter().map(|(code, ..)| *code).collect();
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 64]);
    assert_eq!(exit::EXIT_CODES.len(), 5);
}

#[test]
fn a_report_is_what_its_schema_says() {
    let schema = crate::report::schema();
    let report = serde_json::to_value(run().report()).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let fields = report.as_object().unwrap();
    assert!(fields.keys().eq(properties.keys()), "{properties:?}");
    let back: Report = serde_json::from_value(report).unwrap();
    assert_eq!(back.cells.len(), 14);
}

#[test]
fn a_cell_says_what_it_ran_on() {
    let report = report(|_| {});
    for cell in &report.cells {
        let lane = report.lanes.iter().find(|lane| lane.name == cell.lane).unwrap();
        let adapter = lane.adapter.as_ref().unwrap();
        assert_eq!(cell.ran_on.as_ref().unwrap().adapter, adapter.name);
    }
}

/// The quick run on a machine that cannot start the workers of `lanes`.
fn without(lanes: &[&str]) -> Run {
    let mut config = toy::config();
    for lane in lanes {
        toy::give_worker(&mut config, lane);
        config.leave_out(lane, "no `node`\nhint: install it").unwrap();
    }
    let manifest = Manifest::plan(&toy::REGISTRY, &config, &RunArgs::default(), None).unwrap();
    let judge = |cell: &Cell| match cell.skip {
        Some(_) => verdict::skip(cell),
        None => toy::sound(&config, cell),
    };
    let results = manifest.cells.iter().map(judge).collect();
    let mut facts = toy::run_facts(&manifest);
    for lane in facts
        .lanes
        .iter_mut()
        .filter(|lane| lanes.contains(&lane.name.as_str()))
    {
        lane.adapter = None;
        lane.left_out = Some("no `node`\nhint: install it".to_owned());
    }
    Run {
        config,
        manifest,
        results,
        facts,
    }
}

#[test]
fn a_lane_that_is_left_out_is_skipped_and_the_others_decide() {
    let report = without(&["two"]).report();
    assert_eq!(exit_code(&report), exit::OK);
    for cell in &report.cells {
        assert_eq!(cell.status == Status::Skip, cell.lane == "two", "{cell}");
    }
    let mut red = without(&["two"]);
    let index = red.index(REAL);
    red.results[index].status = Status::Fail;
    assert_eq!(exit_code(&red.report()), exit::DIFFERENT);
}

#[test]
fn a_run_without_any_lane_is_never_green() {
    assert_eq!(exit_code(&without(&["one", "two"]).report()), exit::UNTRUSTED);
}

#[test]
fn a_lane_that_claims_to_be_left_out_without_being_declared_so_is_never_green() {
    let claimed = code(|run| {
        let claims = |lane: &str| lane == "two";
        for result in run.results.iter_mut().filter(|result| claims(&result.lane)) {
            result.status = Status::Skip;
        }
        for lane in run.facts.lanes.iter_mut().filter(|lane| claims(&lane.name)) {
            lane.left_out = Some("no `node`".to_owned());
        }
    });
    assert_eq!(claimed, exit::UNTRUSTED);
    let ran = |run: &mut Run| {
        let two = run.facts.lanes.iter_mut().find(|lane| lane.name == "two");
        two.unwrap().left_out = Some("no `node`".to_owned());
    };
    assert_eq!(code(ran), exit::UNTRUSTED);
}
