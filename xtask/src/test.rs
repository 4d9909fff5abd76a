//! `test`: every check of the repository in order, up to the first that fails. The tests come last, so that their own
//! summary ends the output.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use camino::Utf8PathBuf;
use xshell::Cmd;

use crate::proc::Proc;
use crate::provision::{Environment, Name, Provider};
use crate::workspace::Workspace;
use crate::{docs, drift, failure, gate};

/// The variable that tells device tests where the drivers are: the path of a JSON array.
const DRIVERS: &str = "ISOBIT_TEST_DRIVERS";

/// Check format, lints, gate and documents, and run all tests
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(workspace: &Workspace, _: &Args) -> Result<ExitCode> {
    let proc = Proc::new(&workspace.root)?;
    let cargo = |line: &str| proc.cmd("cargo").args(line.split_whitespace());
    let drivers = workspace.state()?.join("test-drivers.json");
    let with_drivers = |command: Cmd<'_>| proc.run(command.env(DRIVERS, &drivers));
    let tests = if Proc::has("cargo-nextest") {
        "nextest run --workspace --no-fail-fast"
    } else {
        "test --workspace --lib --bins --tests --no-fail-fast"
    };

    let steps: [(&str, &dyn Fn() -> Result<u8>); 7] = [
        ("format", &|| passed(proc.run(cargo("fmt --all --check")))),
        ("lints", &|| {
            passed(proc.run(cargo("clippy --workspace --all-targets -- -D warnings")))
        }),
        ("gate", &|| gate::check(workspace)),
        ("docs", &|| docs::check(workspace)),
        ("drivers", &|| provide(workspace, &drivers).map(|()| 0)),
        ("examples in documentation", &|| {
            passed(with_drivers(cargo("test --workspace --doc --quiet")))
        }),
        ("tests", &|| passed(with_drivers(cargo(tests)))),
    ];
    for (name, step) in steps {
        anstream::eprintln!("test: {name}");
        let start = Instant::now();
        let code = step()?;
        let seconds = start.elapsed().as_secs_f64();
        if code != 0 {
            anstream::eprintln!("test: {name} failed after {seconds:.1} s");
            return Ok(ExitCode::from(code));
        }
        anstream::eprintln!("test: {name} passed in {seconds:.1} s");
    }
    Ok(ExitCode::SUCCESS)
}

fn passed(success: Result<bool>) -> Result<u8> {
    // A failing check is a difference found, not a machine that could not check.
    Ok(if success? { 0 } else { failure::DIFFERENT })
}

/// Provides every driver and writes down where they are.
fn provide(workspace: &Workspace, list: &Utf8PathBuf) -> Result<()> {
    let provider = Provider::new(workspace)?;
    let mut drivers = Vec::new();
    for name in Name::ALL {
        drivers.push(provider.provide(name, Environment::Auto)?.driver);
    }
    drift::write(list, &serde_json::to_string_pretty(&drivers)?)
}
