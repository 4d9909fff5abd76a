//! What a person reads, snapshot by snapshot.

use crate::reports::*;
use isobit::format::{Depth, Layout};
use isobit::output::{ElementKind, Value};
use isobit::stage::Divergence;
use isobit_gate::report::{Report, StageFinding, Status};
use isobit_report::terminal::{Options, render};

fn text(report: &Report, exit_code: u8, width: usize) -> String {
    let options = Options {
        width,
        colour: false,
        exit_code,
        json: Some("target/isobit/report.json"),
    };
    let text = render(report, &options);
    for line in text.lines() {
        // Commands are copied and verdicts are searched for: both stay on one line.
        let whole = line.trim_start().starts_with("hint: ") || line == last_line(&text);
        let fits = line.chars().count() <= width.clamp(80, 100);
        assert!(whole || fits, "too wide: {line}");
        assert_eq!(line, line.trim_end());
    }
    text
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn all_is_well() {
    insta::assert_snapshot!(text(&green(), 0, 100));
}

#[test]
fn a_wider_terminal_changes_nothing() {
    assert_eq!(text(&green(), 0, 100), text(&green(), 0, 250));
}

#[test]
fn a_narrow_terminal_gives_each_lane_its_own_table() {
    insta::assert_snapshot!(text(&border_failure(), 1, 80));
}

#[test]
fn colour_adds_nothing_but_escapes() {
    let report = border_failure();
    let options = |colour| Options {
        width: 100,
        colour,
        exit_code: 1,
        json: None,
    };
    let (plain, coloured) = (render(&report, &options(false)), render(&report, &options(true)));
    assert!(coloured.contains("\u{1b}[32m✓"), "the matrix has no colour");
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        stripped += before;
        rest = after.split_once('m').unwrap().1;
    }
    assert_eq!(stripped + rest, plain);
}

#[test]
fn a_failure_at_the_border() {
    insta::assert_snapshot!(text(&border_failure(), 1, 100));
}

#[test]
fn the_readme_shows_what_is_printed() {
    let text = text(&border_failure(), 1, 100);
    let (_, failure) = text.split_once("What is wrong\n\n").unwrap_or_default();
    let (failure, _) = failure.split_once("\n\n").unwrap_or_default();
    assert!(failure.starts_with("FAIL  float_moment"));
    let readme = include_str!("../../../../README.md");
    assert!(
        readme.contains(&format!("```text\n{failure}\n```\n")),
        "the README's example is not:\n{failure}"
    );
}

#[test]
fn a_score_has_no_place_in_a_plane() {
    let mut report = green();
    for (lane, bits) in [
        ("lavapipe", 0x4041_1000_0000_0003),
        ("swiftshader", 0x7ff8_0000_0000_0000),
    ] {
        let cell = find(&mut report, &format!("psnr/exact yuv420-16 scene {lane}"));
        cell.status = Status::Fail;
        let comparison = &mut cell.checks[0].comparison;
        comparison.spread.edge_distance_possible = 0;
        comparison.mismatches = 1;
        comparison.differing = 1;
        let value = |bits| Value {
            kind: ElementKind::F64,
            bits,
        };
        let mut first = witness(0, 0, 0, 0.0, 0.0);
        first.reference = value(0x4041_1000_0000_0001);
        first.twin = value(bits);
        let nan = first.twin.is_nan();
        first.ulp = if nan { u64::MAX } else { 2 };
        first.error = if nan { f64::NAN } else { 2.0 };
        comparison.nan_one_side = nan.into();
        (comparison.max_abs, comparison.max_ulp) = if nan { (0.0, 0) } else { (1.4210854715202004e-14, 2) };
        comparison.worst = Some(first.clone());
        comparison.first = Some(first);
    }
    insta::assert_snapshot!(text(&report, 1, 100));
}

#[test]
fn every_width_has_a_layout() {
    let mut report = border_failure();
    report
        .lanes
        .extend(["vulkan", "a_lane_with_a_long_name_of_its_own"].map(lane));
    for width in 0..140 {
        for colour in [false, true] {
            let options = Options {
                width,
                colour,
                exit_code: 1,
                json: None,
            };
            assert!(
                last_line(&render(&report, &options)).contains("1 FAIL, 105 OK"),
                "at {width} columns"
            );
        }
    }
}

