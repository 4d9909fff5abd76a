//! Merged shards equal the undivided run, and reports that are not of one run are refused, each for its own reason.

use proptest::prelude::*;

use super::*;
use crate::args::RunArgs;
use crate::config::{Config, Expectation, Expected};
use crate::manifest::Manifest;
use crate::report::{Host, Status};
use crate::shard::{Costs, take};
use crate::{exit, summary, toy};

fn manifest() -> Manifest {
    let fixtures = ["tiny_7x5", "tiny_1x1", "tiny_1x9", "tiny_9x1", "padded"];
    let args = RunArgs {
        matrix: true,
        fixtures: fixtures.map(str::to_owned).into(),
        ..RunArgs::default()
    };
    Manifest::plan(&toy::REGISTRY, &toy::config(), &args, None).unwrap()
}

fn expectation(fixture: &str, lane: &str) -> Expectation {
    Expectation {
        kernel: "invert".to_owned(),
        twin: "exact".to_owned(),
        format: "yuv420-*".to_owned(),
        fixture: fixture.to_owned(),
        lane: lane.to_owned(),
        driver: None,
        status: Expected::Fail,
        reason: "a known fault of the driver".to_owned(),
        link: "notes/7".to_owned(),
    }
}

/// What a run of `manifest` reports in which `invert/exact` fails on lane `one`; `seed` makes times that no other run has.
fn run(config: &Config, manifest: &Manifest, seed: f64) -> Report {
    let mut cells = toy::sound_run(config, manifest);
    for (index, cell) in cells.iter_mut().enumerate() {
        cell.timing.device_ms = seed + index as f64;
        if (cell.kernel.as_str(), cell.twin.as_str(), cell.lane.as_str()) == ("invert", "exact", "one") {
            cell.status = Status::Fail;
            cell.reason = Some("it differs".to_owned());
        }
    }
    let mut facts = toy::run_facts(manifest);
    facts.timing.total_ms = seed;
    summary::assemble(manifest, config, cells, facts)
}

fn named(report: Report) -> Named {
    let shard = report
        .shard
        .as_ref()
        .map_or("whole".to_owned(), |shard| shard.part.index.to_string());
    Named {
        name: format!("{shard}.json"),
        report,
    }
}

fn shards(config: &Config, count: usize) -> Vec<Named> {
    let whole = manifest();
    let part = |index| take(&whole, &Costs::default(), Shard { index, count }).unwrap();
    (1..=count)
        .map(|index| named(run(config, &part(index), index as f64)))
        .collect()
}

/// Why three shards are refused after a change.
fn refused(change: impl FnOnce(&mut Vec<Named>)) -> String {
    let mut reports = shards(&toy::config(), 3);
    change(&mut reports);
    let error = merge(&reports).unwrap_err().to_string();
    let (sentence, hint) = error.split_once("\nhint: ").unwrap();
    assert!(!hint.is_empty() && !hint.contains('\n'), "{error}");
    sentence.to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn merged_shards_equal_the_undivided_report(
        (count, order) in (1_usize..7).prop_flat_map(|n| (Just(n), Just((0..n).collect::<Vec<_>>()).prop_shuffle())),
        expected in 0_usize..4,
    ) {
        let mut config = toy::config();
        // Shown in some shards, unused in all, or both.
        let expectations = [expectation("tiny_*", "one"), expectation("*", "two"), expectation("tiny_1x1", "one")];
        config.expectations = expectations[..expected].to_vec();
        let whole = run(&config, &manifest(), 100.0);
        let reports = shards(&config, count);
        let shuffled: Vec<_> = order.iter().map(|&index| reports[index].clone()).collect();
        let merged = merge(&shuffled).unwrap();
        prop_assert_eq!(timeless(&merged), timeless(&whole));
        prop_assert_eq!(summary::exit_code(&merged), summary::exit_code(&whole));
        prop_assert_ne!(&merged, &whole);
        prop_assert_eq!(merged.timing.total_ms, count as f64);
    }
}

