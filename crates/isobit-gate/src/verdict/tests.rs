//! One cell judged: agreement, difference, damage, and everything that is no comparison at all.

use isobit::execution::FaultKind;
use isobit::output::Values;
use isobit::tolerance::Rule;
use isobit::work::{Place, Receipt, StepReceipt};

use super::*;
use crate::args::RunArgs;
use crate::cell::Source;
use crate::manifest::Manifest;
use crate::resolve::rules;
use crate::toy;

fn cell(name: &str) -> Cell {
    let args = RunArgs {
        matrix: true,
        ..RunArgs::default()
    };
    let manifest = Manifest::plan(&toy::REGISTRY, &toy::config(), &args, None).unwrap();
    manifest
        .cells
        .into_iter()
        .find(|cell| cell.to_string() == name)
        .unwrap()
}

const EXACT: &str = "invert/exact yuv420-8 tiny_7x5 one";
const BROKEN_8: &str = "off_by_one/broken yuv420-8 tiny_7x5 one";
const BROKEN_16: &str = "off_by_one/broken yuv420-16 tiny_7x5 one";

fn judged(name: &str, change: impl Fn(Vec<Output>) -> Vec<Output>, faults: Vec<BufferFault>) -> CellReport {
    let cell = cell(name);
    let rules = rules(&toy::config(), &cell, &toy::facts("one"), &[]).unwrap();
    let reference = toy::outputs(&cell);
    let twin = change(reference.clone());
    judge(&cell, &rules, &reference, &twin, faults, Receipt::default())
}

fn refusal(change: impl Fn(Vec<Output>) -> Vec<Output>) -> String {
    let report = judged(EXACT, change, Vec::new());
    assert_eq!(report.status, Status::Error);
    report.reason.unwrap()
}

fn fault(kind: FaultKind, count: u64) -> BufferFault {
    BufferFault {
        frame: 0,
        buffer: "out".to_owned(),
        kind,
        count,
        first: 0,
    }
}

#[test]
fn agreement_is_ok_with_counted_elements_and_scores() {
    let report = judged(EXACT, |twin| twin, Vec::new());
    assert_eq!((report.status, report.reason), (Status::Ok, None));
    let elements: Vec<_> = report
        .checks
        .iter()
        .map(|c| (c.metric.as_str(), c.comparison.elements))
        .collect();
    assert_eq!(elements, [("inverse", 70), ("mean", 2)]);
    assert_eq!(report.checks[0].source, "gate");
    assert_eq!(report.scores.len(), 2);
    assert_eq!(report.scores[1].frame, 1);
    assert_eq!(report.scores[0].reference, report.scores[0].twin);
    assert!(report.scores[0].reference.len() >= 17);
}

#[test]
fn one_element_outside_its_rule_is_a_failure() {
    let report = judged(EXACT, |twin| toy::off_by_one(&twin), Vec::new());
    assert_eq!(report.status, Status::Fail);
    assert_eq!(
        report.reason.unwrap(),
        "2 of 70 elements of `inverse` break the rule exact"
    );
    let within = judged(
        "invert/native yuv420-8 tiny_7x5 one",
        |twin| toy::off_by_one(&twin),
        Vec::new(),
    );
    assert_eq!(within.status, Status::Ok);
}

#[test]
fn damage_to_buffers_is_a_failure_though_all_values_agree() {
    let faults = vec![
        fault(FaultKind::Untouched, 3),
        fault(FaultKind::Untouched, 4),
        fault(FaultKind::GuardAfter, 1),
    ];
    let report = judged(EXACT, |twin| twin, faults.clone());
    assert_eq!(report.status, Status::Fail);
    assert_eq!(report.faults, faults);
    assert_eq!(
        report.reason.unwrap(),
        "7 elements of buffer `out` were never written; 1 byte behind buffer `out` was overwritten"
    );
}

#[test]
fn what_is_not_a_whole_result_is_an_error() {
    let drop_last = |mut twin: Vec<Output>| {
        twin.pop();
        twin
    };
    assert_eq!(
        refusal(drop_last),
        "the twin's outputs are not complete: metric `mean` is missing in frame 1"
    );
    assert!(refusal(|_| Vec::new()).contains("metric `inverse` is missing in frame 0"));
    let stray = |mut twin: Vec<Output>| {
        twin.push(Output::score("median", 0, 1.0));
        twin
    };
    assert!(refusal(stray).contains("`median` is not declared"));
    let twice = |mut twin: Vec<Output>| {
        twin.push(twin[0].clone());
        twin
    };
    assert!(refusal(twice).contains("comes twice"));
    let beyond = |mut twin: Vec<Output>| {
        twin.push(Output::score("mean", 2, 1.0));
        twin
    };
    assert!(refusal(beyond).contains("frame 2 is not one of the 2 frames"));
    let empty = |mut twin: Vec<Output>| {
        twin[0].values = Values::U32(Vec::new());
        twin
    };
    assert!(refusal(empty).contains("metric `inverse` has no element in frame 0"));
    let narrow = |mut twin: Vec<Output>| {
        (twin[0].width, twin[0].values) = (6, Values::U32(vec![0; 30]));
        twin
    };
    assert!(refusal(narrow).starts_with("metric `inverse`: the reference has frame 0 plane 0 of 7x5"));
}

