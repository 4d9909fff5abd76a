//! `exact`: every function of isobit-exact on the lanes, bit for bit against Rust.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use camino::Utf8Path;
use isobit_exact::functions::{self, Function, SelectError};
use isobit_gate::args::Driver;
use isobit_gate::config::{Config, Lane, family};
use isobit_gate::names;
use xshell::Cmd;

use crate::failure::{self, Failure};
use crate::proc::Proc;
use crate::provision::Provider;
use crate::workspace::Workspace;

/// The package and the name of the program that runs on a lane.
const RUNNER: (&str, &str) = ("isobit-exact-runner", "exact");
/// Stands for a lane in what is printed of the Rust side, which needs none.
const RUST: &str = "rust";

/// Compare the functions of isobit-exact with Rust, bit for bit
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these functions, by name or by a pattern with `*` and `?`
    #[arg(value_name = "FUNCTION")]
    functions: Vec<String>,
    /// Every operand instead of random ones, of the functions that have one operand of at most 32 bits
    #[arg(long)]
    exhaustive: bool,
    /// Skip the functions before this one, in the order of `--list`: continues a run that was cut short
    #[arg(long, value_name = "FUNCTION")]
    from: Option<String>,
    /// Only these lanes; without it, the lanes that `ci/matrix.toml` runs by default
    #[arg(long, value_name = "LANE", value_delimiter = ',')]
    lanes: Vec<String>,
    /// Random operands of each function, beside all combinations of special values
    #[arg(long, value_name = "N", default_value_t = 1 << 24)]
    random: u64,
    /// Print the functions, and run nothing
    #[arg(long)]
    list: bool,
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let chosen = select(args)?;
    if args.list {
        for function in chosen {
            anstream::println!("{}", describe(function));
        }
        return Ok(ExitCode::SUCCESS);
    }

    let config = Config::load(&workspace.root)?;
    let lanes = lanes(&config, &args.lanes)?;
    let proc = Proc::new(&workspace.root)?;
    let executables = proc.cargo_build(&[RUNNER.0])?;
    let runner = executables.iter().find(|(name, _)| name == RUNNER.1);
    let (_, runner) =
        runner.with_context(|| format!("`cargo build` succeeded but named no executable `{}`", RUNNER.1))?;
    let provider = Provider::new(workspace)?;
    let start = |lane: &str| {
        proc.cmd(runner)
            .args(["--lane", lane, "--random", &args.random.to_string()])
            .args(args.exhaustive.then_some("--exhaustive"))
            .args(chosen.iter().map(|function| function.name))
    };
    let mut worst = 0;
    if chosen.iter().any(|function| function.chunk.starts_with("math_")) {
        worst = code(&proc, start(RUST).arg("--rust"), RUST)?;
    }
    for lane in lanes {
        let drivers = provider.provide_for(&config, &[&lane.name])?;
        let private = tempfile::tempdir().context("cannot make a folder for the driver's own files")?;
        let mut command = start(&lane.name)
            .args(["--adapter", &serde_json::to_string(&lane.adapter)?])
            .args(["--timeout", &lane.timeout_s.to_string()])
            .env("XDG_RUNTIME_DIR", private.path())
            .envs(&lane.environment);
        if let Some(driver) = drivers.first() {
            command = confine(command, driver)?;
        }
        worst = worst.max(code(&proc, command, &lane.name)?);
    }
    Ok(ExitCode::from(worst))
}

fn select(args: &Args) -> Result<Vec<&'static Function>> {
    functions::select(&args.functions, args.from.as_deref(), args.exhaustive).map_err(|error| {
        let hint = match &error {
            SelectError::Unknown { name } => {
                match names::nearest(name, functions::all().map(|function| function.name)) {
                    Some(near) => format!("did you mean `{near}`? cargo xtask exact {near}"),
                    None => "cargo xtask exact --list".to_owned(),
                }
            }
            SelectError::TooMany { name } => format!("cargo xtask exact {name}"),
        };
        Failure::usage(error.to_string(), hint)
    })
}

