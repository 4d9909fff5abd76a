//! The record of one row, measured and written by the real program. Needs the software drivers, which `cargo xtask test`
//! provides.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends at the first thing that is not as it should be"
)]

use std::path::Path;
use std::process::{Command, Output};

use isobit_gate::args::Driver;

const PARITY: &str = env!("CARGO_BIN_EXE_parity");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A row of few and small cells.
const KERNEL: &str = "rgb_to_ycbcr_601_full";
const LANE: &str = "swiftshader";

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn what_is_missing_is_measured_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    for folder in ["ci", "ci/exact_twins.d", "ci/records.d"] {
        copy(&Path::new(ROOT).join(folder), &root.path().join(folder));
    }
    let path = root.path().join(format!("ci/records.d/{KERNEL}.{LANE}.toml"));
    let before = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();

    let drivers = Driver::of_tests().unwrap();
    let stale = |kernels: &[&str]| -> Output {
        let mut command = Command::new(PARITY);
        command.args(["run", "--matrix", "--record", "--stale", "--lanes", LANE, "--root"]);
        command.arg(root.path()).args(["--kernels", &kernels.join(",")]);
        for driver in &drivers {
            command.args(["--driver", &serde_json::to_string(driver).unwrap()]);
        }
        command.output().unwrap()
    };
    let said = |output: &Output| {
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert!(output.status.success(), "{out}\n{err}");
        out
    };
    // The neighbour's record is there, so it does not run.
    let out = said(&stale(&[KERNEL, "rgb_to_ycbcr_709_full"]));
    let written = out.lines().filter(|line| line.starts_with("recorded ")).count();
    assert_eq!(written, 1, "{out}");
    assert!(!out.contains("rgb_to_ycbcr_709_full"), "{out}");
    let after = std::fs::read_to_string(&path).unwrap();
    // The adapter's names are those of the day.
    let bound = |record: &str| {
        let table: toml::Table = record.parse().unwrap();
        (table["fingerprint"].clone(), table["elements"].clone())
    };
    assert_eq!(bound(&after), bound(&before));

    let out = said(&stale(&[KERNEL]));
    assert_eq!(
        out,
        "nothing was measured: no record of this selection is missing or stale (1 record)\n"
    );
}
