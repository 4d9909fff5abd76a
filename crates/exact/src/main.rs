//! Runs functions of isobit-exact on one adapter, bit for bit against Rust: what `cargo xtask exact` starts for each lane,
//! with the environment that shows it one driver. Prints one line a function.
//!
//! Exit codes: 0 all equal, 1 at least one result differs, 2 nothing trustworthy was compared.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use isobit::execution::AdapterRequest;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit_exact::check::{Batch, Operands, Outcome};
use isobit_exact::functions::{self, Function};
use isobit_wgpu::Executor;

/// Evaluations of one run of a plan: 32 MiB for two operands of 64 bits.
const BATCH: u64 = 1 << 21;
/// Evaluations of a run of a mutant, which is there to prove that a wrong bit shows.
const MUTANT: usize = 1 << 16;

/// Run functions of isobit-exact on one adapter against Rust
#[derive(Debug, Parser)]
struct Args {
    /// The adapter, as JSON
    #[arg(long)]
    adapter: String,
    /// The name of the lane in what is printed
    #[arg(long)]
    lane: String,
    /// Seconds that one run of a plan may take
    #[arg(long)]
    timeout: u64,
    /// Random operands of each function
    #[arg(long)]
    random: u64,
    /// Every operand instead of random ones
    #[arg(long)]
    exhaustive: bool,
    /// The functions; all where none is named
    functions: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(different) => {
            anstream::eprintln!("error: {different} of the functions differ from Rust");
            ExitCode::from(1)
        }
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The number of functions that differ.
fn run(args: &Args) -> Result<usize> {
    let request: AdapterRequest =
        serde_json::from_str(&args.adapter).context("`--adapter` holds no request for an adapter")?;
    let mut bench = Bench {
        executor: Executor::open(&request)
            .with_context(|| format!("cannot open the adapter of lane `{}`", args.lane))?,
        input: nothing()?,
        limit: Duration::from_secs(args.timeout),
    };
    let functions = select(&args.functions)?;
    let mut different = 0;
    for function in functions {
        let started = Instant::now();
        let outcome = check(args, &mut bench, function)
            .with_context(|| format!("`{}` on lane `{}`", function.name, args.lane))?;
        let verdict = if outcome.mismatches == 0 { "OK" } else { "FAIL" };
        anstream::println!(
            "{:<12} {:<28} {:>4}  {} compared, {} outside its domain, {} differ, {:.1} s",
            args.lane,
            function.name,
            verdict,
            outcome.compared,
            outcome.skipped,
            outcome.mismatches,
            started.elapsed().as_secs_f64()
        );
        if let Some(first) = &outcome.first {
            anstream::println!("    {first}");
        }
        different += usize::from(outcome.mismatches > 0);
    }
    Ok(different)
}

fn select(names: &[String]) -> Result<Vec<&'static Function>> {
    if names.is_empty() {
        return Ok(functions::all().collect());
    }
    let find = |name: &String| {
        functions::all()
            .find(|function| function.name == name)
            .with_context(|| format!("no function is named `{name}`"))
    };
    names.iter().map(find).collect()
}

/// Compares one function: special values and random ones, or all that there are, then a mutant.
fn check(args: &Args, bench: &mut Bench, function: &'static Function) -> Result<Outcome> {
    let total = if args.exhaustive {
        function
            .every_operand()
            .with_context(|| "it has too many operands to try them all")?
    } else {
        args.random
    };
    let bar = ProgressBar::new(total).with_style(ProgressStyle::with_template(
        "{prefix} [{bar:40}] {percent:>3}% {eta:>4} left",
    )?);
    bar.set_prefix(format!("{} {}", args.lane, function.name));

    let specials = Batch::new(function, Operands::special(function));
    let mut outcome = bench.judge(&specials, false)?;
    let mut random = Operands::random(function, 2);
    let mut done = 0;
    while done < total {
        let count = BATCH.min(total - done);
        let batch = if args.exhaustive {
            Batch::new(function, (done..done + count).map(|word| [word, 0, 0]))
        } else {
            Batch::new(function, random.by_ref().take(count as usize))
        };
        outcome.absorb(bench.judge(&batch, false)?);
        done += count;
        bar.set_position(done);
    }
    bar.finish_and_clear();
    if outcome.compared == 0 {
        bail!("no operand lies in its domain");
    }

    let mutant = Batch::new(function, Operands::random(function, 3).take(MUTANT));
    let sound = bench.judge(&mutant, false)?;
    let disturbed = bench.judge(&mutant, true)?;
    let expected = mutant.disturbances();
    if sound.mismatches == 0 && (disturbed.mismatches != expected || expected == 0) {
        bail!(
            "a mutant with {expected} wrong bits shows {}: the comparison is blind",
            disturbed.mismatches
        );
    }
    Ok(outcome)
}

/// An adapter, and what every plan gets.
struct Bench {
    executor: Executor,
    input: Input,
    limit: Duration,
}

impl Bench {
    fn judge(&mut self, batch: &Batch, disturbed: bool) -> Result<Outcome> {
        if batch.is_empty() {
            return Ok(batch.judge(&[]));
        }
        let plan = batch.plan(disturbed)?;
        let execution = self.executor.run(&plan, &self.input, self.limit)?;
        if let Some(fault) = execution.faults.first() {
            bail!("the device left a fault behind: {fault:?}");
        }
        let frame = execution.frames.first().context("nothing came back")?;
        Ok(batch.judge(&frame.u32s("results")?))
    }
}

/// One frame of one sample: the plans bring their operands along.
fn nothing() -> Result<Input> {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 1, 1);
    let plane = Plane::new(shape.planes[0], Depth::U8, vec![0])?;
    let clip = Clip::new(shape, vec![Frame { planes: vec![plane] }])?;
    Ok(Input::new(vec![clip])?)
}
