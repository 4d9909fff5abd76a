//! The driver a person calls: parses the command line and hands each command to its file. Does no work itself.

mod bench;
mod build;
mod ci;
mod container;
mod docs;
mod doctor;
mod drift;
mod elf;
mod exact;
mod failure;
mod gate;
mod nix;
mod parity;
mod proc;
mod provision;
mod test;
mod tools;
mod usage;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The driver of Isobit: builds, provides drivers, runs the parity gate and renders its documents
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all well, 1 FAIL or XPASS, 2 ERROR or nothing compared, 3 generated files or \
                        records are stale, 64 usage."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Args),
    Provision(provision::Args),
    Doctor(doctor::Args),
    Parity(Box<parity::Args>),
    Exact(exact::Args),
    Gate(gate::Args),
    Docs(docs::Args),
    Ci(ci::Args),
    Test(test::Args),
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::exit(&error),
    };
    match dispatch(cli.command) {
        Ok(code) => code,
        Err(error) => failure::exit(&error),
    }
}

fn dispatch(command: Command) -> Result<ExitCode> {
    let workspace = workspace::Workspace::find()?;
    match command {
        Command::Build(args) => build::run(&workspace, &args),
        Command::Provision(args) => provision::run(&workspace, &args),
        Command::Doctor(args) => doctor::run(&workspace, &args),
        Command::Parity(args) => parity::run(&workspace, &args),
        Command::Exact(args) => exact::run(&workspace, &args),
        Command::Gate(args) => gate::run(&workspace, &args),
        Command::Docs(args) => docs::run(&workspace, &args),
        Command::Ci(args) => ci::run(&workspace, &args),
        Command::Test(args) => test::run(&workspace, &args),
        Command::Bench(args) => bench::run(&workspace, &args),
    }
}
