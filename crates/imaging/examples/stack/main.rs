//! Stacks pictures of one scene: the sharpest of them, aligned by sub-pixel shifts and averaged.
//!
//! ```text
//! cargo run --release -p imaging --example stack -- IMAGES… --out stacked.png --backend auto
//! ```

mod backend;
mod read;
mod write;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use isobit::output::{Output, Values};

/// Stacks PNG and FITS pictures of one scene: ranks them by sharpness, keeps the sharpest, aligns and averages them.
#[derive(Parser)]
#[command(name = "stack")]
struct Args {
    /// PNG of 8 or 16 bits, or FITS; all of one size and kind
    #[arg(required = true, value_name = "IMAGES")]
    images: Vec<PathBuf>,
    /// Where the stack goes, as a PNG of 16 bits
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// `cpu`, `auto`, or a lane of `ci/matrix.toml` such as `lavapipe`
    #[arg(long, default_value = "auto")]
    backend: String,
    /// `exact` for the reference's bits on every backend, `native` for the device's own arithmetic
    #[arg(long, default_value = "exact", value_parser = ["exact", "native"])]
    twin: String,
    /// The part of the pictures that is kept
    #[arg(long, default_value_t = 0.5)]
    keep: f64,
    /// Treats grey pictures as RGGB colour-filter samples
    #[arg(long)]
    bayer: bool,
    /// Prints which pass ran where
    #[arg(long)]
    receipt: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!(
            "cannot write `{}`: there is no folder `{}`",
            args.out.display(),
            folder.display()
        );
    }
    let keep = ("keep".to_owned(), args.keep.to_string());
    let normalise = ("normalise".to_owned(), "true".to_owned());
    let kernel = imaging::stack::KERNEL.with_options(&[keep, normalise])?;
    let input = read::clip(&args.images, args.bayer)?;
    let mut opened = backend::open(&args.backend)?;

    let waiting = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg} {elapsed}")?);
    waiting.set_message(format!("stacking {} pictures", input.frames()));
    waiting.enable_steady_tick(Duration::from_millis(100));
    let ran = opened.run(&kernel, &args.twin, &input);
    waiting.finish_and_clear();
    let (outputs, receipt) = ran.with_context(|| format!("cannot stack on backend `{}`", args.backend))?;

    let of = |name: &'static str| outputs.iter().filter(move |output| output.metric.starts_with(name));
    let ranks: Vec<f64> = of("rank").map(number).collect();
    let kept = (args.keep * ranks.len() as f64).ceil().max(1.0) as usize;
    for ((path, rank), (x, y)) in args.images.iter().zip(&ranks).zip(of("shift_x").zip(of("shift_y"))) {
        let (x, y) = (number(x) / 16.0, number(y) / 16.0);
        let place = *rank as usize + 1;
        let fate = if place <= kept {
            format!("shifted by {x:+.3}, {y:+.3}")
        } else {
            "left out".to_owned()
        };
        println!("{place:>4}  {}  {fate}", path.display());
    }
    if args.receipt {
        println!("{receipt}");
    }
    let planes: Vec<&Output> = of("stacked").collect();
    write::png(&args.out, &planes)?;
    println!(
        "wrote {}: {} of {} pictures",
        args.out.display(),
        kept.min(ranks.len()),
        ranks.len()
    );
    Ok(())
}

/// The one number of a score.
fn number(output: &Output) -> f64 {
    match &output.values {
        values @ (Values::F32(_) | Values::F64(_) | Values::U32(_) | Values::U64(_)) if !values.is_empty() => {
            values.get(0).as_f64()
        }
        _ => f64::NAN,
    }
}