#[test]
fn a_metric_that_both_sides_leave_out_is_an_error() {
    let cell = cell(EXACT);
    let rules = rules(&toy::config(), &cell, &toy::facts("one"), &[]).unwrap();
    let planes: Vec<_> = toy::outputs(&cell)
        .into_iter()
        .filter(|o| o.metric == "inverse")
        .collect();
    let report = judge(&cell, &rules, &planes, &planes, Vec::new(), Receipt::default());
    assert_eq!(report.status, Status::Error);
    assert!(
        report
            .reason
            .unwrap()
            .starts_with("the reference's outputs are not complete")
    );
    let nothing = judge(&cell, &rules, &[], &[], Vec::new(), Receipt::default());
    assert_eq!(nothing.status, Status::Error);
}

#[test]
fn a_metric_without_a_rule_is_an_error() {
    let cell = cell(EXACT);
    let mut rules = rules(&toy::config(), &cell, &toy::facts("one"), &[]).unwrap();
    rules.pop();
    let outputs = toy::outputs(&cell);
    let report = judge(&cell, &rules, &outputs, &outputs, Vec::new(), Receipt::default());
    assert_eq!(report.reason.unwrap(), "metric `mean` has no rule to be judged by");
}

#[test]
fn a_broken_twin_that_shows_its_symptom_is_ok() {
    let report = judged(BROKEN_8, |twin| toy::off_by_one(&twin), Vec::new());
    assert_eq!(report.status, Status::Ok);
    assert_eq!(report.reason.unwrap(), "differences of exactly one code");
    let report = judged(BROKEN_16, |twin| twin, Vec::new());
    assert_eq!(report.status, Status::Ok);
    assert_eq!(
        report.reason.unwrap(),
        "equality, as the fault does not bite in this format"
    );
}

#[test]
fn a_gate_that_does_not_see_the_symptom_is_blind() {
    let equal = judged(BROKEN_8, |twin| twin, Vec::new());
    assert_eq!(equal.status, Status::Error);
    assert_eq!(
        equal.reason.unwrap(),
        "the gate is blind: expected differences of exactly one code, but no difference was found"
    );
    let by_two = judged(BROKEN_8, |twin| toy::off_by_one(&toy::off_by_one(&twin)), Vec::new());
    assert_eq!(by_two.status, Status::Error);
    let bites = judged(BROKEN_16, |twin| toy::off_by_one(&twin), Vec::new());
    assert_eq!(bites.status, Status::Error);
    let damaged = judged(BROKEN_16, |twin| twin, vec![fault(FaultKind::Unstable, 1)]);
    assert_eq!(damaged.status, Status::Error);
}

#[test]
fn the_sound_twin_of_a_control_is_judged_like_any_other() {
    let report = judged(
        "off_by_one/sound yuv420-8 tiny_7x5 one",
        |twin| toy::off_by_one(&twin),
        Vec::new(),
    );
    assert_eq!(report.status, Status::Fail);
    assert!(report.control);
}

#[test]
fn a_skip_needs_a_declared_reason() {
    assert_eq!(skip(&cell(EXACT)).status, Status::Error);
    let declared = skip(&cell("invert/exact yuv420-8 tiny_1x1 one"));
    assert_eq!(declared.status, Status::Skip);
    assert_eq!(declared.reason.unwrap(), "a single sample has no inverse");
}

#[test]
fn parts_of_a_clip_add_up_to_the_whole() {
    let mut cell = cell(EXACT);
    cell.source = Source::Clip {
        name: "clip.y4m".to_owned(),
        shape: cell.shape().unwrap(),
    };
    let rules = rules(&toy::config(), &cell, &toy::facts("one"), &[]).unwrap();
    let reference = toy::outputs(&super::tests::cell(EXACT));
    let twin = toy::off_by_one(&reference);
    let part = |frame: usize, twin: &[Output]| {
        let of = |outputs: &[Output]| -> Vec<_> { outputs.iter().filter(|o| o.frame == frame).cloned().collect() };
        judge(
            &cell,
            &rules,
            &of(&reference),
            &of(twin),
            Vec::new(),
            Receipt::default(),
        )
    };
    let whole = judge(&cell, &rules, &reference, &twin, Vec::new(), Receipt::default());
    let mut sum = part(0, &twin);
    sum.merge(part(1, &twin));
    assert_eq!(sum, whole);

    let mut half = part(0, &reference);
    assert_eq!(half.status, Status::Ok);
    half.merge(part(1, &twin));
    assert_eq!(half.status, Status::Fail);
    assert_eq!(
        half.reason.as_deref(),
        Some("1 of 70 elements of `inverse` breaks the rule exact")
    );

    half.merge(error(&cell, "the device was lost"));
    assert_eq!(half.status, Status::Error);
    assert_eq!(half.reason.as_deref(), Some("the device was lost"));
    half.merge(part(1, &twin));
    assert_eq!(
        (half.status, half.reason.as_deref()),
        (Status::Error, Some("the device was lost"))
    );
}

