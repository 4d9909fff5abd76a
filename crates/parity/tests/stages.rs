//! What twins declare of their intermediate results is true on every software lane: all stages equal the reference's. Needs
//! the software drivers, which `cargo xtask test` provides.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends at the first thing that is not as it should be"
)]

use std::process::Command;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::Kernel;
use isobit_gate::args::Driver;
use isobit_gate::report::{Report, StageFinding};
use isobit_registry::registry;

const PARITY: &str = env!("CARGO_BIN_EXE_parity");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The lanes whose drivers are provided.
const LANES: [&str; 2] = ["lavapipe", "swiftshader"];

/// Runs the kernels that are defined for `fixture` at `depth`, and says how many they are and in how many cells all stages are
/// equal.
fn kernels_and_equal_cells(fixture: &str, depth: Depth) -> (usize, usize) {
    let format = Format::new(Layout::Yuv420, depth);
    let shape = isobit_fixtures::named(fixture).unwrap().shape(format).unwrap();
    let staged = |kernel: &&Kernel| kernel.twins.iter().any(|twin| twin.stages.is_some());
    let defined = |kernel: &&Kernel| (kernel.accepts)(format) && (kernel.refuses)(&shape).is_none();
    let kernels = registry().kernels.iter().filter(staged).filter(defined);
    let kernels: Vec<_> = kernels.map(|kernel| kernel.name).collect();
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("report.json");
    let mut command = Command::new(PARITY);
    command.args(["run", "--root", ROOT, "--matrix", "--stages", "--layouts", "yuv420"]);
    command.args(["--fixtures", fixture, "--depths", &depth.to_string()]);
    command.args(["--kernels", &kernels.join(","), "--lanes", &LANES.join(",")]);
    command
        .arg("--json-out")
        .arg(&json)
        .arg("--md-out")
        .arg(folder.path().join("report.md"));
    for driver in Driver::of_tests().unwrap() {
        command.args(["--driver", &serde_json::to_string(&driver).unwrap()]);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{fixture}: {text}");
    let report: Report = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let equal = |stage: &Option<StageFinding>| matches!(stage, Some(StageFinding::Equal { .. }));
    let cells = report.cells.iter().filter(|cell| equal(&cell.stage)).count();
    (kernels.len(), cells)
}

/// Among these are roundings that no score shows, though another number in them would be wrong: of the restored details of
/// `adm`, and of the largest terms of `ssim`.
#[test]
fn stages_are_equal_where_outputs_are() {
    for (fixture, depth) in [("scene", Depth::U8), ("glare", Depth::U16)] {
        let (kernels, cells) = kernels_and_equal_cells(fixture, depth);
        assert!(kernels > 0);
        assert_eq!(cells, LANES.len() * kernels, "{fixture}");
    }
}