fn describe(function: &Function) -> String {
    let domain = function.domain.map_or("all operands", |domain| domain.words);
    format!("{:<28} {:<12} {domain}", function.name, function.chunk)
}

fn lanes<'a>(config: &'a Config, wanted: &[String]) -> Result<Vec<&'a Lane>> {
    let known = &config.matrix.lanes;
    if wanted.is_empty() {
        return Ok(known
            .iter()
            .filter(|lane| lane.default && lane.worker.is_none())
            .collect());
    }
    let find = |name: &String| {
        known.iter().find(|lane| lane.name == *name).ok_or_else(|| {
            let names = names::list(known.iter().map(|lane| lane.name.as_str()));
            Failure::usage(format!("no lane is named `{name}`"), format!("the lanes are {names}"))
        })
    };
    let found: Vec<&Lane> = wanted.iter().map(find).collect::<Result<_>>()?;
    if let Some(lane) = found.iter().find(|lane| lane.worker.is_some()) {
        return Err(Failure::usage(
            format!(
                "lane `{}` has a worker of its own, and `exact` runs in this one's",
                lane.name
            ),
            "cargo xtask parity --lanes dawn",
        ));
    }
    match found.iter().find(|lane| lane.release.is_some()) {
        Some(lane) => Err(Failure::usage(
            format!("lane `{}` is a container, and `exact` runs on this machine", lane.name),
            format!("cargo xtask exact --lanes {}", family(&lane.name)),
        )),
        None => Ok(found),
    }
}

/// Shows a command one driver only.
pub fn confine<'a>(command: Cmd<'a>, driver: &Driver) -> Result<Cmd<'a>> {
    let inherited = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = driver.libraries.iter().map(|folder| folder.as_std_path().to_owned());
    let folders = std::env::join_paths(folders.chain(std::env::split_paths(&inherited))).with_context(|| {
        format!(
            "the folders of the driver `{}` cannot be listed in a variable",
            driver.name
        )
    })?;
    let icd: &Utf8Path = &driver.icd;
    Ok(command
        .env("VK_LOADER_LAYERS_DISABLE", "~implicit~")
        .env("VK_DRIVER_FILES", icd)
        .env("VK_ICD_FILENAMES", icd)
        .env("LD_LIBRARY_PATH", folders))
}

/// How the runner of a lane ended; a crash is an error.
fn code(proc: &Proc, command: Cmd<'_>, lane: &str) -> Result<u8> {
    let code = proc.code(command)?;
    if code.is_none() {
        anstream::eprintln!("error: the driver of lane `{lane}` crashed\nhint: cargo xtask doctor");
    }
    Ok(code
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(failure::UNTRUSTED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn refusal(line: &[&str]) -> (u8, String) {
        let line = <Line as clap::Parser>::parse_from(["exact"].iter().chain(line));
        let error = select(&line.args).unwrap_err();
        let failure = error.downcast_ref::<Failure>().unwrap();
        (failure.code, failure.hint.clone())
    }

    #[test]
    fn an_unknown_function_is_refused_with_the_nearest_name() {
        let hint = "did you mean `soft_add`? cargo xtask exact soft_add".to_owned();
        assert_eq!(refusal(&["soft_ad"]), (failure::USAGE, hint.clone()));
        assert_eq!(refusal(&["--from", "soft_ad"]), (failure::USAGE, hint));
    }

    #[test]
    fn every_operand_of_two_is_refused() {
        let hint = "cargo xtask exact pow".to_owned();
        assert_eq!(refusal(&["--exhaustive", "sin", "pow"]), (failure::USAGE, hint));
    }

    #[test]
    fn an_unknown_lane_is_refused() {
        let error = lanes(&Config::default(), &["moon".to_owned()]).unwrap_err();
        assert_eq!(
            error.downcast_ref::<Failure>().unwrap().message,
            "no lane is named `moon`"
        );
    }
}