#[test]
fn parts_of_a_clip_have_no_gaps() {
    let mut cell = cell(EXACT);
    let reference = toy::outputs(&cell);
    cell.source = Source::Clip {
        name: "clip.y4m".to_owned(),
        shape: cell.shape().unwrap(),
    };
    let rules: Vec<MetricRule> = rules(&toy::config(), &cell, &toy::facts("one"), &[]).unwrap();
    assert_eq!(rules[0].rule, Rule::EXACT);
    let mut gap = reference;
    for output in &mut gap {
        output.frame *= 2;
    }
    let report = judge(&cell, &rules, &gap, &gap, Vec::new(), Receipt::default());
    assert!(report.reason.unwrap().contains("missing in frame 1"));
}

#[test]
fn colour_differences_are_told_once_where_a_tolerance_asks_for_none() {
    let [first, second] = [0, 1].map(|index| &toy::REGISTRY.kernels[0].metrics[index]);
    let told = |rules: &[(&'static isobit::kernel::Metric, Rule)]| -> Vec<bool> {
        let rule = |(metric, rule): &(&'static isobit::kernel::Metric, Rule)| MetricRule {
            metric,
            rule: rule.clone(),
            source: "gate".to_owned(),
        };
        let rules: Vec<MetricRule> = rules.iter().map(rule).collect();
        (0..rules.len()).map(|index| reports_colour(&rules, index)).collect()
    };
    let (abs, ulp, seen) = (
        Rule::Abs { abs: 1.0 },
        Rule::Ulp { ulp: 1 },
        Rule::DeltaEOk { delta_e: 1.0 },
    );
    assert_eq!(told(&[(first, Rule::EXACT)]), [false]);
    assert_eq!(told(&[(first, abs.clone()), (first, ulp.clone())]), [true, false]);
    assert_eq!(
        told(&[(first, abs), (first, seen), (second, ulp)]),
        [false, false, true]
    );
}

#[test]
fn stages_that_part_under_equal_outputs_are_an_error() {
    let after = |stage| {
        let mut report = judged(EXACT, |twin| twin, Vec::new());
        report.stage = stage;
        judge_stages(&mut report);
        (report.status, report.reason.unwrap_or_default())
    };
    assert_eq!(after(None).0, Status::Ok);
    assert_eq!(after(Some(StageFinding::Equal { frame: 0 })).0, Status::Ok);
    let (status, reason) = after(Some(StageFinding::Failed {
        reason: "no such dispatch".to_owned(),
    }));
    assert_eq!(status, Status::Error);
    assert!(reason.contains("no such dispatch"), "{reason}");
}

#[test]
fn a_step_that_fell_back_makes_equal_numbers_an_error() {
    let cell = cell(EXACT);
    let rules = rules(&toy::config(), &cell, &toy::facts("one"), &[]).unwrap();
    let outputs = toy::outputs(&cell);
    let judged = |place| {
        let steps = vec![StepReceipt {
            step: "blur".to_owned(),
            place,
        }];
        judge(&cell, &rules, &outputs, &outputs, Vec::new(), Receipt { steps })
    };
    let reason = "the radius is too large".to_owned();
    let declared = judged(Place::Host { reason: reason.clone() });
    assert_eq!(declared.status, Status::Ok);
    let fell = judged(Place::FellBack { reason });
    assert_eq!(fell.status, Status::Error);
    assert_eq!(
        fell.reason.unwrap(),
        "step `blur` is declared to run on the device and fell back to the host: the radius is too large"
    );
}

#[test]
fn a_declared_skip_is_one_only_if_both_sides_refuse_for_its_reason() {
    let mut cell = cell(EXACT);
    cell.skip = Some("a spiral has no inverse".to_owned());
    let said = "kernel `invert` is not defined for this input: a spiral has no inverse";
    let report = refused(&cell, Some(said), Some(said));
    assert_eq!(
        (report.status, report.reason.as_deref()),
        (Status::Skip, Some("a spiral has no inverse"))
    );

    let other = "kernel `invert` is not defined for this input: it is green";
    let declared = "it is declared not to run (a spiral has no inverse), and the";
    for (reference, twin, found) in [
        (None, Some(said), "reference has a result".to_owned()),
        (Some(said), None, "twin has a result".to_owned()),
        (Some(other), Some(said), format!("reference says: {other}")),
        (Some(said), Some(other), format!("twin says: {other}")),
    ] {
        let report = refused(&cell, reference, twin);
        assert_eq!(report.status, Status::Error);
        assert_eq!(report.reason.unwrap(), format!("{declared} {found}"));
    }
    cell.skip = None;
    assert_eq!(refused(&cell, Some(said), Some(said)).status, Status::Error);
}