#[test]
fn an_expectation_is_unused_only_where_no_shard_shows_it() {
    let config = Config {
        expectations: vec![expectation("tiny_1x1", "one")],
        ..toy::config()
    };
    let reports = shards(&config, 3);
    assert!(reports.iter().all(|shard| shard.report.faults.is_empty()));
    let merged = merge(&reports).unwrap();
    assert_eq!(merged.faults.len(), 1, "{:?}", merged.faults);
    assert_eq!(summary::exit_code(&merged), exit::UNTRUSTED);
}

#[test]
fn the_gravest_of_a_control_stands() {
    let mut reports = shards(&toy::config(), 3);
    let control = reports[1].report.cells.iter_mut().find(|cell| cell.control).unwrap();
    control.status = Status::Error;
    let name = control.to_string();
    let merged = merge(&reports).unwrap();
    let control = merged.cells.iter().find(|cell| cell.to_string() == name).unwrap();
    assert_eq!(control.status, Status::Error);
    assert_eq!(summary::exit_code(&merged), exit::UNTRUSTED);
}

#[test]
fn what_a_lane_met_in_any_shard_is_told() {
    let mut reports = shards(&toy::config(), 3);
    let cpu = |report: &mut Report, cpu: &str| {
        report.hosts = vec![Host {
            cpu: cpu.to_owned(),
            ..report.hosts[0].clone()
        }];
    };
    cpu(&mut reports[1].report, "another");
    reports[1].report.interrupted = Some("Ctrl-C".to_owned());
    reports[1].report.faults.push("a fault".to_owned());
    reports[2].report.lanes[0].restarts = 2;
    reports[2].report.lanes[1].adapter = None;
    reports[2].report.lanes[1].error = Some("no driver".to_owned());
    let merged = merge(&reports).unwrap();
    let cpus: Vec<_> = merged.hosts.iter().map(|host| host.cpu.as_str()).collect();
    assert_eq!(cpus, ["toy", "another"]);
    assert_eq!(merged.interrupted.as_deref(), Some("shard 2/3: Ctrl-C"));
    assert_eq!(merged.faults, ["a fault"]);
    assert_eq!(merged.lanes[0].restarts, 2);
    assert_eq!(merged.lanes[1].error.as_deref(), Some("no driver"));
    assert!(merged.lanes[1].adapter.is_some());
}

#[test]
fn every_shard_is_wanted_once() {
    let missing = refused(|reports| reports.truncate(2));
    assert_eq!(missing, "shard `3/3` is missing");
    let missing = refused(|reports| reports.truncate(1));
    assert_eq!(missing, "shards `2/3`, `3/3` are missing");
    let twice = refused(|reports| reports[2] = reports[0].clone());
    assert_eq!(twice, "`1.json` and `1.json` are both shard 1/3");
    assert_eq!(merge(&[]), Err(MergeError::Nothing));
}

