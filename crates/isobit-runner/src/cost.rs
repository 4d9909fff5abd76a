//! `parity bench`: how long the twins of each kernel take on a lane, beside a plain copy and the reference, and how long each
//! shared function takes beside its native counterpart.

mod functions;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use isobit::execution::DeviceKind;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::kernel::{Kernel, Registry};
use isobit::plan::{Plan, Role};
use isobit::work::Work;
use isobit_gate::args::Driver;
use isobit_gate::config::{Config, Lane};
use isobit_gate::cost::{Cost, CostRow, FunctionCost};
use isobit_gate::record::Adapter;
use isobit_report::files::write_whole;

use self::functions::{SUBJECTS, Subject};
use crate::client::Worker;
use crate::host;
use crate::run::UsageError;

/// How long the device may take for one kernel.
const LIMIT: Duration = Duration::from_secs(120);
/// Turns of each plan; odd, so that a median is a measurement.
const ROUNDS: usize = 11;
/// Runs of a reference.
const REFERENCE_RUNS: usize = 3;
/// The frame on a GPU.
const HARDWARE: [u32; 2] = [1920, 1080];
/// The frame on a CPU that plays one.
const SOFTWARE: [u32; 2] = [480, 270];

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Name of the lane
    #[arg(long, value_name = "LANE")]
    lane: String,
    /// Only these kernels, and of the shared functions those that are named too
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    kernels: Vec<String>,
    /// Only these shared functions, and of the kernels those that are named too
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    functions: Vec<String>,
    /// Write the measurements here
    #[arg(long, value_name = "FILE")]
    out: Utf8PathBuf,
}

impl Args {
    /// Whether everything is measured.
    fn all(&self) -> bool {
        self.kernels.is_empty() && self.functions.is_empty()
    }

    fn check(&self, registry: &Registry) -> Result<(), UsageError> {
        let kernel = |name: &&String| registry.kernels.iter().all(|kernel| kernel.name != **name);
        if let Some(name) = self.kernels.iter().find(kernel) {
            return Err(UsageError(format!("there is no kernel `{name}`")));
        }
        let function = |name: &&String| SUBJECTS.iter().all(|subject| subject.name != **name);
        if let Some(name) = self.functions.iter().find(function) {
            return Err(UsageError(format!("no shared function `{name}` is measured")));
        }
        Ok(())
    }
}

/// Measures what `args` asks for.
///
/// # Errors
/// If the lane, a kernel or a function does not exist, the adapter cannot be opened, or a plan does not run.
pub fn bench(registry: &Registry, args: &Args, root: &Utf8Path, drivers: &[Driver]) -> Result<ExitCode> {
    let config = Config::load(root)?;
    let lane = (config.matrix.lanes.iter().find(|lane| lane.name == args.lane))
        .ok_or_else(|| UsageError(format!("`ci/matrix.toml` declares no lane `{}`", args.lane)))?;
    args.check(registry)?;
    let driver = drivers.iter().find(|driver| Some(&driver.name) == lane.driver.as_ref());
    let cache = tempfile::tempdir().context("create a folder for the driver's cache")?;
    let cache = Utf8Path::from_path(cache.path()).context("the temporary folder's path is not UTF-8")?;
    let mut worker = Worker::start(root, lane, driver, cache)?;
    let facts = worker.open(lane, LIMIT)?;
    let size = if facts.kind == DeviceKind::Cpu {
        SOFTWARE
    } else {
        HARDWARE
    };

    let chosen = |kernel: &&Kernel| args.all() || args.kernels.iter().any(|name| name == kernel.name);
    let mut rows = Vec::new();
    for kernel in registry.kernels.iter().filter(chosen) {
        let row = measure(&mut worker, lane, kernel, size).with_context(|| format!("measure `{}`", kernel.name))?;
        if let Some(row) = row {
            eprintln!("{}", line(&row));
            rows.push(row);
        }
    }
    let limit = LIMIT.max(Duration::from_secs(lane.timeout_s));
    let chosen = |subject: &&Subject| args.all() || args.functions.iter().any(|name| name == subject.name);
    let mut functions = Vec::new();
    for subject in SUBJECTS.iter().filter(chosen) {
        let function = subject
            .measure(&mut worker, facts.kind, limit)
            .with_context(|| format!("measure the function `{}`", subject.name))?;
        eprintln!("{}", function_line(&function));
        functions.push(function);
    }
    let cost = Cost {
        lane: lane.name.clone(),
        isobit_version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: host::commit(root),
        rounds: ROUNDS,
        host: host::host(),
        adapter: Adapter::from(&facts),
        rows,
        functions,
    };
    let text = toml::to_string(&cost).context("write the measurements as TOML")?;
    write_whole(&args.out, |file| std::io::Write::write_all(file, text.as_bytes()))?;
    let (kernels, functions) = (cost.rows.len(), cost.functions.len());
    println!("measured {kernels} kernels and {functions} functions in `{}`", args.out);
    Ok(ExitCode::SUCCESS)
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
        "{} {}: ns a sample: copy {:.3}, native {}, exact {}, reference {:.3}",
        row.kernel,
        row.format,
        row.copy_ns,
        time(row.native_ns),
        time(row.exact_ns),
        row.reference_ns
    )
}

