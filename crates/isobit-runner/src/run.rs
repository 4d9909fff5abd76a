//! `parity run`: plans the cells, runs them, prints the verdict and writes the reports.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use isobit::kernel::{Kernel, Registry};
use isobit_fixtures::clip::{RawFormat, parse_size};
use isobit_gate::args::{Driver, RunArgs};
use isobit_gate::config::Config;
use isobit_gate::exit;
use isobit_gate::manifest::Manifest;
use isobit_gate::record::{self, Fingerprint, Reference};
use isobit_gate::report::{Report, RunTiming};
use isobit_gate::summary::{self, RunFacts};
use isobit_gate::variants;
use isobit_report::{json, markdown, terminal};

use crate::cases::{Cases, UserClips};
use crate::controller::Run;
use crate::host;
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
pub fn run(registry: &Registry, args: &RunArgs, root: &Utf8Path, drivers: &[Driver]) -> Result<ExitCode> {
    let start = Instant::now();
    let config = Config::load(root)?;
    let declared = variants::declared(registry, &config)?;
    let (registry, args) = &variants::asked(&declared, args).map_err(|error| UsageError(error.to_string()))?;
    let clips = user_clips(args)?;
    let shape = clips.as_ref().map(UserClips::shape).transpose().map_err(UsageError)?;
    let manifest =
        Manifest::plan(registry, &config, args, shape.as_ref()).map_err(|error| UsageError(error.to_string()))?;
    if args.list {
        for cell in &manifest.cells {
            println!("{cell}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let output = Outputs::prepare(args, root)?;
    ctrlc::set_handler(interrupt).context("install the handler of Ctrl-C")?;

    let lanes = config.matrix.lanes.len();
    let found = Run {
        config: &config,
        cells: &manifest.cells,
        cases: Cases::new(&manifest.cells, clips, (lanes * usize::from(args.jobs)) + 4),
        drivers,
        hold_exact: &args.hold_exact,
        stages: args.stages,
        timeout: args.timeout.map(Duration::from_secs),
        jobs: usize::from(args.jobs),
        cache: output.folder.join("cache"),
        stop: &STOP,
        progress: Progress::new(),
    }
    .run();

    let facts = RunFacts {
        commit: host::commit(root),
        host: host::host(),
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
    print(&report, code, &output.json)?;
    output.write(&report)?;
    if args.record {
        record(registry, &config, &report, code, root)?;
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

/// Where the reports go; found to be writable before anything runs.
struct Outputs {
    folder: Utf8PathBuf,
    json: Utf8PathBuf,
    markdown: Utf8PathBuf,
}

impl Outputs {
    fn prepare(args: &RunArgs, root: &Utf8Path) -> Result<Self> {
        let folder = root.join("target/isobit");
        let outputs = Self {
            json: args.json_out.clone().unwrap_or_else(|| folder.join("report.json")),
            markdown: args.md_out.clone().unwrap_or_else(|| folder.join("report.md")),
            folder,
        };
        for path in [&outputs.json, &outputs.markdown] {
            let folder = parent(path);
            fs_err::create_dir_all(folder)?;
            tempfile::tempfile_in(folder).with_context(|| format!("write a report into `{folder}`"))?;
        }
        Ok(outputs)
    }

    fn write(&self, report: &Report) -> Result<()> {
        write_whole(&self.json, |file| json::write(report, json::Style::Pretty, file))?;
        let text = markdown::render(report, summary::exit_code(report));
        write_whole(&self.markdown, |file| file.write_all(text.as_bytes()))
    }
}

fn parent(path: &Utf8Path) -> &Utf8Path {
    match path.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    }
}

/// The file is either the old one or the new one, never a part.
pub fn write_whole(path: &Utf8Path, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<()> {
    let whole = || -> io::Result<()> {
        let file = tempfile::NamedTempFile::new_in(parent(path))?;
        let mut buffered = BufWriter::new(file.as_file());
        write(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        file.persist(path)?;
        Ok(())
    };
    whole().with_context(|| format!("write `{path}`"))
}

fn print(report: &Report, exit_code: u8, json: &Utf8Path) -> Result<()> {
    let options = terminal::Options {
        width: terminal_size::terminal_size().map_or(100, |(width, _)| width.0.into()),
        colour: true,
        exit_code,
        json: Some(json.as_str()),
    };
    // Colour is taken out again where standard output is no terminal or does not want it.
    let mut out = anstream::stdout().lock();
    out.write_all(terminal::render(report, &options).as_bytes())
        .context("print the report")?;
    out.flush().context("print the report")
}

/// Writes the measured rows of the listed twins, lane by lane, after a run in which every cell is well.
fn record(registry: &Registry, config: &Config, report: &Report, exit_code: u8, root: &Utf8Path) -> Result<()> {
    anyhow::ensure!(
        exit_code == exit::OK,
        "no record was written: the run is not green\nhint: mend what the report shows, then record again"
    );
    let kernels = registry.kernels.iter();
    let listed: Vec<&Kernel> =
        (kernels.filter(|kernel| config.fragments.iter().any(|fragment| fragment.kernel == kernel.name))).collect();
    // A reference is run once, however many lanes list its twin.
    for (kernel, reference) in listed.iter().zip(Reference::of_each(&listed)) {
        let reference = reference?;
        for fragment in config
            .fragments
            .iter()
            .filter(|fragment| fragment.kernel == kernel.name)
        {
            let lane = report.lanes.iter().find(|lane| lane.name == fragment.lane);
            let Some(adapter) = lane.and_then(|lane| lane.adapter.as_ref()) else {
                continue;
            };
            let twin = (kernel.twin(&fragment.twin))
                .with_context(|| format!("`{}`: the registry has no such twin", fragment.path()))?;
            let fingerprint = Fingerprint::of(kernel, twin, &reference)?;
            let record = record::build(kernel, twin, &fragment.lane, adapter, fingerprint, &report.cells)?;
            let path = record::write(root, &record)?;
            println!("recorded {} in `{path}`", record.extent());
        }
    }
    Ok(())
}
