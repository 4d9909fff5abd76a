//! Each way in which registry, `ci/` and `docs/adr/` can disagree.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use isobit::format::Depth;
use isobit::kernel::{Control, Symptom};
use isobit::tolerance::Rule;

use super::*;
use crate::cell::cases;
use crate::config::{Calibration, Expectation, Expected, Fragment};
use crate::record::{Fingerprint, Record, Reference};
use crate::toy;

/// A workspace root with the decision records `0001` and `0003`.
struct Root(tempfile::TempDir);

impl Root {
    fn new() -> Self {
        let root = Self(tempfile::tempdir().unwrap());
        let folder = root.0.path().join("docs/adr");
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["0001-exact.md", "0003-sealed.md"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        root
    }
}

fn findings(change: impl FnOnce(&mut Config)) -> Vec<Finding> {
    let mut config = toy::config();
    change(&mut config);
    let root = Root::new();
    run(
        &toy::REGISTRY,
        &config,
        &Utf8PathBuf::from_path_buf(root.0.path().to_owned()).unwrap(),
    )
}

fn messages(change: impl FnOnce(&mut Config)) -> Vec<String> {
    findings(change).into_iter().map(|finding| finding.message).collect()
}

fn fragment() -> Fragment {
    toy::fragment("invert", "one")
}

/// The findings about a fragment that differs from a right one, besides its missing record.
fn about(change: impl FnOnce(&mut Fragment)) -> Vec<String> {
    let mut fragment = fragment();
    change(&mut fragment);
    let mut messages = messages(|config| config.fragments.push(fragment));
    messages.retain(|message| !message.ends_with("without a measured record"));
    messages
}

#[test]
fn what_agrees_has_no_findings() {
    assert_eq!(findings(|_| {}), []);
    assert_eq!(exit_code(&[]), exit::OK);
}

#[test]
fn a_twin_without_an_entry_is_found() {
    let found = findings(|config| {
        config.gate.0.get_mut("invert").unwrap().remove("native");
    });
    assert_eq!(
        found[0].message,
        "`ci/gate.toml` has no entry for `inverse`, `mean` of `invert/native`"
    );
    assert!(found[0].hint.contains("[[kernel.invert.native]]"));
    assert_eq!(exit_code(&found), exit::UNTRUSTED);
}

#[test]
fn an_entry_for_nothing_is_found_with_the_nearest_name() {
    let found = findings(|config| {
        let rows = vec![toy::row(Rule::EXACT), toy::row(Rule::EXACT)];
        config.gate.0.extend(toy::entries("invart", "exact", rows).0);
    });
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].message,
        "`ci/gate.toml` names kernel `invart`, which is not registered"
    );
    assert_eq!(found[0].hint, "did you mean `invert`?");
    let found = findings(|config| {
        let mut row = toy::row(Rule::EXACT);
        row.metrics = vec!["meen".to_owned()];
        config
            .gate
            .0
            .get_mut("invert")
            .unwrap()
            .insert("naive".to_owned(), vec![toy::row(Rule::EXACT)]);
        config
            .gate
            .0
            .get_mut("revert")
            .unwrap()
            .get_mut("exact")
            .unwrap()
            .push(row);
    });
    assert_eq!(
        found[0].message,
        "`ci/gate.toml` names twin `invert/naive`, which is not registered"
    );
    assert_eq!(
        found[1].message,
        "`ci/gate.toml` names metric `meen`, which `revert` does not have"
    );
    assert_eq!(found[1].hint, "did you mean `mean`?");
    // A control has no tolerance.
    let found = messages(|config| {
        let rows = vec![toy::row(Rule::Abs { abs: 1.0 })];
        config.gate.0.extend(toy::entries("off_by_one", "broken", rows).0);
    });
    assert_eq!(
        found,
        ["`ci/gate.toml` names kernel `off_by_one`, which is not registered"]
    );
}

