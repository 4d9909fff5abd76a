//! `build`: the kernel crates and the runner, in release form.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use camino::Utf8PathBuf;

use crate::proc::Proc;
use crate::workspace::Workspace;

/// The package of the runner.
pub const RUNNER: &str = "isobit-parity";
/// The packages that hold kernels, through the registry that lists them.
const KERNELS: &str = "isobit-registry";

/// Build the kernel crates and the runner
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(workspace: &Workspace, _: &Args) -> Result<ExitCode> {
    let proc = Proc::new(&workspace.root)?;
    let executables = proc.cargo_build(&[KERNELS, RUNNER])?;
    for (_, path) in executables {
        anstream::println!("{path}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the runner where it is not up to date, and returns its path.
pub fn runner(proc: &Proc) -> Result<Utf8PathBuf> {
    let executables = proc.cargo_build(&[RUNNER])?;
    let runner = executables.into_iter().find(|(name, _)| name == "parity");
    let (_, path) = runner.context("`cargo build` succeeded but named no executable `parity`")?;
    Ok(path)
}