#[test]
fn a_lane_without_a_device() {
    let mut report = green();
    let reason = "no adapter is the one asked for: its driver `llvmpipe` does not match `SwiftShader*`";
    let lane = &mut report.lanes[1];
    lane.adapter = None;
    lane.probes.clear();
    lane.error = Some(reason.to_owned());
    for cell in report.cells.iter_mut().filter(|cell| cell.lane == "swiftshader") {
        cell.status = Status::Error;
        cell.reason = Some(format!("lane `swiftshader` could not be used: {reason}"));
        cell.checks.clear();
    }
    insta::assert_snapshot!(text(&report, 2, 100));
}

#[test]
fn expectations_that_hold_and_that_do_not() {
    let mut report = green();
    for layout in ["yuv420", "yuv422"] {
        let cell = find(&mut report, &format!("psnr/exact {layout}-8 odd lavapipe"));
        cell.status = Status::Xfail;
        cell.reason = Some("the driver drops the last word of a row (example.org/1)".to_owned());
    }
    let cell = find(&mut report, "psnr/exact yuv444-8 odd lavapipe");
    cell.status = Status::Xpass;
    cell.reason = Some("the expectation `last word` no longer matches: remove it".to_owned());
    for cell in report
        .cells
        .iter_mut()
        .filter(|cell| cell.kernel == "float_moment" && cell.fixture == "odd")
    {
        cell.status = Status::Skip;
        cell.reason = Some("needs 176 samples on a side".to_owned());
        cell.checks.clear();
    }
    insta::assert_snapshot!(text(&report, 1, 100));
}

#[test]
fn an_interrupted_run_is_never_ok() {
    let mut report = green();
    report.interrupted = Some("interrupted by the user".to_owned());
    let unrun = report.cells.len() - 40;
    for cell in &mut report.cells[unrun..] {
        cell.status = Status::Error;
        cell.reason = Some("it did not run before the run ended: interrupted by the user".to_owned());
        cell.checks.clear();
    }
    insta::assert_snapshot!(text(&report, 2, 100));
    for exit_code in [0, 1, 2, 3] {
        assert!(last_line(&text(&report, exit_code, 100)).starts_with("INTERRUPTED  "));
    }
}

#[test]
fn a_blind_control() {
    let mut report = green();
    let cell = find(&mut report, "one_ulp/broken mono-10 tiny lavapipe");
    cell.status = Status::Error;
    cell.checks[0].comparison.mismatches = 0;
    cell.reason =
        Some("the gate is blind: expected one element that is off by one ULP, but no difference was found".to_owned());
    report.faults = vec!["expectation 3 of `ci/expectations.toml` matched no cell\nhint: remove it".to_owned()];
    insta::assert_snapshot!(text(&report, 2, 100));
}

#[test]
fn huge_counts_keep_their_digits() {
    let mut report = border_failure();
    report.timing.total_ms = 7_265_000.0;
    let cell = find(&mut report, "float_moment/exact yuv420-10 odd swiftshader");
    let comparison = &mut cell.checks[1].comparison;
    comparison.elements = 9_876_543_210_987;
    comparison.mismatches = 1;
    comparison.differing = 9_876_543_210_986;
    comparison.nan_one_side = 1;
    comparison.max_abs = f64::INFINITY;
    comparison.max_ulp = u64::MAX;
    insta::assert_snapshot!(text(&report, 1, 100));
}

#[test]
fn many_failures_are_cut_short_and_every_twin_has_its_turn() {
    let mut report = green();
    for cell in report.cells.iter_mut().filter(|cell| !cell.control) {
        cell.status = Status::Fail;
        cell.checks[0].comparison.mismatches = 3;
    }
    let text = text(&report, 1, 100);
    let titles: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("FAIL  ") && line.contains(" on "))
        .collect();
    assert_eq!(titles.len(), 11, "ten cells and the verdict: {titles:#?}");
    assert!(titles.iter().any(|title| title.contains("srgb_to_linear/native")));
    let failing = report.cells.iter().filter(|cell| cell.status == Status::Fail).count();
    assert!(text.contains(&format!(
        "and {} more not shown; all are in `target/isobit/report.json`",
        failing - 10
    )));
}

