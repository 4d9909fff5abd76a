//! `parity bench`: how long the twins of each kernel take on a lane, beside a plain copy and the reference; how long clips take
//! as a whole; and how long each shared function takes beside its native counterpart.

mod functions;
mod kernels;
mod whole;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use isobit::execution::{DeviceKind, ExecutionError};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane, PlaneShape};
use isobit::kernel::{Kernel, Registry};
use isobit_gate::args::Driver;
use isobit_gate::config::Config;
use isobit_gate::cost::{Bench, Cost, CostRow, FunctionCost, Unmeasured, Whole};
use isobit_gate::record::Adapter;
use isobit_report::files::write_whole;

use self::functions::{SUBJECTS, Subject};
use crate::client::{Worker, WorkerError};
use crate::host;
use crate::run::UsageError;

/// How long the device may take for all turns of one kernel.
const LIMIT: Duration = Duration::from_secs(300);
/// Turns of each plan where nothing else is asked for; odd, so that a median is a measurement.
const ROUNDS: usize = 11;
/// Runs of a reference at most, of which the median counts.
const REFERENCE_RUNS: usize = 3;
/// How long runs of a reference may have taken for another to begin.
const REFERENCE_TIME: Duration = Duration::from_secs(1);
/// The frame on a GPU.
const HARDWARE: [u32; 2] = [1920, 1080];
/// The frame on a CPU that plays one.
const SOFTWARE: [u32; 2] = [480, 270];

/// What to measure: everything, unless something is named.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Name of the lane
    #[arg(long, value_name = "LANE")]
    lane: String,
    /// Kernels to measure; with options, under the names that they have with them
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    kernels: Vec<String>,
    /// Kernels to measure as a whole, on the clips that `ci/bench.toml` declares
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    wholes: Vec<String>,
    /// Shared functions to measure
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    functions: Vec<String>,
    /// Turns of each plan and function, of which the median counts
    #[arg(long, value_name = "N", default_value_t = ROUNDS)]
    rounds: usize,
    /// The commit that is measured, where `--root` is in no repository
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
    /// Write the measurements here
    #[arg(long, value_name = "FILE")]
    out: Utf8PathBuf,
}

impl Args {
    /// Whether everything is measured.
    fn all(&self) -> bool {
        self.kernels.is_empty() && self.wholes.is_empty() && self.functions.is_empty()
    }

    fn check(&self, kernels: &[Kernel], bench: &Bench) -> Result<(), UsageError> {
        let no_kernel = |name: &str| kernels.iter().all(|kernel| kernel.name != name);
        if let Some(name) = self.kernels.iter().find(|name| no_kernel(name)) {
            return Err(UsageError(format!("there is no kernel `{name}`")));
        }
        let undeclared = |name: &&String| bench.wholes.iter().all(|whole| whole.kernel != **name);
        if let Some(name) = self.wholes.iter().find(undeclared) {
            return Err(UsageError(format!(
                "`ci/bench.toml` declares no clip for kernel `{name}`"
            )));
        }
        if let Some(whole) = bench.wholes.iter().find(|whole| no_kernel(&whole.kernel)) {
            let name = &whole.kernel;
            return Err(UsageError(format!("`ci/bench.toml`: there is no kernel `{name}`")));
        }
        let function = |name: &&String| SUBJECTS.iter().all(|subject| subject.name != **name);
        if let Some(name) = self.functions.iter().find(function) {
            return Err(UsageError(format!("no shared function `{name}` is measured")));
        }
        Ok(())
    }
}

/// A measurement, or why there is none on the lane.
enum Outcome<T> {
    Measured(T),
    Not(String),
}

