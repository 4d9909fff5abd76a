//! `parity`: refuses what cannot be run, builds the runner, provides the drivers, and becomes the runner. Joining the reports
//! of shards needs none of that and is done here.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use isobit::kernel::Registry;
use isobit_gate::args::{Environment, MergeArgs, RunArgs};
use isobit_gate::config::Config;
use isobit_gate::manifest::{self, Manifest, SelectionError};
use isobit_gate::record::{self, Narrowed};
use isobit_gate::shard::{self, ShardError};
use isobit_gate::variants;
use isobit_registry::registry;
use isobit_report::merge;

use crate::build;
use crate::container;
use crate::failure::{self, Failure};
use crate::nix;
use crate::proc::Proc;
use crate::provision::{Provider, Provisions};
use crate::workspace::Workspace;

/// Run twins against their references and print the verdict
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    container: container::BaseArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Join the reports of all shards of a run and print the verdict
    Merge(MergeArgs),
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    if let Some(Command::Merge(args)) = &args.command {
        return merge::run(args, &workspace.root)
            .map(ExitCode::from)
            .map_err(refusal_of_merge);
    }
    let config = Config::load(&workspace.root)?;
    let lanes = match validate(&registry(), &config, &args.run)? {
        Planned::Lanes(lanes) => lanes,
        Planned::Nothing(reason) => {
            anstream::println!("{reason}");
            return Ok(ExitCode::SUCCESS);
        }
    };
    if args.run.env == Environment::Nix && nix::inside().is_none() {
        return nix::enter(workspace, &lanes, std::env::args_os().skip(1));
    }
    let lanes: Vec<&str> = lanes.iter().map(String::as_str).collect();
    let proc = Proc::new(&workspace.root)?;
    if !args.run.list {
        // An engine or an image that fails should do so before minutes are spent on a build.
        container::prepare(workspace, &proc, &config, &lanes, &args.container.base())?;
    }
    let runner = build::runner(&proc)?;
    let provisions = if args.run.list {
        Provisions::default()
    } else {
        Provider::new(workspace)?
            .with_base(args.container.base())
            .with_runner(&runner)
            .provide_run(&config, &lanes)?
    };
    let original = without_base(std::env::args_os().skip(2));
    proc.exec(&runner, &arguments(workspace, original, &provisions)?)
}

/// Whether a command line could be run here, as far as names and shards go.
#[cfg(test)]
pub fn accepts(workspace: &Workspace, args: &Args) -> Result<()> {
    if args.command.is_none() {
        validate(&registry(), &Config::load(&workspace.root)?, &args.run)?;
    }
    Ok(())
}

/// The arguments of the runner: the person's own words, and what was provided.
pub fn arguments(
    workspace: &Workspace,
    original: impl IntoIterator<Item = OsString>,
    provisions: &Provisions,
) -> Result<Vec<OsString>> {
    let mut arguments: Vec<OsString> = vec!["run".into(), "--root".into(), workspace.root.as_str().into()];
    arguments.extend(original);
    for driver in &provisions.drivers {
        arguments.extend(["--driver".into(), serde_json::to_string(driver)?.into()]);
    }
    for (lane, reason) in &provisions.without {
        arguments.extend(["--without".into(), format!("{lane}={reason}").into()]);
    }
    Ok(arguments)
}

/// The person's words without the option that is no business of the runner.
fn without_base(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut value_follows = false;
    for word in words {
        let text = word.to_string_lossy();
        let ours = value_follows || text == "--base" || text.starts_with("--base=");
        value_follows = text == "--base" && !value_follows;
        if !ours {
            kept.push(word);
        }
    }
    kept
}

/// What a command line comes to.
#[derive(Debug, PartialEq)]
enum Planned {
    /// These lanes would run.
    Lanes(Vec<String>),
    /// There is nothing to do, and all is well; a sentence says so.
    Nothing(String),
}