/// The costs of one kernel; `None` where it has no format that can be measured.
fn measure(worker: &mut Worker, lane: &Lane, kernel: &Kernel, size: [u32; 2]) -> Result<Option<CostRow>> {
    let Some(shape) = shape(kernel, size) else {
        return Ok(None);
    };
    let input = input(&shape, kernel.clips)?;
    let names: Vec<&str> = kernel.twins.iter().map(|twin| twin.name).collect();
    // A twin of steps or over a clip is not one plan a frame: what it costs is measured where its pipeline is.
    if kernel.twins.iter().any(|twin| !matches!(twin.work, Work::Frame(_))) {
        return Ok(None);
    }
    let mut plans = kernel
        .twins
        .iter()
        .map(|twin| kernel.plans(twin, &shape, 1))
        .collect::<Result<Vec<_>, _>>()?
        .concat();
    let bytes = plans.iter().map(traffic).max().unwrap_or(0);
    plans.push(copy(bytes));
    let limit = LIMIT.max(Duration::from_secs(lane.timeout_s));
    let times = worker.time(&plans, &input, ROUNDS, limit)?;

    let samples: u64 = shape.planes.iter().map(|plane| plane.samples()).sum();
    let each = |time: Duration| time.as_secs_f64() * 1e9 / samples as f64;
    let of = |name: &str| {
        names
            .iter()
            .position(|twin| *twin == name)
            .map(|index| each(times[index]))
    };
    Ok(Some(CostRow {
        kernel: kernel.name.to_owned(),
        format: shape.format.to_string(),
        size: [shape.width, shape.height],
        samples,
        bytes,
        copy_ns: times.last().copied().map_or(f64::NAN, each),
        native_ns: of("native"),
        exact_ns: of("exact"),
        reference_ns: each(reference(kernel, &input)?),
    }))
}

/// The frame that a kernel is measured on: f32 in RGB where it takes that, or else the deepest integers.
fn shape(kernel: &Kernel, [width, height]: [u32; 2]) -> Option<ClipShape> {
    let depths = [Depth::F32, Depth::U16, Depth::U12, Depth::U10, Depth::U8];
    let formats = Layout::ALL
        .into_iter()
        .flat_map(|layout| depths.map(|depth| Format::new(layout, depth)));
    let mut accepted: Vec<Format> = formats.filter(|&format| (kernel.accepts)(format)).collect();
    accepted.sort_by_key(|format| format.depth != Depth::F32);
    let shapes = accepted
        .into_iter()
        .map(|format| ClipShape::tight(format, width, height));
    let mut shapes = shapes.filter(|shape| kernel.refusal(shape).is_none());
    shapes.next()
}

/// Noise over all codes, or from 0 to 1.
fn input(shape: &ClipShape, clips: usize) -> Result<Input> {
    let mut state = 1_u64;
    let mut noise = || {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 40) as u32
    };
    let depth = shape.format.depth;
    let mut clip = || -> Result<Clip> {
        let mut planes = Vec::new();
        for plane in &shape.planes {
            let samples = plane.bytes() / depth.bytes();
            let bytes: Vec<u8> = match depth.max_code() {
                None => (0..samples)
                    .flat_map(|_| (noise() as f32 / (1 << 24) as f32).to_le_bytes())
                    .collect(),
                Some(max) => (0..samples)
                    .flat_map(|_| (noise() & max).to_le_bytes().into_iter().take(depth.bytes()))
                    .collect(),
            };
            planes.push(Plane::new(*plane, depth, bytes)?);
        }
        Ok(Clip::new(shape.clone(), vec![Frame { planes }])?)
    };
    let clips = (0..clips).map(|_| clip()).collect::<Result<Vec<_>>>()?;
    Ok(Input::new(clips)?)
}

/// Bytes that a plan has to read and write at the least: its inputs and outputs, once each, in whole words for each half.
fn traffic(plan: &Plan) -> u64 {
    let moved = plan
        .buffers
        .values()
        .filter(|buffer| matches!(buffer.role, Role::Input { .. } | Role::Output));
    moved.map(|buffer| buffer.bytes).sum::<u64>().next_multiple_of(8)
}

/// A plan that reads half of `bytes` and writes the other half.
fn copy(bytes: u64) -> Plan {
    const COPY: &str = include_str!("copy.wgsl");
    let words = bytes / 8;
    Plan::new(COPY)
        .uniform("copy", &[words as u32, 0, 0, 0])
        .scratch("from", words, 4)
        .output("to", words, 4)
        .dispatch("copy_words", &["copy", "from", "to"], words.div_ceil(64).max(1))
}

/// The reference's time for the input on one core.
fn reference(kernel: &Kernel, input: &Input) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..REFERENCE_RUNS {
        let started = Instant::now();
        std::hint::black_box(kernel.compute(input)?);
        times.push(started.elapsed());
    }
    times.sort_unstable();
    Ok(times[REFERENCE_RUNS / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_within_its_depth() {
        for depth in Depth::ALL {
            let shape = ClipShape::tight(Format::new(Layout::Rgb, depth), 7, 5);
            let input = input(&shape, 2).unwrap();
            let plane = input.plane(1, 0, 2);
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

    #[test]
    fn a_copy_moves_as_much_as_the_twin() {
        let plan = Plan::new("").input("a", 0, 0, 9).output("b", 3, 4).scratch("c", 100, 4);
        assert_eq!(traffic(&plan), 24);
        let copy = copy(traffic(&plan));
        let moved = ["from", "to"].map(|name| copy.buffers[name].bytes);
        assert_eq!(moved, [12, 12]);
    }
}
