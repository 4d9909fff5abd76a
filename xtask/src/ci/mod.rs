//! `ci`: renders the workflows from `ci/matrix.toml`, or checks that they are fresh; and what their steps call.

mod lint;
mod render;
mod replay;
mod summary;
mod verdict;
mod workflow;

use std::process::ExitCode;

use anyhow::Result;
use camino::Utf8Path;
use isobit_gate::config::Config;

use crate::drift::{self, Folder, Mode, Outcome};
use crate::workspace::Workspace;

pub use lint::check as lint;
pub use replay::check as replay;

/// The folder of the workflows; every file directly inside it is rendered.
const FOLDER: &str = ".github/workflows";
/// The command that renders.
const COMMAND: &str = "cargo xtask ci";

/// Render the workflows under `.github/workflows/`
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Write nothing; exit with 3 where a workflow is stale
    #[arg(long)]
    check: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Summary(summary::Args),
    Verdict(verdict::Args),
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    match &args.command {
        Some(Command::Summary(args)) => return summary::run(args),
        Some(Command::Verdict(args)) => return verdict::run(workspace, args),
        None => {}
    }
    drift::run("ci", Mode::of(args.check), |mode| apply(workspace, mode)).map(ExitCode::from)
}

/// Compares the workflows with what they are rendered from; returns the exit code.
pub fn check(workspace: &Workspace) -> Result<u8> {
    drift::run("ci", Mode::Check, |mode| apply(workspace, mode))
}

fn apply(workspace: &Workspace, mode: Mode) -> Result<Outcome> {
    let config = Config::load(&workspace.root)?;
    let files = render::render(&workspace.root, &config.matrix.ci)?;
    let folder = Folder {
        path: Utf8Path::new(FOLDER),
        command: COMMAND,
    };
    drift::apply(&workspace.root, folder, &files, mode)
}
