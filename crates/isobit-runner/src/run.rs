//! `parity run`: plans the cells, runs them, prints the verdict and writes the reports.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use camino::Utf8Path;
use isobit::kernel::Registry;
use isobit_fixtures::clip::{RawFormat, parse_size};
use isobit_gate::args::RunArgs;
use isobit_gate::config::{Config, Lane};
use isobit_gate::exit;
use isobit_gate::manifest::Manifest;
use isobit_gate::record::{self, Narrowed};
use isobit_gate::report::{Report, RunTiming};
use isobit_gate::shard::{self, SHARDS};
use isobit_gate::summary::{self, RunFacts};
use isobit_gate::variants;
use isobit_report::files::{FOLDER, Files, write_whole};
use isobit_report::terminal;

use crate::Place;
use crate::cases::{Cases, UserClips};
use crate::controller::Run;
use crate::host;
use crate::limit::Limits;
use crate::progress::Progress;

/// The command line or a file that it names cannot be used; exit code 64.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Set by Ctrl-C. A signal handler can reach nothing else.
static STOP: AtomicBool = AtomicBool::new(false);

/// Runs what `args` asks for.
///
/// # Errors
/// [`UsageError`] for what the caller can mend; others for a machine that cannot run or write.
pub fn run(registry: &Registry, args: &RunArgs, place: &Place) -> Result<ExitCode> {
    let start = Instant::now();
    let (root, drivers) = (place.root.as_path(), &place.drivers);
    let mut config = Config::load(root)?;
    for (lane, reason) in &place.without {
        config.leave_out(lane, reason).map_err(UsageError)?;
    }
    let declared = variants::declared(registry, &config)?;
    let (registry, args) = &variants::asked(&declared, args).map_err(|error| UsageError(error.to_string()))?;
    let clips = user_clips(args)?;
    let shape = clips.as_ref().map(UserClips::shape).transpose().map_err(UsageError)?;
    let whole =
        Manifest::plan(registry, &config, args, shape.as_ref()).map_err(|error| UsageError(error.to_string()))?;
    let mut manifest = match args.shard {
        None => whole,
        Some(shard) => shard::take(&whole, &config.costs, shard).map_err(|error| UsageError(error.to_string()))?,
    };
    if args.stale
        && let fresh @ Narrowed::Fresh(_) = record::narrow(&mut manifest, registry, &config)?
    {
        println!("{fresh}");
        return Ok(ExitCode::SUCCESS);
    }
    if args.list {
        for cell in &manifest.cells {
            println!("{cell}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let files = Files::new(&args.out, root);
    files.prepare()?;
    ctrlc::set_handler(interrupt).context("install the handler of Ctrl-C")?;

    let runs = |lane: &&Lane| manifest.cells.iter().any(|cell| cell.lane == lane.name);
    let lanes: Vec<&Lane> = config.matrix.lanes.iter().filter(runs).collect();
    let (jobs, host) = (usize::from(args.jobs), host::host());
    let found = Run {
        config: &config,
        cells: &manifest.cells,
        root,
        cases: Cases::new(&manifest.cells, clips, lanes.len() * jobs + 4),
        drivers,
        hold_exact: &args.hold_exact,
        stages: args.stages,
        limits: Limits::of(args.timeout.map(Duration::from_secs), &lanes, jobs, host.cores),
        jobs,
        cache: root.join(FOLDER).join("cache"),
        stop: &STOP,
        progress: Progress::new(),
    }
    .run();

    let facts = RunFacts {
        commit: host::commit(root),
        host,
        hold_exact: args.hold_exact.clone(),
        interrupted: STOP.load(Ordering::Relaxed).then(|| "Ctrl-C".to_owned()),
        lanes: found.lanes,
        faults: Vec::new(),
        timing: RunTiming {
            total_ms: start.elapsed().as_secs_f64() * 1e3,
            lanes_ms: found.lanes_ms,
        },
    };
    let report = summary::assemble(&manifest, &config, found.cells, facts);
    let code = summary::exit_code(&report);
    terminal::print(&report, code, &files.json).context("print the report")?;
    files.write(&report, code)?;
    let code = if args.record {
        record(args, registry, &config, &report, code, root)?
    } else {
        code
    };
    if args.record_costs {
        record_costs(&config, &manifest, &report, root)?;
    }
    Ok(code.into())
}

fn interrupt() {
    if STOP.swap(true, Ordering::Relaxed) {
        // Asked twice: the cells under way are not worth waiting for. Workers end when their streams close.
        std::process::exit(exit::UNTRUSTED.into());
    }
    eprintln!("interrupted: ending the cells under way; press Ctrl-C again to stop at once");
}

fn user_clips(args: &RunArgs) -> Result<Option<UserClips>, UsageError> {
    let raw = match (&args.size, args.format) {
        (Some(size), Some(format)) => {
            let (width, height) = parse_size(size).map_err(|error| UsageError(error.with_hint()))?;
            Some(RawFormat { format, width, height })
        }
        (None, None) => None,
        _ => {
            return Err(UsageError(
                "a raw clip needs both its size and its format\nhint: --size 1920x1080 --format yuv420-8".to_owned(),
            ));
        }
    };
    Ok((!args.clip.is_empty()).then(|| UserClips {
        paths: args.clip.clone(),
        raw,
    }))
}

/// Writes the records of the rows that were measured, and says of the others why there is none. Returns the run's exit code,
/// or another where the run is well and a row is not recorded all the same.
fn record(
    args: &RunArgs,
    registry: &Registry,
    config: &Config,
    report: &Report,
    code: u8,
    root: &Utf8Path,
) -> Result<u8> {
    let mut refused = false;
    for row in record::measured(registry, config, report) {
        match row {
            Ok(row) => {
                let path = record::write(root, &row)?;
                println!("recorded {} in `{path}`", row.extent());
            }
            Err(reason) => {
                refused = true;
                eprintln!("not recorded: {reason}");
            }
        }
    }
    if refused {
        let lanes: Vec<_> = report.lanes.iter().map(|lane| lane.name.as_str()).collect();
        let lanes = lanes.join(",");
        let kernels = match args.kernels.join(",") {
            all if all.is_empty() => all,
            named => format!(" --kernels {named}"),
        };
        eprintln!(
            "hint: mend that, and measure what is left: cargo xtask parity --matrix --record --stale --lanes {lanes}{kernels}"
        );
    }
    Ok(if refused && code == exit::OK {
        exit::UNTRUSTED
    } else {
        code
    })
}

/// Writes how long the cells took, after a run in which every one was judged.
fn record_costs(config: &Config, manifest: &Manifest, report: &Report, root: &Utf8Path) -> Result<()> {
    anyhow::ensure!(
        summary::exit_code(report) != exit::UNTRUSTED,
        "no costs were written: not every cell was judged\nhint: mend what the report shows, then measure again"
    );
    let costs = config.costs.measured(manifest, report);
    let text = costs.text().context("render the costs as TOML")?;
    write_whole(&root.join(SHARDS), |file| {
        std::io::Write::write_all(file, text.as_bytes())
    })?;
    println!("recorded {} rows in `{SHARDS}`", costs.rows.len());
    Ok(())
}
