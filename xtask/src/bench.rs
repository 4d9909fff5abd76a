//! `bench`: where the wall time of the matrix goes, and what exactness costs. Measurements for people, never tests.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use clap::{Subcommand, value_parser};
use comfy_table::{CellAlignment, Table, presets};
use isobit_gate::args::RunArgs;
use isobit_gate::config::Config;
use isobit_gate::cost::COSTS;
use isobit_gate::manifest::Manifest;
use isobit_gate::report::Report;
use isobit_registry::registry;

use crate::failure::Failure;
use crate::parity::arguments;
use crate::proc::{Proc, Watched};
use crate::provision::Provider;
use crate::workspace::Workspace;
use crate::{build, failure};

/// Measure where time and memory go
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The full matrix, several times over
    Matrix {
        /// How often it runs
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u16).range(1..))]
        runs: u16,
    },
    /// The twins of each kernel and the shared functions beside what they replace, into `ci/cost.d/`
    Exact(Exact),
}

/// What is measured of exactness. A file of `ci/cost.d/` is always one run of everything, so that its numbers compare; where
/// something is named, its measurements go below the build folder.
#[derive(Debug, clap::Args)]
struct Exact {
    /// Only these lanes; without it, the lanes that `ci/matrix.toml` runs by default
    #[arg(long, value_name = "LANE", value_delimiter = ',')]
    lanes: Vec<String>,
    /// Kernels to measure, and nothing else that is not named; into the build folder
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    kernels: Vec<String>,
    /// Kernels to measure as a whole, on the clips that `ci/bench.toml` declares; likewise
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    wholes: Vec<String>,
    /// Shared functions to measure; likewise
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    functions: Vec<String>,
}

impl Exact {
    /// The options that name what is measured, and what they name.
    fn named(&self) -> impl Iterator<Item = (&'static str, String)> {
        let options = [
            ("--kernels", &self.kernels),
            ("--wholes", &self.wholes),
            ("--functions", &self.functions),
        ];
        let named = options.into_iter().filter(|(_, names)| !names.is_empty());
        named.map(|(option, names)| (option, names.join(",")))
    }
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    match &args.what {
        What::Matrix { runs } => matrix(workspace, *runs),
        What::Exact(args) => exact(workspace, args),
    }
}