#[test]
fn a_calibration_for_nothing_is_found() {
    let calibration = |devices: &str, kernel: &str| Calibration {
        devices: devices.to_owned(),
        kernel: toy::entries(kernel, "native", vec![toy::row(Rule::EXACT)]),
    };
    let found = messages(|config| {
        config.devices = vec![
            calibration("one/*", "invert"),
            calibration("*", "invert"),
            calibration("tow/*", "invert"),
            calibration("one/*", "convert"),
        ];
    });
    assert_eq!(
        found,
        [
            "`ci/devices.toml`, devices `tow/*`, name lane `tow`, which does not exist",
            "`ci/devices.toml`, devices `one/*`, names kernel `convert`, which is not registered",
        ]
    );
}

#[test]
fn an_expectation_for_nothing_or_for_a_listed_twin_is_found() {
    let expectation = |kernel: &str, format: &str, lane: &str| Expectation {
        kernel: kernel.to_owned(),
        twin: "exact".to_owned(),
        format: format.to_owned(),
        fixture: "*".to_owned(),
        lane: lane.to_owned(),
        driver: None,
        status: Expected::Fail,
        reason: "known".to_owned(),
        link: "notes/7".to_owned(),
    };
    let found = messages(|config| {
        config.expectations = vec![
            expectation("revert", "yuv420-*", "one"),
            expectation("revart", "*", "one"),
            expectation("revert", "*", "once"),
            expectation("revert", "rgb-*", "one"),
            expectation("invert", "*", "one"),
        ];
        config.fragments = vec![fragment()];
    });
    let place = |scope: &str| format!("`ci/expectations.toml`, expectation `{scope}`,");
    assert_eq!(
        found[..4],
        [
            format!(
                "{} names kernel `revart`, which is not registered",
                place("revart/exact * * one")
            ),
            format!(
                "{} names lane `once`, which does not exist",
                place("revert/exact * * once")
            ),
            format!("{} covers no cell of the matrix", place("revert/exact rgb-* * one")),
            format!(
                "{} excuses a twin that `ci/exact_twins.d/invert.one.toml` lists as exact",
                place("invert/exact * * one")
            ),
        ]
    );
}

#[test]
fn a_fragment_is_whole() {
    assert_eq!(about(|_| {}), [""; 0]);
    let place = "`ci/exact_twins.d/invert.one.toml`";
    assert_eq!(
        about(|f| f.adr = vec!["0002".to_owned()]),
        [format!(
            "{place} names decision record `0002`, and there is no `docs/adr/0002-*.md`"
        )]
    );
    assert_eq!(about(|f| f.adr = vec!["1".to_owned(), "000".to_owned()]).len(), 2);
    assert_eq!(about(|f| f.adr.clear()), [format!("{place} names no decision record")]);
    assert_eq!(
        about(|f| f.routes[0] = "intager".to_owned()),
        [format!("{place} names route `intager`, which does not exist")]
    );
    assert_eq!(
        about(|f| f.routes.truncate(1)),
        [format!(
            "{place} claims the routes `integer`, and the twin declares `integer`, `host`"
        )]
    );
    assert_eq!(
        about(|f| f.evidence.clear()),
        [format!("{place} has an empty `evidence`")]
    );
    assert_eq!(
        about(|f| f.lane = "three".to_owned()),
        ["`ci/exact_twins.d/invert.three.toml` names lane `three`, which does not exist"]
    );
    assert_eq!(
        about(|f| f.twin = "exakt".to_owned()),
        [format!("{place} names twin `invert/exakt`, which is not registered")]
    );
}

#[test]
fn a_native_twin_is_not_listed() {
    let found = about(|f| {
        f.twin = "native".to_owned();
        f.routes.clear();
    });
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("declares no route"));
    assert!(found[1].contains("gives the rule abs 2e0"));
}

#[test]
fn all_that_is_stale_is_measured_in_one_run() {
    let missing = |rows: &[(&str, &str)]| {
        let fragments = rows.iter().map(|(kernel, lane)| toy::fragment(kernel, lane));
        measure_all(&findings(|config| config.fragments = fragments.collect()))
    };
    assert_eq!(missing(&[("invert", "one")]), None);
    let command = |lanes: &str| format!("cargo xtask parity --matrix --record --stale --lanes {lanes}");
    assert_eq!(
        missing(&[("invert", "far"), ("invert", "one")]),
        Some(command("far,one"))
    );
}