/// What would run. Whatever can be refused is refused here, before minutes are spent on a build.
fn validate(registry: &Registry, config: &Config, args: &RunArgs) -> Result<Planned> {
    let declared = variants::declared(registry, config)?;
    let (registry, args) = &variants::asked(&declared, args).map_err(|error| usage(&error.to_string()))?;
    if args.clip.is_empty() {
        let mut manifest = Manifest::plan(registry, config, args, None).map_err(refusal)?;
        if args.stale {
            match record::narrow(&mut manifest, registry, config)? {
                fresh @ Narrowed::Fresh(_) => return Ok(Planned::Nothing(fresh.to_string())),
                some @ Narrowed::To(_) => anstream::eprintln!("{some}"),
            }
        }
        if let Some(shard) = args.shard {
            shard::take(&manifest, &config.costs, shard).map_err(|error| usage(&error.to_string()))?;
        }
        return Ok(Planned::Lanes(
            manifest.lanes().into_iter().map(str::to_owned).collect(),
        ));
    }
    if args.shard.is_some() {
        return Err(usage(&ShardError::Clip.to_string()));
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
    manifest::lanes(config, args).map(Planned::Lanes).map_err(refusal)
}

/// A selection that cannot be run is a usage error, and its message already ends with a hint; a control that cannot run
/// is a fault of the workspace.
fn refusal(error: SelectionError) -> anyhow::Error {
    if matches!(error, SelectionError::Control { .. }) {
        return error.into();
    }
    usage(&error.to_string())
}

/// A usage error from a sentence that may end with a hint.
fn usage(text: &str) -> anyhow::Error {
    let (message, hint) = text
        .split_once("\nhint: ")
        .unwrap_or((text, "cargo xtask parity --help"));
    Failure::usage(message, hint)
}

/// Shards that do not add up; where a file cannot be written, the system's words say why.
fn refusal_of_merge(error: merge::Failure) -> anyhow::Error {
    if error.exit_code() == failure::USAGE {
        return usage(&error.to_string());
    }
    error.into()
}

#[cfg(test)]
mod tests {
    use isobit_gate::args::Driver;

    use super::*;

    #[test]
    fn the_runner_gets_the_persons_words_unchanged() {
        let workspace = Workspace { root: "/w".into() };
        let driver = Driver {
            name: "lavapipe".to_owned(),
            environment: "user".to_owned(),
            icd: "/w/icd.json".into(),
            libraries: vec!["/w/lib".into()],
            container: None,
        };
        let original = ["--kernels", "psnr,float_moment", "--clip", "a b.y4m"].map(OsString::from);
        let provisions = Provisions {
            drivers: vec![driver],
            without: vec![("dawn".to_owned(), "no `node`\nhint: install it".to_owned())],
        };
        let arguments = arguments(&workspace, original, &provisions).unwrap();
        insta::assert_snapshot!(arguments.join(std::ffi::OsStr::new("\n")).to_str().unwrap());
    }

    #[test]
    fn the_base_of_containers_is_no_business_of_the_runner() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        let kept = without_base(words("--env docker --base auto --matrix --base=my/image --lanes a").into_iter());
        assert_eq!(kept, words("--env docker --matrix --lanes a"));
    }

    #[test]
    fn a_cut_that_cannot_be_is_refused_before_anything_is_built() {
        let config = Config::load(&Workspace::find().unwrap().root).unwrap();
        let refused = |shard: &str, args: RunArgs| {
            let shard = Some(shard.parse().unwrap());
            let error = validate(&registry(), &config, &RunArgs { shard, ..args }).unwrap_err();
            let failure = error.downcast::<Failure>().unwrap();
            assert_eq!(failure.code, failure::USAGE);
            failure.message
        };
        let kernels = vec!["psnr".to_owned()];
        let few = refused(
            "1/9999",
            RunArgs {
                kernels,
                ..RunArgs::default()
            },
        );
        assert!(few.ends_with("too few for 9999 shards"), "{few}");
        let clip = vec!["/nowhere/ref.y4m".into()];
        let clip = refused(
            "1/2",
            RunArgs {
                clip,
                ..RunArgs::default()
            },
        );
        assert_eq!(clip, "`--shard` and `--clip` exclude each other");
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
