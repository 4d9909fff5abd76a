//! `parity`: refuses what cannot be run, builds the runner, provides the drivers, and becomes the runner.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use isobit::kernel::Registry;
use isobit_gate::args::{Driver, RunArgs};
use isobit_gate::config::Config;
use isobit_gate::manifest::{Manifest, SelectionError};
use isobit_registry::registry;

use crate::build;
use crate::failure::Failure;
use crate::proc::Proc;
use crate::provision::Provider;
use crate::workspace::Workspace;

/// Run twins against their references and print the verdict
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let config = Config::load(&workspace.root)?;
    let lanes = validate(&registry(), &config, &args.run)?;
    let proc = Proc::new(&workspace.root)?;
    let runner = build::runner(&proc)?;
    let drivers = if args.run.list {
        Vec::new()
    } else {
        let lanes: Vec<&str> = lanes.iter().map(String::as_str).collect();
        Provider::new(workspace)?
            .with_runner(&runner)
            .provide_for(&config, &lanes)?
    };
    let original = std::env::args_os().skip(2);
    proc.exec(&runner, &arguments(workspace, original, &drivers)?)
}

/// The arguments of the runner: the person's own words, and what was provided.
pub fn arguments(
    workspace: &Workspace,
    original: impl IntoIterator<Item = OsString>,
    drivers: &[Driver],
) -> Result<Vec<OsString>> {
    let mut arguments: Vec<OsString> = vec!["run".into(), "--root".into(), workspace.root.as_str().into()];
    arguments.extend(original);
    for driver in drivers {
        arguments.extend(["--driver".into(), serde_json::to_string(driver)?.into()]);
    }
    Ok(arguments)
}

/// The lanes that would run. Whatever can be refused is refused here, before minutes are spent on a build.
fn validate(registry: &Registry, config: &Config, args: &RunArgs) -> Result<Vec<String>> {
    if args.clip.is_empty() {
        let manifest = Manifest::plan(registry, config, args, None).map_err(refusal)?;
        return Ok(manifest.lanes().into_iter().map(str::to_owned).collect());
    }
    if let Some(absent) = args.clip.iter().find(|path| !path.is_file()) {
        return Err(Failure::usage(
            format!("cannot read the clip `{absent}`: there is no such file"),
            "name a Y4M, PNG or raw file: cargo xtask parity --clip ref.y4m dis.y4m",
        ));
    }
    // The geometry of a clip is the runner's to read; names that do not exist are wrong with any geometry.
    let names = RunArgs {
        clip: Vec::new(),
        matrix: true,
        ..args.clone()
    };
    if let Err(error @ SelectionError::Unknown { .. }) = Manifest::plan(registry, config, &names, None) {
        return Err(refusal(error));
    }
    let chosen = config.matrix.lanes.iter().filter(|lane| match args.lanes.as_slice() {
        [] => lane.default,
        lanes => lanes.contains(&lane.name),
    });
    Ok(chosen.map(|lane| lane.name.clone()).collect())
}

/// A selection that cannot be run is a usage error, and its message already ends with a hint; a control that cannot run
/// is a fault of the workspace.
fn refusal(error: SelectionError) -> anyhow::Error {
    if matches!(error, SelectionError::Control { .. }) {
        return error.into();
    }
    let text = error.to_string();
    match text.split_once("\nhint: ") {
        Some((message, hint)) => Failure::usage(message, hint),
        None => Failure::usage(text, "cargo xtask parity --help"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runner_gets_the_persons_words_unchanged() {
        let workspace = Workspace { root: "/w".into() };
        let driver = Driver {
            name: "lavapipe".to_owned(),
            environment: "user".to_owned(),
            icd: "/w/icd.json".into(),
            libraries: vec!["/w/lib".into()],
        };
        let original = ["--kernels", "psnr,float_moment", "--clip", "a b.y4m"].map(OsString::from);
        let arguments = arguments(&workspace, original, &[driver]).unwrap();
        insta::assert_snapshot!(arguments.join(std::ffi::OsStr::new("\n")).to_str().unwrap());
    }

    #[test]
    fn a_clip_that_does_not_exist_is_a_usage_error() {
        let args = RunArgs {
            clip: vec!["/nowhere/ref.y4m".into()],
            ..RunArgs::default()
        };
        let error = validate(&registry(), &Config::default(), &args).unwrap_err();
        assert_eq!(error.downcast_ref::<Failure>().unwrap().code, crate::failure::USAGE);
    }
}
