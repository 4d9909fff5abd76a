//! What must never be green: controls posing as kernels, workers that die or hang, drivers that are not there, runs that
//! were cut off. Needs the software drivers, which `cargo xtask test` provides.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    reason = "a test ends at the first thing that is not as it should be"
)]

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use isobit::kernel::Symptom;
use isobit_gate::args::Driver;
use isobit_gate::report::{CellReport, Report, StageFinding, Status};

const FAULTS: &str = env!("CARGO_BIN_EXE_faults");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const LANES: [&str; 2] = ["lavapipe", "swiftshader"];

fn driver(name: &str) -> Driver {
    Driver::of_tests()
        .unwrap()
        .into_iter()
        .find(|driver| driver.name == name)
        .unwrap()
}

/// A folder with this workspace's lanes and an exact gate entry for every faulty kernel.
struct Root {
    folder: tempfile::TempDir,
}

impl Root {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ci = folder.path().join("ci");
        for name in ["exact_twins.d", "records.d"] {
            std::fs::create_dir_all(ci.join(name)).unwrap();
        }
        for name in ["expectations.toml", "devices.toml"] {
            std::fs::copy(format!("{ROOT}/ci/{name}"), ci.join(name)).unwrap();
        }
        // Variants are of kernels that this runner does not have.
        let matrix = std::fs::read_to_string(format!("{ROOT}/ci/matrix.toml")).unwrap();
        let mut matrix: toml::Table = matrix.parse().unwrap();
        matrix.remove("variant");
        std::fs::write(ci.join("matrix.toml"), matrix.to_string()).unwrap();
        let mut gate = String::new();
        let mut entry = |kernel: &str, metric: &str| {
            gate +=
                &format!("[[kernel.{kernel}.exact]]\nmetrics = [\"{metric}\"]\nrule = \"exact\"\nreason = \"test\"\n");
        };
        entry("slow", "count");
        entry("staged_first", "squares");
        entry("staged_second", "squares");
        for control in controls::CONTROLS {
            let kernel = control.kernel.name.replace("control_", "as_kernel_");
            for metric in control.kernel.metrics {
                entry(&kernel, metric.name);
            }
        }
        std::fs::write(ci.join("gate.toml"), gate).unwrap();
        Self { folder }
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    fn report(&self) -> Report {
        let path = self.path().join("target/isobit/report.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn command(&self, drivers: &[Driver], args: &[&str]) -> Command {
        let mut command = Command::new(FAULTS);
        command.args(["run", "--root", self.path().as_str()]).args(args);
        for driver in drivers {
            command.args(["--driver", &serde_json::to_string(driver).unwrap()]);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    format!("{}\n{out}\n{err}", output.status)
}

fn real(report: &Report) -> impl Iterator<Item = &CellReport> {
    report.cells.iter().filter(|cell| !cell.control)
}

#[test]
fn the_first_pass_that_is_wrong_is_named_and_no_later_one() {
    let root = Root::new();
    let args = [
        "--matrix",
        "--lanes",
        &LANES.join(","),
        "--kernels",
        "staged_first,staged_second",
        "--fixtures",
        "tiny_7x5",
    ];
    let output = root.command(&Driver::of_tests().unwrap(), &args).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let report = root.report();
    assert_eq!(real(&report).count(), 2 * LANES.len());
    for cell in real(&report) {
        let Some(StageFinding::Differs(found)) = &cell.stage else {
            panic!("{cell}: {:?}", cell.stage);
        };
        let (label, buffer, value) = match cell.kernel.as_str() {
            "staged_first" => ("count", "numbers", 6),
            _ => ("square", "squares", 36),
        };
        assert_eq!((found.label.as_str(), found.buffer.as_str()), (label, buffer), "{cell}");
        assert_eq!(
            (found.x, found.y, found.mismatches, found.elements),
            (2, 1, 1, 12),
            "{cell}"
        );
        assert_eq!((found.reference.bits, found.twin.bits), (value, value + 1), "{cell}");
    }
    assert!(text(&output).contains("`square`"), "{}", text(&output));
}

#[test]
fn every_control_turned_into_a_kernel_fails_the_run() {
    let root = Root::new();
    for control in controls::CONTROLS {
        let kernel = control.kernel.name.replace("control_", "as_kernel_");
        let list = |names: Vec<String>| names.join(",");
        let args = [
            "--matrix",
            "--lanes",
            &LANES.join(","),
            "--kernels",
            &kernel,
            "--fixtures",
            &control.fixtures.join(","),
            "--layouts",
            &list(control.formats.iter().map(|format| format.layout.to_string()).collect()),
            "--depths",
            &list(control.formats.iter().map(|format| format.depth.to_string()).collect()),
        ];
        let output = root.command(&Driver::of_tests().unwrap(), &args).output().unwrap();
        // Right numbers from the host prove nothing about the device: such a cell compared nothing trustworthy.
        let fell_back = control
            .formats
            .iter()
            .any(|&format| (control.symptom)(format) == Symptom::FellBack);
        let (code, status) = if fell_back {
            (2, Status::Error)
        } else {
            (1, Status::Fail)
        };
        assert_eq!(output.status.code(), Some(code), "{kernel}: {}", text(&output));
        let report = root.report();
        for lane in LANES {
            let red = real(&report).any(|cell| cell.lane == lane && cell.status == status);
            assert!(red, "`{kernel}` is not red on `{lane}`");
        }
    }
}

#[test]
fn a_worker_that_is_killed_costs_one_cell() {
    let root = Root::new();
    let marker = root.path().join("marker");
    let mut command = root.command(
        &[driver("lavapipe")],
        &[
            "--matrix",
            "--lanes=lavapipe",
            "--kernels=slow,as_kernel_ties",
            "--fixtures=padded",
        ],
    );
    let child = command.env("ISOBIT_FAULTS_MARKER", &marker).spawn().unwrap();
    wait_for(&marker);
    // The plan is made just before it is sent.
    std::thread::sleep(Duration::from_millis(300));
    let workers = workers(&child);
    assert_eq!(workers.len(), 1, "{workers:?}");
    rustix::process::kill_process(workers[0], rustix::process::Signal::KILL).unwrap();

    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    let report = root.report();
    let slow: Vec<_> = real(&report).filter(|cell| cell.kernel == "slow").collect();
    assert_eq!(slow.len(), 1);
    assert_eq!(slow[0].status, Status::Error);
    assert!(
        slow[0].reason.as_ref().unwrap().contains("signal 9"),
        "{:?}",
        slow[0].reason
    );
    assert_eq!(report.lanes[0].restarts, 1);
    assert!(report.interrupted.is_none());
    for cell in real(&report).filter(|cell| cell.kernel != "slow") {
        assert_eq!(cell.status, Status::Fail, "{cell:?}");
    }
}

#[test]
fn a_device_that_does_not_finish_costs_one_cell() {
    for lane in LANES {
        let root = Root::new();
        let args = [
            "--matrix",
            "--lanes",
            lane,
            "--kernels=slow,as_kernel_ties",
            "--fixtures=padded",
            "--timeout=1",
        ];
        let output = root.command(&[driver(lane)], &args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        let report = root.report();
        for cell in real(&report) {
            let expected = if cell.kernel == "slow" {
                Status::Error
            } else {
                Status::Fail
            };
            assert_eq!(cell.status, expected, "{cell:?}");
        }
        assert_eq!(report.lanes[0].restarts, 1);
    }
}

#[test]
fn an_interrupted_run_is_partial_and_says_so() {
    let root = Root::new();
    let marker = root.path().join("marker");
    let args = ["--matrix", "--lanes=lavapipe", "--fixtures=padded", "--timeout=3"];
    let mut command = root.command(&[driver("lavapipe")], &args);
    let child = command.env("ISOBIT_FAULTS_MARKER", &marker).spawn().unwrap();
    wait_for(&marker);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(!text(&output).contains("OK  "), "{}", text(&output));
    let report = root.report();
    assert!(report.interrupted.is_some());
    assert!(
        report
            .cells
            .iter()
            .any(|cell| cell.control && cell.status == Status::Ok),
        "nothing was kept"
    );
    assert!(real(&report).all(|cell| cell.status == Status::Error));
}

#[test]
fn a_driver_that_is_not_the_lanes_is_never_green() {
    let lavapipe = driver("lavapipe");
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| Utf8PathBuf::from_path_buf(folder.path().join(name)).unwrap();
    std::fs::write(at("text.so"), "no library").unwrap();
    let manifest = |library: Utf8PathBuf| {
        format!(r#"{{"file_format_version":"1.0.0","ICD":{{"library_path":"{library}","api_version":"1.3.0"}}}}"#)
    };
    std::fs::write(at("gone.json"), manifest(at("gone.so"))).unwrap();
    std::fs::write(at("text.json"), manifest(at("text.so"))).unwrap();
    std::fs::write(at("broken.json"), "{").unwrap();
    let stand_ins = [
        at("none.json"),
        at("gone.json"),
        at("text.json"),
        at("broken.json"),
        driver("swiftshader").icd,
    ];
    for icd in stand_ins {
        let root = Root::new();
        let driver = Driver {
            icd: icd.clone(),
            ..lavapipe.clone()
        };
        let args = ["--lanes=lavapipe", "--kernels=as_kernel_ties", "--fixtures=padded"];
        let output = root.command(&[driver], &args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{icd}: {}", text(&output));
        let report = root.report();
        assert!(report.cells.iter().all(|cell| cell.status == Status::Error), "{icd}");
        assert!(report.lanes[0].error.is_some(), "{icd}");
    }
}

#[test]
fn a_lane_without_its_driver_is_never_green() {
    let root = Root::new();
    let output = root
        .command(&[], &["--lanes=lavapipe", "--fixtures=padded"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(
        root.report().lanes[0]
            .error
            .as_ref()
            .unwrap()
            .contains("was not provided")
    );
}

fn wait_for(path: &Utf8Path) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !path.exists() {
        assert!(Instant::now() < deadline, "`{path}` never appeared");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The worker processes of a controller.
fn workers(controller: &Child) -> Vec<rustix::process::Pid> {
    let threads = std::fs::read_dir(format!("/proc/{}/task", controller.id())).unwrap();
    let children = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
    let children: Vec<_> = children
        .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let pids = children.iter().filter_map(|pid| pid.parse().ok());
    pids.filter_map(rustix::process::Pid::from_raw).collect()
}
