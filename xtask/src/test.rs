//! `test`: every check of the repository in order, up to the first that fails. The tests come last, so that their own
//! summary ends the output.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use camino::Utf8PathBuf;
use clap::ValueEnum;
use isobit_gate::args::TEST_DRIVERS;
use isobit_gate::config::{Config, Lane};
use xshell::Cmd;

use crate::exact::confine;
use crate::proc::Proc;
use crate::provision::{Environment, Name, Provider};
use crate::workspace::Workspace;
use crate::{ci, docs, drift, failure, gate, nix};

/// Check format, lints, gate, documents, workflows and flake, and run all tests
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these steps
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    only: Vec<Step>,
}

/// A step, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Step {
    /// Sources are formatted
    Format,
    /// Lints of the compiler
    Lints,
    /// Kernels, tolerances, exact twins and records agree
    Gate,
    /// The reference pages are fresh
    Docs,
    /// The workflows are fresh
    Workflows,
    /// The workflows are clean
    Linters,
    /// The flake's text says what it should
    Flake,
    /// The software drivers are there
    Drivers,
    /// Workers that are Node programs pass their own tests
    Workers,
    /// The commands of the workflows run
    Commands,
    /// Examples in documentation
    Examples,
    /// All tests
    Tests,
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let proc = Proc::new(&workspace.root)?;
    let cargo = |line: &str| proc.cmd("cargo").args(line.split_whitespace());
    let drivers = workspace.state()?.join("test-drivers.json");
    let with_drivers = |command: Cmd<'_>| proc.run(command.env(TEST_DRIVERS, &drivers));
    let tests = || -> Result<u8> {
        if Proc::has("cargo-nextest") {
            return passed(with_drivers(cargo("nextest run --workspace --no-fail-fast")));
        }
        // Targets that are named leave the example programs out, which tests run.
        if !proc.run(cargo("build --workspace --examples"))? {
            return Ok(failure::DIFFERENT);
        }
        passed(with_drivers(cargo(
            "test --workspace --lib --bins --tests --no-fail-fast",
        )))
    };

    let steps: [(Step, &dyn Fn() -> Result<u8>); 12] = [
        (Step::Format, &|| passed(proc.run(cargo("fmt --all --check")))),
        (Step::Lints, &|| {
            passed(proc.run(cargo("clippy --workspace --all-targets -- -D warnings")))
        }),
        (Step::Gate, &|| gate::check(workspace)),
        (Step::Docs, &|| docs::check(workspace)),
        (Step::Workflows, &|| ci::check(workspace)),
        (Step::Linters, &|| ci::lint(workspace)),
        (Step::Flake, &|| nix::check(workspace)),
        (Step::Drivers, &|| provide(workspace, &drivers).map(|()| 0)),
        (Step::Workers, &|| workers(workspace)),
        (Step::Commands, &|| ci::replay(workspace)),
        (Step::Examples, &|| {
            passed(with_drivers(cargo("test --workspace --doc --quiet")))
        }),
        (Step::Tests, &tests),
    ];
    let wanted = |step: Step| args.only.is_empty() || args.only.contains(&step);
    for (step, check) in steps.into_iter().filter(|(step, _)| wanted(*step)) {
        let name = step.to_possible_value().map(|value| value.get_name().to_owned());
        let name = name.unwrap_or_default();
        anstream::eprintln!("test: {name}");
        let start = Instant::now();
        let code = check()?;
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

/// Runs the tests that lie beside each worker in Node, on its lane's driver. A machine without Node says so and skips them, as
/// it skips the lane.
fn workers(workspace: &Workspace) -> Result<u8> {
    let config = Config::load(&workspace.root)?;
    let provider = Provider::new(workspace)?;
    let proc = Proc::new(&workspace.root)?;
    let own = |lane: &&Lane| lane.worker.is_some();
    for lane in config.matrix.lanes.iter().filter(own) {
        let provisions = provider.provide_run(&config, &[&lane.name])?;
        if let Some((lane, reason)) = provisions.without.first() {
            anstream::eprintln!("SKIP: the tests of lane `{lane}`: {reason}");
            continue;
        }
        let tests = node_tests(workspace, lane)?;
        let command = proc.cmd("node").arg("--no-warnings").arg("--test").args(tests);
        let command = match provisions.drivers.first() {
            Some(driver) => confine(command, driver)?,
            None => command,
        };
        if !proc.run(command)? {
            return Ok(failure::DIFFERENT);
        }
    }
    Ok(0)
}

/// The files of tests in the package of a lane's worker; Node's own search differs between its versions.
fn node_tests(workspace: &Workspace, lane: &Lane) -> Result<Vec<Utf8PathBuf>> {
    let Some(program) = &lane.worker else {
        return Ok(Vec::new());
    };
    let folder = workspace.root.join(&program.package).join("test");
    let mut tests = Vec::new();
    for entry in fs_err::read_dir(&folder)? {
        let path = Utf8PathBuf::try_from(entry?.path())?;
        if path.as_str().ends_with(".test.mjs") {
            tests.push(path);
        }
    }
    anyhow::ensure!(!tests.is_empty(), "`{folder}` holds no test of the worker");
    tests.sort();
    Ok(tests)
}