#[test]
fn a_foreign_shard_is_refused_for_what_is_foreign() {
    let version = refused(|reports| reports[1].report.isobit_version = "9.9.9".to_owned());
    assert!(
        version.starts_with("`1.json` was written by isobit ") && version.ends_with(" by isobit 9.9.9"),
        "{version}"
    );
    let commit = refused(|reports| reports[1].report.commit = Some("abc".to_owned()));
    assert_eq!(commit, "`1.json` is of commit `none` and `2.json` of commit `abc`");
    let fixture = refused(|reports| {
        reports[2].report.fixtures.insert("padded".to_owned(), "abc".to_owned());
    });
    assert!(
        fixture.starts_with("fixture `padded` is `") && fixture.ends_with("in `1.json` and `abc` in `3.json`"),
        "{fixture}"
    );
    let rules = refused(|reports| reports[1].report.configuration = "abc".to_owned());
    assert!(
        rules.starts_with("`1.json` and `2.json` were judged by different files"),
        "{rules}"
    );
    let manifest = refused(|reports| reports[1].report.manifest = "abc".to_owned());
    assert!(manifest.ends_with("and `2.json` of manifest `abc`"), "{manifest}");
    let names = refused(|reports| reports[1].report.shard.as_mut().unwrap().names = "abc".to_owned());
    assert!(names.contains("is a part of manifest"), "{names}");
    let count = refused(|reports| reports[1] = shards(&toy::config(), 4).remove(3));
    assert_eq!(count, "`1.json` is shard 1/3 and `4.json` is shard 4/4");
    let whole = refused(|reports| reports[1] = named(run(&toy::config(), &self::manifest(), 1.0)));
    assert_eq!(whole, "`whole.json` is the report of a whole manifest");
    let adapter = refused(|reports| {
        let facts = reports[1].report.lanes[0].adapter.as_mut().unwrap();
        facts.driver_info = "1.3".to_owned();
    });
    assert_eq!(
        adapter,
        "lane `one` ran on `one device 7 (toy 1.2, toyc 3)` in `1.json` and on `one device 7 (toy 1.3, toyc 3)` in `2.json`"
    );
}

/// Removes a cell and its place, or moves it to another shard.
fn take_real(report: &mut Report) -> (usize, CellReport) {
    let index = report.cells.iter().position(|cell| !cell.control).unwrap();
    let place = report.shard.as_mut().unwrap().places.remove(index);
    (place, report.cells.remove(index))
}

#[test]
fn shards_have_to_add_up_to_their_manifest() {
    let overlap = refused(|reports| {
        let (place, cell) = take_real(&mut reports[0].report.clone());
        let report = &mut reports[1].report;
        let places = &mut report.shard.as_mut().unwrap().places;
        let index = places.partition_point(|&known| known < place);
        places.insert(index, place);
        report.cells.insert(index, cell);
    });
    assert!(
        overlap.starts_with("`1.json` and `2.json` both hold `invert/exact "),
        "{overlap}"
    );
    let uncovered = refused(|reports| drop(take_real(&mut reports[0].report)));
    assert!(
        uncovered.starts_with("1 of ") && uncovered.ends_with("are in no shard"),
        "{uncovered}"
    );
    let control = refused(|reports| {
        reports[2].report.cells.remove(0);
        reports[2].report.shard.as_mut().unwrap().places.remove(0);
    });
    assert!(control.starts_with("control `off_by_one/sound "), "{control}");
    let other = refused(|reports| reports[2].report.cells.last_mut().unwrap().fixture = "scene".to_owned());
    assert_eq!(other, "the cells of the shards are not those of their manifest");
    let torn = refused(|reports| drop(reports[2].report.cells.pop()));
    assert!(torn.starts_with("`3.json` does not say where"), "{torn}");
    let torn = refused(|reports| reports[2].report.shard.as_mut().unwrap().places.swap(0, 1));
    assert!(torn.starts_with("`3.json` does not say where"), "{torn}");
}

#[test]
fn only_reports_of_this_form_are_read() {
    let report = shards(&toy::config(), 1).remove(0);
    let text = serde_json::to_string(&report.report).unwrap();
    assert_eq!(read("1.json", &text).unwrap(), report);
    let refused = |text: &str| read("x.json", text).unwrap_err().to_string();
    let old = refused(r#"{"schema_version": 1, "anything": []}"#);
    let expected = format!("`x.json` has form 1 of the report, and this program reads form {SCHEMA_VERSION}\n");
    assert!(old.starts_with(&expected), "{old}");
    for broken in [
        "",
        "[]",
        &text[..text.len() / 2],
        &text.replace("\"cells\"", "\"sells\""),
    ] {
        let message = refused(broken);
        assert!(
            message.starts_with("`x.json` is no report: ") && message.contains("\nhint: "),
            "{message}"
        );
    }
}