#[test]
fn a_verdict_never_contradicts_the_report() {
    let red: [fn(&mut Report); 6] = [
        |report| report.faults.push("a fault".to_owned()),
        |report| find(report, "psnr/exact yuv420-8 odd lavapipe").status = Status::Fail,
        |report| find(report, "psnr/exact yuv420-8 odd lavapipe").status = Status::Xpass,
        |report| find(report, "psnr/exact yuv420-8 odd lavapipe").status = Status::Error,
        |report| find(report, "one_ulp/broken mono-10 tiny lavapipe").status = Status::Error,
        |report| report.cells.retain(|cell| cell.control),
    ];
    for spoil in red {
        let mut report = green();
        spoil(&mut report);
        let text = text(&report, 0, 100);
        assert!(last_line(&text).starts_with("ERROR  "), "{}", last_line(&text));
    }
    for (exit_code, word) in [
        (0, "OK  "),
        (1, "FAIL  "),
        (2, "ERROR  "),
        (3, "STALE  "),
        (64, "ERROR  "),
    ] {
        assert!(last_line(&text(&green(), exit_code, 100)).starts_with(word));
    }
}

#[test]
fn nothing_to_show_is_no_verdict() {
    let mut report = green();
    report.cells.clear();
    report.lanes.clear();
    insta::assert_snapshot!(text(&report, 2, 100));
}

#[test]
fn a_red_cell_tells_where_its_stages_part() {
    let value = |bits| Value {
        kind: ElementKind::U32,
        bits,
    };
    let found = Divergence {
        label: "vertical".to_owned(),
        buffer: "mu".to_owned(),
        frame: 1,
        elements: 1_000,
        mismatches: 2,
        x: 3,
        y: 4,
        reference: value(7),
        twin: value(9),
    };
    let told = |stage| {
        let mut report = border_failure();
        let cell = report
            .cells
            .iter_mut()
            .find(|cell| cell.status == Status::Fail)
            .unwrap();
        cell.stage = Some(stage);
        text(&report, 1, 100).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let differs = told(StageFinding::Differs(found));
    assert!(
        differs.contains(
            "stage: the first that differs is `vertical` (buffer `mu`) of frame 1: 2 of 1,000 elements, first at (3, 4), \
             where the reference has 7 (0x00000007) and the twin 9 (0x00000009)"
        ),
        "{differs}"
    );
    let equal = told(StageFinding::Equal { frame: 2 });
    assert!(equal.contains("stage: all of frame 2 are equal"), "{equal}");
}

#[test]
fn a_driver_cannot_command_the_terminal() {
    let mut report = green();
    if let Some(adapter) = &mut report.lanes[0].adapter {
        adapter.name = "evil\u{1b}[2J\nOK  all well".to_owned();
    }
    report.lanes[1].error = Some("lost\u{7}\r".to_owned());
    let text = text(&report, 2, 100);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
    assert!(!text.contains("\nOK  all well"));
}

#[test]
fn the_command_names_the_cell_alone() {
    let mut report = green();
    let cell = cell(
        "psnr",
        "exact",
        Layout::Yuv420,
        Depth::U8,
        "my clips/a b.y4m",
        "lavapipe",
    );
    report.cells.push(isobit_gate::report::CellReport {
        status: Status::Fail,
        checks: vec![border(10, 1)],
        ..cell
    });
    let text = text(&report, 1, 100);
    assert!(
        text.contains("hint: cargo xtask parity --kernels psnr --depths 8 --layouts yuv420 --clip "),
        "{text}"
    );
}

#[test]
fn a_lane_that_is_left_out() {
    let mut report = green();
    let reason = "this machine has no working `node` to run the lane's worker\nhint: install Node.js";
    let lane = &mut report.lanes[1];
    lane.adapter = None;
    lane.probes.clear();
    lane.left_out = Some(reason.to_owned());
    for cell in report.cells.iter_mut().filter(|cell| cell.lane == "swiftshader") {
        cell.status = Status::Skip;
        cell.reason = Some(reason.to_owned());
        cell.checks.clear();
        cell.scores.clear();
    }
    insta::assert_snapshot!(text(&report, 0, 100));
}
