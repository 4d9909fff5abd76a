//! Runs the example programs that were built beside this test.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

use isobit_gate::args::Driver;
use isobit_testing::{Demand, seeing};

/// What a program left.
pub struct Ran {
    /// Its exit code.
    pub code: Option<i32>,
    /// What it printed.
    pub out: String,
    /// What it complained of.
    pub err: String,
}

/// A backend other than `cpu`, and the driver that it needs to see.
pub struct Lane {
    /// Its name on the command line.
    pub name: String,
    driver: Option<Driver>,
}

/// Every backend that is demanded, `cpu` apart.
pub fn lanes() -> Vec<Lane> {
    let of_driver = |driver: Driver| Lane {
        name: driver.name.clone(),
        driver: Some(driver),
    };
    let hardware = if cfg!(target_os = "macos") {
        "metal"
    } else if cfg!(windows) {
        "dx12"
    } else {
        "vulkan"
    };
    match Demand::of_environment() {
        Demand::Software(drivers) => drivers.into_iter().map(of_driver).collect(),
        Demand::Hardware => vec![Lane {
            name: hardware.to_owned(),
            driver: None,
        }],
        Demand::None => Vec::new(),
    }
}

/// Runs example `program` in a folder; with a lane, on it.
pub fn run(program: &str, folder: &Path, lane: Option<&Lane>, args: &[&str]) -> Ran {
    let mut command = Command::new(built(program));
    command.current_dir(folder).args(args);
    if let Some(lane) = lane {
        command.args(["--backend", &lane.name]);
        if let Some(driver) = &lane.driver {
            seeing(&mut command, driver, Path::new(env!("CARGO_TARGET_TMPDIR")));
        }
    }
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// The executable: Cargo puts tests into `deps` and examples into `examples` beside it, and builds both for `cargo test` and for
/// `cargo nextest run`, but not where a test is named by `--test`.
fn built(program: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let path = profile.join("examples").join(format!("{program}{EXE_SUFFIX}"));
    assert!(
        path.is_file(),
        "example `{program}` is not built: there is no `{}`\nhint: cargo test -p imaging",
        path.display()
    );
    path
}
