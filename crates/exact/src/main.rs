//! Runs functions of isobit-exact on one adapter, bit for bit against Rust, or Rust's shared math against doubles: what
//! `cargo xtask exact` starts for each lane, with the environment that shows it one driver. It can be started by hand in
//! such an environment as well. Prints one line a function, and a summary.
//!
//! Exit codes: 0 all equal, 1 at least one result differs, 2 nothing trustworthy was compared for at least one function.

mod device;
mod doubles;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use isobit::execution::AdapterRequest;
use isobit_exact::functions::{self, Function};

use crate::device::Bench;

/// Run functions of isobit-exact on one adapter against Rust
#[derive(Debug, Parser)]
#[command(
    after_help = "The environment has to show one driver: VK_DRIVER_FILES and VK_ICD_FILENAMES name its manifest, \
                        LD_LIBRARY_PATH the folders of its libraries."
)]
struct Args {
    /// The adapter, as JSON: {"backend":"vulkan","kinds":["cpu"],"name":"llvmpipe*","driver":"llvmpipe"}
    #[arg(long, required_unless_present = "rust")]
    adapter: Option<String>,
    /// Hold the shared math in Rust to its documented error instead, measured from doubles; uses no adapter
    #[arg(long, conflicts_with = "adapter")]
    rust: bool,
    /// The name of the lane in what is printed
    #[arg(long, default_value = "device", default_value_if("rust", "true", "rust"))]
    lane: String,
    /// Seconds that one run of a plan may take
    #[arg(long, default_value_t = 120)]
    timeout: u64,
    /// Random operands of each function, beside all combinations of special values
    #[arg(long, default_value_t = 1 << 24)]
    random: u64,
    /// Every operand instead of random ones, of the functions that have one operand of at most 32 bits
    #[arg(long)]
    exhaustive: bool,
    /// Skip the functions before this one: continues a run that was cut short
    #[arg(long, value_name = "FUNCTION")]
    from: Option<String>,
    /// The functions, by name or by a pattern with `*` and `?`; all where none is named
    functions: Vec<String>,
}

/// What is known of one function.
struct Verdict {
    /// What was compared, in words.
    text: String,
    /// Results compared.
    compared: u64,
    /// Why it is not as it should be.
    fault: Option<String>,
}

/// Functions by how they ended.
#[derive(Default)]
struct Tally {
    equal: usize,
    different: usize,
    broken: usize,
    compared: u64,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(tally) if tally.broken > 0 => ExitCode::from(2),
        Ok(tally) if tally.different > 0 => ExitCode::from(1),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<Tally> {
    let functions = functions::select(&args.functions, args.from.as_deref(), args.exhaustive)?;
    let began = Instant::now();
    let mut tally = Tally::default();
    if args.rust {
        let functions: Vec<_> = functions.into_iter().filter(|f| doubles::exact(f).is_some()).collect();
        for function in functions {
            report(args, &mut tally, function, |bar| {
                doubles::hold(function, args.random, args.exhaustive, bar)
            })?;
        }
    } else {
        let adapter = args.adapter.as_deref().unwrap_or_default();
        let request: AdapterRequest =
            serde_json::from_str(adapter).context("`--adapter` holds no request for an adapter")?;
        let mut bench = Bench::open(&request, Duration::from_secs(args.timeout))
            .with_context(|| format!("cannot open the adapter of lane `{}`", args.lane))?;
        anstream::println!("{:<12} {}", args.lane, bench.adapter());
        for function in functions {
            let sound = report(args, &mut tally, function, |bar| {
                bench.hold(function, args.random, args.exhaustive, bar)
            })?;
            // An error may have left the device unusable.
            if !sound {
                bench = Bench::open(&request, Duration::from_secs(args.timeout))
                    .with_context(|| format!("cannot open the adapter of lane `{}` again", args.lane))?;
            }
        }
    }
    let Tally {
        equal,
        different,
        broken,
        compared,
    } = tally;
    anstream::println!(
        "{:<12} {} functions: {equal} as in Rust, {different} not, {broken} without a verdict; {compared} results in {:.0} s",
        args.lane,
        equal + different + broken,
        began.elapsed().as_secs_f64()
    );
    if equal + different + broken == 0 {
        anyhow::bail!("none of the functions can be held to anything on lane `{}`", args.lane);
    }
    Ok(tally)
}

/// Holds one function and prints what came of it; false after an error.
fn report(
    args: &Args,
    tally: &mut Tally,
    function: &'static Function,
    hold: impl FnOnce(&ProgressBar) -> Result<Verdict>,
) -> Result<bool> {
    let total = if args.exhaustive {
        function.every_operand().unwrap_or(args.random)
    } else {
        args.random
    };
    let style = ProgressStyle::with_template("{prefix} [{bar:40}] {percent:>3}% {eta:>4} left")?;
    let bar = ProgressBar::new(total).with_style(style);
    bar.set_prefix(format!("{} {}", args.lane, function.name));
    let began = Instant::now();
    let held = hold(&bar);
    bar.finish_and_clear();
    let seconds = began.elapsed().as_secs_f64();
    let line = |word: &str, text: &str| {
        anstream::println!(
            "{:<12} {:<28} {word:>5}  {text}, {seconds:.1} s",
            args.lane,
            function.name
        );
    };
    match held {
        Ok(verdict) => {
            tally.compared += verdict.compared;
            line(if verdict.fault.is_none() { "OK" } else { "FAIL" }, &verdict.text);
            match verdict.fault {
                None => tally.equal += 1,
                Some(fault) => {
                    tally.different += 1;
                    anstream::println!("    {fault}");
                }
            }
            Ok(true)
        }
        Err(error) => {
            tally.broken += 1;
            line("ERROR", &format!("{error:#}"));
            Ok(false)
        }
    }
}
