//! Runs a registry of kernels on every lane: one controller, and a worker process for each lane.
//!
//! A workspace with kernels of its own has the whole gate with a program of three lines:
//!
//! ```no_run
//! # mod my_kernels { pub fn registry() -> isobit::kernel::Registry { isobit::kernel::Registry { kernels: &[], controls: &[] } } }
//! fn main() -> std::process::ExitCode {
//!     isobit_runner::main(&my_kernels::registry())
//! }
//! ```

mod cases;
mod client;
mod container;
mod controller;
mod cost;
mod host;
mod limit;
mod open;
mod progress;
mod run;
mod segments;
mod wire;
mod worker;

use std::process::ExitCode;

use camino::Utf8PathBuf;
use clap::{Parser, Subcommand};
use isobit::kernel::Registry;
use isobit_gate::args::{Driver, MergeArgs, RunArgs};
use isobit_gate::exit;
use isobit_report::merge;

/// Runs GPU twins against their references. `cargo xtask parity` calls it; nothing here builds or provides a driver.
#[derive(Parser)]
#[command(name = "parity", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run cells and print the verdict
    Run {
        #[command(flatten)]
        args: Box<RunArgs>,
        #[command(flatten)]
        place: Place,
    },
    /// Join the reports of all shards of a run and print the verdict
    Merge {
        #[command(flatten)]
        args: MergeArgs,
        /// The folder below which reports go by default
        #[arg(long, default_value = ".")]
        root: Utf8PathBuf,
    },
    /// Open the adapter of a lane in a worker and print what it says of itself as one line of JSON
    Open {
        /// Name of the lane
        #[arg(long)]
        lane: String,
        #[command(flatten)]
        place: Place,
    },
    /// Measure how long the twins of each kernel take on a lane
    Bench {
        #[command(flatten)]
        args: cost::Args,
        #[command(flatten)]
        place: Place,
    },
    /// Serve a controller on the standard streams
    #[command(hide = true)]
    Worker,
}

/// Where the configuration is, and which drivers were provided.
#[derive(clap::Args)]
struct Place {
    /// The folder that holds `ci/`
    #[arg(long, default_value = ".")]
    root: Utf8PathBuf,
    /// A provided driver, as JSON with `name`, `environment`, `icd` and `libraries`
    #[arg(long = "driver", value_name = "JSON", value_parser = driver)]
    drivers: Vec<Driver>,
    /// A lane that this machine cannot run, and why: its cells are skipped for that reason
    #[arg(long, value_name = "LANE=REASON", value_parser = without)]
    without: Vec<(String, String)>,
}

fn without(text: &str) -> Result<(String, String), String> {
    let (lane, reason) = text.split_once('=').ok_or("a lane and a reason with `=` between")?;
    Ok((lane.to_owned(), reason.to_owned()))
}

fn driver(json: &str) -> Result<Driver, serde_json::Error> {
    serde_json::from_str(json)
}

/// Parses the command line, does what it says and returns the documented exit code.
pub fn main(registry: &Registry) -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // `--help` and `--version` come this way too and are no fault. A closed stream is no reason to complain twice.
            let _ = error.print();
            return if error.use_stderr() {
                exit::USAGE.into()
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let result = match cli.command {
        Command::Run { args, place } => run::run(registry, &args, &place),
        Command::Merge { args, root } => merge::run(&args, &root).map(ExitCode::from).map_err(Into::into),
        Command::Open { lane, place } => open::open(&place.root, &lane, &place.drivers),
        Command::Bench { args, place } => cost::bench(registry, &args, &place.root, &place.drivers),
        Command::Worker => worker::serve().map_err(Into::into),
    };
    result.unwrap_or_else(|error| {
        print_error(&error);
        match error.downcast_ref::<merge::Failure>() {
            Some(failure) => failure.exit_code().into(),
            None if error.is::<run::UsageError>() => exit::USAGE.into(),
            None => exit::UNTRUSTED.into(),
        }
    })
}

/// The error and its causes as one sentence; a hint, where there is one, is already on a line of its own.
fn print_error(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}