/// Measures what `args` asks for.
///
/// # Errors
/// If the lane, a kernel or a function does not exist, the adapter cannot be opened, or a plan does not run although the device
/// has room for it.
pub fn bench(registry: &Registry, args: &Args, root: &Utf8Path, drivers: &[Driver]) -> Result<ExitCode> {
    let config = Config::load(root)?;
    let declared = Bench::load(root)?;
    let lane = (config.matrix.lanes.iter().find(|lane| lane.name == args.lane))
        .ok_or_else(|| UsageError(format!("`ci/matrix.toml` declares no lane `{}`", args.lane)))?;
    let kernels = kernels(registry, &declared)?;
    args.check(&kernels, &declared)?;
    let driver = drivers.iter().find(|driver| Some(&driver.name) == lane.driver.as_ref());
    let cache = tempfile::tempdir().context("create a folder for the driver's cache")?;
    let cache = Utf8Path::from_path(cache.path()).context("the temporary folder's path is not UTF-8")?;
    let mut worker = Worker::start(root, lane, driver, cache)?;
    let limit = LIMIT.max(Duration::from_secs(lane.timeout_s));
    let facts = worker.open(lane)?;
    let size = if facts.kind == DeviceKind::Cpu {
        SOFTWARE
    } else {
        HARDWARE
    };

    let (mut rows, mut wholes, mut unmeasured) = (Vec::new(), Vec::new(), Vec::new());
    let mut note = |what: String, reason: String| {
        eprintln!("{what}: not measured: {reason}");
        unmeasured.push(Unmeasured { what, reason });
    };
    let chosen = |kernel: &&Kernel| args.all() || args.kernels.iter().any(|name| name == kernel.name);
    for kernel in kernels.iter().filter(chosen) {
        let outcome = self::kernels::measure(&mut worker, kernel, size, args.rounds, limit);
        match outcome.with_context(|| format!("measure `{}`", kernel.name))? {
            Outcome::Measured(row) => {
                eprintln!("{}", line(&row));
                rows.push(row);
            }
            Outcome::Not(reason) => note(kernel.name.to_owned(), reason),
        }
    }
    let chosen = |whole: &&Whole| args.all() || args.wholes.contains(&whole.kernel);
    for whole in declared.wholes.iter().filter(chosen) {
        let named = |kernel: &&Kernel| kernel.name == whole.kernel;
        let Some(kernel) = kernels.iter().find(named) else {
            continue;
        };
        let outcome = whole::measure(&mut worker, kernel, whole, args.rounds);
        match outcome.with_context(|| format!("measure `{}` as a whole", kernel.name))? {
            Outcome::Measured(cost) => wholes.push(cost),
            Outcome::Not(reason) => note(format!("{} as a whole", kernel.name), reason),
        }
    }
    let chosen = |subject: &&Subject| args.all() || args.functions.iter().any(|name| name == subject.name);
    let mut functions = Vec::new();
    for subject in SUBJECTS.iter().filter(chosen) {
        let function = subject
            .measure(&mut worker, facts.kind, args.rounds, limit)
            .with_context(|| format!("measure the function `{}`", subject.name))?;
        eprintln!("{}", function_line(&function));
        functions.push(function);
    }
    let cost = Cost {
        lane: lane.name.clone(),
        isobit_version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: host::commit(root).or_else(|| args.commit.clone()),
        rounds: args.rounds,
        host: host::host(),
        adapter: Adapter::from(&facts),
        rows,
        unmeasured,
        wholes,
        functions,
    };
    let text = toml::to_string(&cost).context("write the measurements as TOML")?;
    write_whole(&args.out, |file| std::io::Write::write_all(file, text.as_bytes()))?;
    let counts = [cost.rows.len(), cost.wholes.len(), cost.functions.len()];
    let [kernels, wholes, functions] = counts;
    println!(
        "measured {kernels} kernels, {wholes} as a whole, and {functions} functions in `{}`",
        args.out
    );
    Ok(ExitCode::SUCCESS)
}

