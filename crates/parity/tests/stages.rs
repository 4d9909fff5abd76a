//! What twins declare of their intermediate results is true on every software lane: all stages equal the reference's. Needs
//! the software drivers, which `cargo xtask test` provides.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends at the first thing that is not as it should be"
)]

use std::process::Command;

use isobit_gate::args::Driver;
use isobit_gate::report::{Report, StageFinding};
use isobit_registry::registry;

const PARITY: &str = env!("CARGO_BIN_EXE_parity");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn drivers() -> Vec<Driver> {
    const HINT: &str = "hint: run the tests with `cargo xtask test`";
    let path = std::env::var("ISOBIT_TEST_DRIVERS").unwrap_or_else(|_| panic!("no drivers were provided\n{HINT}"));
    let json = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("read `{path}`: {error}\n{HINT}"));
    serde_json::from_str(&json).unwrap()
}

/// Runs `kernels` on `fixture` with their stages compared, and returns how many cells had all of them equal.
fn equal_cells(kernels: &[&str], fixture: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("report.json");
    let mut command = Command::new(PARITY);
    command.args([
        "run",
        "--root",
        ROOT,
        "--matrix",
        "--stages",
        "--depths",
        "8",
        "--layouts",
        "yuv420",
    ]);
    command.args(["--fixtures", fixture, "--kernels", &kernels.join(",")]);
    command
        .arg("--json-out")
        .arg(&json)
        .arg("--md-out")
        .arg(folder.path().join("report.md"));
    for driver in drivers() {
        command.args(["--driver", &serde_json::to_string(&driver).unwrap()]);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{fixture}: {text}");
    let report: Report = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let equal = |stage: &Option<StageFinding>| matches!(stage, Some(StageFinding::Equal { .. }));
    report.cells.iter().filter(|cell| equal(&cell.stage)).count()
}

#[test]
fn stages_are_equal_where_outputs_are() {
    let staged = |kernel: &&isobit::kernel::Kernel| kernel.twins.iter().any(|twin| twin.stages.is_some());
    let kernels: Vec<_> = registry()
        .kernels
        .iter()
        .filter(staged)
        .map(|kernel| kernel.name)
        .collect();
    let (large, small): (Vec<_>, Vec<_>) = kernels.into_iter().partition(|name| name.starts_with("cambi"));
    assert!(!large.is_empty() && !small.is_empty());
    assert_eq!(equal_cells(&small, "width_33"), 2 * small.len());
    // Below 216 samples a side it is not defined.
    assert_eq!(equal_cells(&large[..1], "above_512"), 2);
}
