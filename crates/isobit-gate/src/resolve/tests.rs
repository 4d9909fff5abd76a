//! Which source of tolerance decides.

use super::*;
use crate::args::RunArgs;
use crate::config::{Area, Calibration, Fragment};
use crate::manifest::Manifest;
use crate::toy;

fn cell(config: &Config, name: &str) -> Cell {
    let args = RunArgs {
        matrix: true,
        ..RunArgs::default()
    };
    let manifest = Manifest::plan(&toy::REGISTRY, config, &args, None).unwrap();
    manifest
        .cells
        .into_iter()
        .find(|cell| cell.to_string() == name)
        .unwrap()
}

const NATIVE: &str = "invert/native yuv420-8 tiny_7x5 one";
const EXACT: &str = "invert/exact yuv420-8 tiny_7x5 one";

fn resolved(config: &Config, name: &str, hold_exact: &[String]) -> Vec<(Rule, String)> {
    let cell = cell(config, name);
    let rules = rules(config, &cell, &toy::facts(&cell.lane), hold_exact).unwrap();
    rules.into_iter().map(|rule| (rule.rule, rule.source)).collect()
}

fn calibration(devices: &str, twin: &str, abs: f64) -> Calibration {
    Calibration {
        devices: devices.to_owned(),
        kernel: toy::entries("invert", twin, vec![toy::row(Rule::Abs { abs })]),
    }
}

fn fragment(twin: &str) -> Fragment {
    Fragment {
        kernel: "invert".to_owned(),
        lane: "one".to_owned(),
        twin: twin.to_owned(),
        adr: vec!["0003".to_owned()],
        routes: Vec::new(),
        evidence: "measured".to_owned(),
    }
}

#[test]
fn the_gate_entry_is_the_default() {
    let config = toy::config();
    let gate = (Rule::Abs { abs: 2.0 }, "gate".to_owned());
    assert_eq!(resolved(&config, NATIVE, &[]), [gate.clone(), gate]);
}

#[test]
fn the_longest_literal_prefix_decides_among_calibrations() {
    let mut config = toy::config();
    config.devices = vec![
        calibration("*", "native", 1.0),
        calibration("one/one*", "native", 3.0),
        calibration("one/o*", "native", 4.0),
        calibration("two/two device*", "native", 5.0),
        calibration("one/one*7", "native", 6.0),
    ];
    let source = "calibrated:one/one*".to_owned();
    assert_eq!(resolved(&config, NATIVE, &[])[0], (Rule::Abs { abs: 3.0 }, source));
}

#[test]
fn a_calibration_replaces_only_the_metrics_that_it_names() {
    let mut config = toy::config();
    let mut row = toy::row(Rule::Ulp { ulp: 9 });
    row.metrics = vec!["mean".to_owned()];
    config.devices = vec![Calibration {
        devices: "one/*".to_owned(),
        kernel: toy::entries("invert", "native", vec![row]),
    }];
    let sources: Vec<_> = resolved(&config, NATIVE, &[])
        .into_iter()
        .map(|(_, source)| source)
        .collect();
    assert_eq!(sources, ["gate", "calibrated:one/*"]);
}

#[test]
fn a_listed_twin_is_exact_ahead_of_any_calibration() {
    let mut config = toy::config();
    config.devices = vec![calibration("one/*", "exact", 3.0)];
    assert_eq!(resolved(&config, EXACT, &[])[0].1, "calibrated:one/*");
    config.fragments = vec![fragment("exact")];
    assert_eq!(resolved(&config, EXACT, &[])[0], (Rule::EXACT, "exact:0003".to_owned()));
    // Listed on that lane alone.
    assert_eq!(
        resolved(&config, "invert/exact yuv420-8 tiny_7x5 two", &[])[0].1,
        "gate"
    );
}

#[test]
fn a_listed_twin_with_a_tolerance_is_refused() {
    let mut config = toy::config();
    config.fragments = vec![fragment("native")];
    let cell = cell(&config, NATIVE);
    let error = rules(&config, &cell, &toy::facts("one"), &[]).unwrap_err();
    assert!(
        matches!(error, ResolveError::NotExact { twin: "native", .. }),
        "{error}"
    );
}

#[test]
fn holding_a_lane_exact_goes_before_everything() {
    let mut config = toy::config();
    config.devices = vec![calibration("one/*", "native", 3.0)];
    config.fragments = vec![fragment("exact")];
    let held = ["one".to_owned()];
    for name in [NATIVE, EXACT] {
        assert_eq!(
            resolved(&config, name, &held)[1],
            (Rule::EXACT, "held-exact".to_owned())
        );
    }
    assert_eq!(
        resolved(&config, "invert/native yuv420-8 tiny_7x5 two", &held)[0].1,
        "gate"
    );
}

#[test]
fn a_twin_without_an_entry_has_no_rules() {
    let mut config = toy::config();
    config.gate = toy::entries("revert", "exact", vec![toy::row(Rule::EXACT)]);
    let cell = cell(&config, NATIVE);
    let error = rules(&config, &cell, &toy::facts("one"), &["one".to_owned()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`ci/gate.toml` has no entry for metric `inverse` of `invert/native`"
    );
}

#[test]
fn a_control_is_held_to_equality_without_an_entry() {
    let config = toy::config();
    for twin in ["sound", "broken"] {
        let rules = resolved(&config, &format!("off_by_one/{twin} yuv420-8 tiny_7x5 one"), &[]);
        assert_eq!(rules[0], (Rule::EXACT, "control".to_owned()));
    }
}

#[test]
fn bounds_grow_with_the_frame_and_the_label_says_so() {
    let mut config = toy::config();
    let mut row = toy::row(Rule::Abs { abs: 2.0 });
    row.area = Some(Area {
        reference: [7, 5],
        exponent: 0.5,
    });
    config.gate = toy::entries("invert", "native", vec![row]);
    assert_eq!(
        resolved(&config, NATIVE, &[])[0],
        (Rule::Abs { abs: 2.0 }, "gate".to_owned())
    );
    let (rule, source) = resolved(&config, "invert/native yuv420-8 odd one", &[]).remove(0);
    let factor = f64::sqrt(357.0 * 353.0 / 35.0);
    assert_eq!(rule, Rule::Abs { abs: 2.0 * factor });
    assert_eq!(source, "gate+area x60.00");
}