/// Measures lane after lane, since lanes that run side by side would slow each other down.
fn exact(workspace: &Workspace, args: &Exact) -> Result<ExitCode> {
    let lanes = &args.lanes[..];
    let config = Config::load(&workspace.root)?;
    let declared = || config.matrix.lanes.iter();
    if let Some(unknown) = lanes.iter().find(|name| declared().all(|lane| lane.name != **name)) {
        return Err(Failure::usage(
            format!("`ci/matrix.toml` declares no lane `{unknown}`"),
            "cargo xtask bench exact --help",
        ));
    }
    // Another program's worker runs plans and times none.
    if let Some(lane) = declared().find(|lane| lane.worker.is_some() && lanes.contains(&lane.name)) {
        return Err(Failure::usage(
            format!(
                "lane `{}` has a worker of its own, through which nothing is timed",
                lane.name
            ),
            "cargo xtask bench exact",
        ));
    }
    let chosen = declared().filter(|lane| match lanes {
        [] => lane.default && lane.worker.is_none(),
        lanes => lanes.contains(&lane.name),
    });
    let proc = Proc::new(&workspace.root)?;
    let runner = build::runner(&proc)?;
    let folder = match args.named().next() {
        None => workspace.root.join(COSTS),
        Some(_) => workspace.state()?.join("cost"),
    };
    fs_err::create_dir_all(&folder)?;
    for lane in chosen {
        let drivers = Provider::new(workspace)?
            .with_runner(&runner)
            .provide_for(&config, &[&lane.name])?;
        let out = folder.join(&lane.name).with_extension("toml");
        let words = [
            "bench",
            "--root",
            workspace.root.as_str(),
            "--lane",
            &lane.name,
            "--out",
            out.as_str(),
        ];
        let mut arguments: Vec<OsString> = words.map(Into::into).into();
        for (option, names) in args.named() {
            arguments.extend([option.into(), names.into()]);
        }
        for driver in &drivers {
            arguments.extend(["--driver".into(), serde_json::to_string(driver)?.into()]);
        }
        let code = proc.watch(&runner, &arguments)?.code;
        if code != Some(0) {
            let code = code.and_then(|code| u8::try_from(code).ok());
            return Ok(code.unwrap_or(failure::UNTRUSTED).into());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn matrix(workspace: &Workspace, runs: u16) -> Result<ExitCode> {
    let config = Config::load(&workspace.root)?;
    let proc = Proc::new(&workspace.root)?;

    let mut code = 0;
    let mut samples = Vec::new();
    let folder = tempfile::tempdir()?;
    let report = Utf8Path::from_path(folder.path())
        .context("the temporary folder's path is not UTF-8")?
        .join("report.json");
    for run in 1..=runs {
        anstream::eprintln!("bench: run {run} of {runs}");
        let (sample, outcome) = once(workspace, &config, &proc, &report)?;
        if outcome != 0 {
            code = outcome;
        }
        samples.push(sample);
    }
    anstream::println!("{}", table(&samples));
    if code != 0 {
        anstream::eprintln!(
            "error: a run ended with exit code {code}, so its times may be those of less work\nhint: cargo xtask parity --matrix"
        );
    }
    Ok(ExitCode::from(code))
}

/// Milliseconds of one run, by phase, and its memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sample {
    build: f64,
    provision: f64,
    run: f64,
    lanes: f64,
    pipelines: f64,
    reference: f64,
    device: f64,
    transfer: f64,
    compare: f64,
    peak_bytes: Option<u64>,
}

/// The name of a phase, and its milliseconds.
type Row = (&'static str, fn(&Sample) -> f64);

fn once(workspace: &Workspace, config: &Config, proc: &Proc, path: &Utf8PathBuf) -> Result<(Sample, u8)> {
    let (runner, build) = timed(|| build::runner(proc))?;
    let args = RunArgs {
        matrix: true,
        ..RunArgs::default()
    };
    let manifest = Manifest::plan(&registry(), config, &args, None)?;
    let provider = Provider::new(workspace)?.with_runner(&runner);
    let (provisions, provision) = timed(|| provider.provide_run(config, &manifest.lanes()))?;

    let markdown = path.with_extension("md");
    let words = ["--matrix", "--json-out", path.as_str(), "--md-out", markdown.as_str()].map(Into::into);
    let watched = proc.watch(&runner, &arguments(workspace, words, &provisions)?)?;
    let text = fs_err::read_to_string(path).context("the runner left no report")?;
    let report: Report = serde_json::from_str(&text).with_context(|| format!("`{path}` is not a report"))?;
    let code = watched
        .code
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(failure::UNTRUSTED);
    Ok((sample(build, provision, &watched, &report), code))
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let start = Instant::now();
    Ok((work()?, start.elapsed()))
}

fn sample(build: Duration, provision: Duration, watched: &Watched, report: &Report) -> Sample {
    let sum =
        |part: fn(&isobit_gate::report::CellTiming) -> f64| report.cells.iter().map(|cell| part(&cell.timing)).sum();
    let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
    Sample {
        build: ms(build),
        provision: ms(provision),
        run: ms(watched.wall),
        lanes: report.timing.lanes_ms,
        pipelines: sum(|timing| timing.pipelines_ms),
        reference: sum(|timing| timing.reference_ms),
        device: sum(|timing| timing.device_ms),
        transfer: sum(|timing| timing.transfer_ms),
        compare: sum(|timing| timing.compare_ms),
        peak_bytes: watched.peak_bytes,
    }
}

/// Phases downwards, the median and its ratio to the median of the whole run across.
///
/// Lanes run side by side, so the phases inside the run are sums over cells and may add up to more than its wall time.
fn table(samples: &[Sample]) -> String {
    let rows: [Row; 9] = [
        ("build", |s| s.build),
        ("provision", |s| s.provision),
        ("run", |s| s.run),
        ("  devices and probes", |s| s.lanes),
        ("  pipelines", |s| s.pipelines),
        ("  reference", |s| s.reference),
        ("  device", |s| s.device),
        ("  transfer", |s| s.transfer),
        ("  comparison", |s| s.compare),
    ];
    let total = median(samples.iter().map(|s| s.build + s.provision + s.run));
    let mut table = Table::new();
    table
        .load_preset(presets::ASCII_MARKDOWN)
        .set_header(["phase", "median ms", "of total"]);
    for (name, part) in rows {
        let time = median(samples.iter().map(part));
        table.add_row([
            name.to_owned(),
            format!("{time:.0}"),
            format!("{:.0}%", 100.0 * time / total),
        ]);
    }
    table.add_row(["total".to_owned(), format!("{total:.0}"), "100%".to_owned()]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let peak = samples.iter().filter_map(|sample| sample.peak_bytes).max();
    let memory = peak.map_or("unknown".to_owned(), |bytes| format!("{} MiB", bytes >> 20));
    let runs = samples.len();
    format!(
        "{table}\n\nruns: {runs}; peak memory of runner and workers: {memory}\n\
         The indented phases are sums over cells of lanes that run side by side."
    )
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => values[count / 2],
        count => f64::midpoint(values[count / 2 - 1], values[count / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_even_and_odd_counts() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0].into_iter()), 2.5);
        assert_eq!(median(std::iter::empty()), 0.0);
    }

    #[test]
    fn the_table_shows_medians_and_their_share() {
        let sample = |factor: f64| Sample {
            build: 100.0 * factor,
            provision: 10.0,
            run: 890.0,
            lanes: 200.0,
            reference: 400.0,
            peak_bytes: Some(300 << 20),
            ..Sample::default()
        };
        insta::assert_snapshot!(table(&[sample(1.0), sample(1.0), sample(50.0)]));
    }
}