/// The kernels of `registry`, each before those of its variants that `declared` has.
fn kernels(registry: &Registry, declared: &Bench) -> Result<Vec<Kernel>> {
    let known = |name: &str| registry.kernels.iter().any(|kernel| kernel.name == name);
    if let Some(variant) = declared.variants.iter().find(|variant| !known(&variant.kernel)) {
        let name = &variant.kernel;
        return Err(UsageError(format!("`ci/bench.toml`: there is no kernel `{name}`")).into());
    }
    let mut kernels = Vec::new();
    for kernel in registry.kernels {
        kernels.push(*kernel);
        for variant in declared.variants.iter().filter(|variant| variant.kernel == kernel.name) {
            let options = variant.options.iter();
            let options: Vec<_> = options.map(|(name, value)| (name.clone(), value.to_string())).collect();
            kernels.push(kernel.with_options(&options).context("`ci/bench.toml`")?);
        }
    }
    Ok(kernels)
}

/// No measurement, where the device has no room for a plan; any other error.
fn refused<T>(error: anyhow::Error) -> Result<Outcome<T>> {
    match error.downcast_ref::<WorkerError>() {
        Some(WorkerError::Execution(limit @ ExecutionError::Limit { .. })) => Ok(Outcome::Not(limit.to_string())),
        _ => Err(error),
    }
}

fn time(ns: Option<f64>) -> String {
    ns.map_or("–".to_owned(), |ns| format!("{ns:.3}"))
}

fn function_line(row: &FunctionCost) -> String {
    format!(
        "{}: ns an evaluation: frame {:.3}, native {}, exact {:.3}, Rust {:.3}",
        row.function,
        row.frame_ns,
        time(row.native_ns),
        row.exact_ns,
        row.reference_ns
    )
}

fn line(row: &CostRow) -> String {
    format!(
        "{} {}: ns a sample: copy {:.3}, native {}, exact {}, of these the host {}, reference {:.3}",
        row.kernel,
        row.format,
        row.copy_ns,
        time(row.native_ns),
        time(row.exact_ns),
        time(row.host_ns),
        row.reference_ns
    )
}

/// Noise over all codes, or from 0 to 1.
fn noise(shape: &ClipShape, clips: usize, frames: usize) -> Result<Input> {
    let mut state = 1_u64;
    let mut noise = || {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 40) as u32
    };
    let depth = shape.format.depth;
    let mut plane = |plane: &PlaneShape| {
        let samples = plane.bytes() / depth.bytes();
        let bytes: Vec<u8> = match depth.max_code() {
            None => (0..samples)
                .flat_map(|_| (noise() as f32 / (1 << 24) as f32).to_le_bytes())
                .collect(),
            Some(max) => (0..samples)
                .flat_map(|_| (noise() & max).to_le_bytes().into_iter().take(depth.bytes()))
                .collect(),
        };
        Plane::new(*plane, depth, bytes)
    };
    let mut frame = || -> Result<Frame> {
        let planes = shape.planes.iter().map(&mut plane).collect::<Result<_, _>>()?;
        Ok(Frame { planes })
    };
    let mut clip = || -> Result<Clip> {
        let frames = (0..frames).map(|_| frame()).collect::<Result<_>>()?;
        Ok(Clip::new(shape.clone(), frames)?)
    };
    let clips = (0..clips).map(|_| clip()).collect::<Result<_>>()?;
    Ok(Input::new(clips)?)
}

/// The reference's time for the input on one core.
fn reference(kernel: &Kernel, input: &Input) -> Result<Duration> {
    let mut times: Vec<Duration> = Vec::new();
    while times.len() < REFERENCE_RUNS && times.iter().sum::<Duration>() < REFERENCE_TIME {
        let started = Instant::now();
        std::hint::black_box(kernel.compute(input)?);
        times.push(started.elapsed());
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::*;

    #[test]
    fn noise_is_within_its_depth() {
        for depth in Depth::ALL {
            let shape = ClipShape::tight(Format::new(Layout::Rgb, depth), 7, 5);
            let input = noise(&shape, 2, 3).unwrap();
            assert_eq!(input.frames(), 3);
            let plane = input.plane(1, 2, 2);
            match depth.max_code() {
                Some(max) => assert!((0..5).flat_map(|y| plane.codes(y)).all(|code| code <= max)),
                None => assert!(
                    (0..5)
                        .flat_map(|y| plane.floats(y))
                        .all(|value| (0.0..1.0).contains(&value))
                ),
            }
        }
    }
}