#[test]
fn a_fragment_without_a_record_is_stale_and_nothing_worse() {
    let found = findings(|config| config.fragments.push(fragment()));
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].hint,
        "cargo xtask parity --matrix --record --kernels invert --lanes one"
    );
    assert_eq!(exit_code(&found), exit::STALE);
}

/// A record of what the toy is now.
fn record() -> Record {
    let kernel = &toy::KERNELS[0];
    let reference = Reference::of(kernel).unwrap();
    let mut elements: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for (fixture, format, shape) in cases(kernel) {
        if kernel.refusal(&shape).is_none() {
            let row = elements.entry(fixture.name.to_owned()).or_default();
            row.insert(format.to_string(), 1);
        }
    }
    Record {
        kernel: "invert".to_owned(),
        lane: "one".to_owned(),
        twin: "exact".to_owned(),
        isobit_version: "0.0.1".to_owned(),
        adapter: (&toy::facts("one")).into(),
        fingerprint: Fingerprint::of(kernel, &kernel.twins[0], &reference).unwrap(),
        elements,
    }
}

#[test]
fn a_fresh_record_has_no_findings_and_a_stale_one_says_why() {
    let with = |record: Record| {
        findings(|config| {
            config.fragments.push(fragment());
            config.records.push(record);
        })
    };
    assert_eq!(with(record()), []);
    let mut old = record();
    old.fingerprint.references.clear();
    let found = with(old);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].message,
        "`ci/records.d/invert.one.toml` is stale: the reference's results changed since"
    );
    assert_eq!(
        found[0].hint,
        "cargo xtask parity --matrix --record --kernels invert --lanes one"
    );
    assert_eq!(exit_code(&found), exit::STALE);
}

#[test]
fn a_record_without_a_fragment_is_found() {
    let found = findings(|config| config.records.push(record()));
    assert_eq!(
        found[0].message,
        "`ci/records.d/invert.one.toml` is the record of a twin that is not listed as exact"
    );
    assert_eq!(found[0].hint, "git rm ci/records.d/invert.one.toml");
    assert_eq!(exit_code(&found), exit::UNTRUSTED);
}

#[test]
fn the_quick_set_exists_and_covers_every_kernel() {
    let found = findings(|config| config.matrix.quick.fixtures.push("tiny_7x7".to_owned()));
    assert_eq!(
        found[0].message,
        "`ci/matrix.toml` names fixture `tiny_7x7` in the quick set, which does not exist"
    );
    assert_eq!(found[0].hint, "did you mean `tiny_7x5`?");
    let found = messages(|config| config.matrix.quick.depths = vec![Depth::U12]);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn fixtures_of_variants_exist_in_a_format_of_the_kernel() {
    let with = |fixture: &str| {
        let text = format!("kernel = \"invert\"\noptions = {{ offset = 1 }}\nfixtures = [\"{fixture}\"]");
        findings(|config| config.matrix.variants = vec![toml::from_str(&text).unwrap()])
    };
    assert!(with("odd").is_empty());
    let found = with("od");
    assert_eq!(
        found[0].message,
        "`ci/matrix.toml` names fixture `od` for `invert_o_1`, which does not exist"
    );
    assert_eq!(found[0].hint, "did you mean `odd`?");
    assert_eq!(
        with("points")[0].message,
        "`ci/matrix.toml` names fixture `points` for `invert_o_1`, which takes none of its formats"
    );
}

#[test]
fn the_registry_is_sound() {
    let controls: &'static [Control] = Box::leak(Box::new([Control {
        symptom: |_| Symptom::None,
        ..toy::CONTROLS[0]
    }]));
    let mut kernels = toy::KERNELS.to_vec();
    kernels.push(toy::KERNELS[1]);
    kernels[0].metrics = &[];
    kernels[1].accepts = |_| false;
    let registry = Registry {
        kernels: Box::leak(kernels.into_boxed_slice()),
        controls,
    };
    let mut found = Vec::new();
    entries::registry(&mut found, &registry);
    let found: Vec<_> = found.into_iter().map(|finding| finding.message).collect();
    assert_eq!(
        found,
        [
            "`invert` has no metric or no twin, so nothing can be compared",
            "two kernels or controls are named `revert`",
            "`revert` accepts no format that a fixture exists in, so it has no cell",
            "control `off_by_one` is not expected to turn red in any format",
        ]
    );
}
