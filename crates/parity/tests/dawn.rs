//! The lane whose worker is a program for Node: what it refuses, and what a machine without Node says of it. The first needs
//! the software drivers, which `cargo xtask test` provides.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends at the first thing that is not as it should be"
)]

use std::process::{Command, Output};

use isobit_gate::args::Driver;
use isobit_gate::report::{Report, Status};

const PARITY: &str = env!("CARGO_BIN_EXE_parity");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn driver(name: &str) -> Driver {
    let drivers = Driver::of_tests().unwrap();
    drivers.into_iter().find(|driver| driver.name == name).unwrap()
}

/// Runs `psnr` on the smallest picture on these lanes, and reads the report.
fn run(lanes: &str, arguments: &[&str]) -> (Output, Report) {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("report.json");
    let mut command = Command::new(PARITY);
    command.args([
        "run",
        "--root",
        ROOT,
        "--kernels=psnr",
        "--fixtures=tiny_7x5",
        "--depths=8",
    ]);
    command.args(["--lanes", lanes]).args(arguments);
    command.arg("--json-out").arg(&json);
    command.arg("--md-out").arg(folder.path().join("report.md"));
    let output = command.output().unwrap();
    let report = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    (output, report)
}

#[test]
fn a_lane_alone_that_is_left_out_compares_nothing_and_is_red() {
    let (output, report) = run("dawn", &["--without", "dawn=no `node`\nhint: install Node"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(report.cells.iter().all(|cell| cell.status == Status::Skip));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("SKIP") && text.contains("hint: install Node"), "{text}");
}

#[test]
fn a_lane_that_is_left_out_leaves_the_verdict_to_the_others() {
    let lavapipe = serde_json::to_string(&driver("lavapipe")).unwrap();
    let (output, report) = run("lavapipe,dawn", &["--driver", &lavapipe, "--without", "dawn=no `node`"]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let dawn = report.lanes.iter().find(|lane| lane.name == "dawn").unwrap();
    assert_eq!((dawn.left_out.as_deref(), &dawn.error), (Some("no `node`"), &None));
}

#[test]
fn no_other_lane_can_be_left_out() {
    for lane in ["lavapipe", "moon"] {
        let mut command = Command::new(PARITY);
        command.args(["run", "--root", ROOT, "--without", &format!("{lane}=no driver")]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(64));
        assert!(String::from_utf8_lossy(&output.stderr).contains(lane));
    }
}

#[test]
fn another_driver_is_never_taken_for_the_lanes() {
    let other = Driver {
        name: "swiftshader".to_owned(),
        ..driver("lavapipe")
    };
    let mut command = Command::new(PARITY);
    command.args(["open", "--root", ROOT, "--lane", "dawn"]);
    let output = command
        .args(["--driver", &serde_json::to_string(&other).unwrap()])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    // Without Node, or without its packages, the worker does not even begin.
    let has_packages = std::path::Path::new(ROOT).join("ci/dawn/node_modules/webgpu").exists();
    let node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    let expected = if node && has_packages {
        "no adapter is the one asked for"
    } else {
        "the worker died"
    };
    assert!(said.contains(expected), "{said}");
}
