//! Stacks pictures of one scene: the sharpest of them, aligned by sub-pixel shifts and averaged.
//!
//! ```text
//! cargo run --release -p imaging --example stack -- IMAGES… --out stacked.png --backend auto
//! ```

mod backend;
mod read;
mod report;
mod write;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use isobit::frame::ClipShape;
use isobit::kernel::Kernel;
use isobit::output::Output;

/// Stacks PNG and FITS pictures of one scene: ranks them by sharpness, keeps the sharpest, aligns and averages them
#[derive(Parser)]
#[command(name = "stack", after_help = EXAMPLES)]
struct Args {
    /// PNG of 8 or 16 bits, or FITS; two or more, all of one size and kind
    #[arg(required = true, value_name = "IMAGES")]
    images: Vec<PathBuf>,
    /// Where the stack goes, as a PNG of 16 bits; a file that is there is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// `cpu`; `auto` for a GPU if there is one, else the CPU; or a lane of `ci/matrix.toml` such as `lavapipe`
    #[arg(long, default_value = "auto")]
    backend: String,
    /// `exact` for the same bits on every backend, `native` for the device's own arithmetic, which is faster
    #[arg(long, default_value = "exact", value_parser = ["exact", "native"])]
    twin: String,
    /// The part of the pictures that is kept, from 0 to 1: at least one
    #[arg(long, default_value_t = 0.5)]
    keep: f64,
    /// Takes grey pictures for RGGB colour-filter samples; the stack then has colours. The pattern begins with the first row
    /// that the file stores: the top one of a PNG, the lowest of FITS
    #[arg(long)]
    bayer: bool,
    /// Prints which pass ran where
    #[arg(long)]
    receipt: bool,
}

const EXAMPLES: &str = "\
Without pictures of your own, paint some:

    cargo run --release -p imaging --example frames -- --out frames
    cargo run --release -p imaging --example stack -- frames/*.png --out stacked.png";

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
    let keep = ("keep".to_owned(), args.keep.to_string());
    let normalise = ("normalise".to_owned(), "true".to_owned());
    let kernel = imaging::stack::KERNEL.with_options(&[keep, normalise])?;
    if args.images.iter().any(|image| one_file(image, &args.out)) {
        bail!(
            "`{}` is one of the pictures and would be replaced by their stack\nhint: --out stacked.png",
            args.out.display()
        );
    }
    if let [alone] = &args.images[..] {
        bail!(
            "`{}` alone is no stack\nhint: name two pictures or more",
            alone.display()
        );
    }
    let target = write::Target::create(&args.out)?;
    let mut opened = backend::open(&args.backend)?;
    report::print(&backend::description(&opened))?;
    let read::Pictures {
        clip: input,
        lowest_first,
    } = read::clip(&args.images, args.bayer, &|shape| {
        admit(&kernel, shape, args.images.len())
    })?;

    let waiting = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg} {elapsed}")?);
    waiting.set_message(format!("stacking {} pictures", input.frames()));
    waiting.enable_steady_tick(Duration::from_millis(100));
    let ran = opened.run(&kernel, &args.twin, &input);
    waiting.finish_and_clear();
    let (outputs, receipt) = ran.map_err(|error| {
        let error = anyhow::Error::from(error);
        let backend = &args.backend;
        anyhow!("cannot stack on backend `{backend}`: {error:#}\nhint: --backend cpu, or fewer pictures at a time")
    })?;

    let planes: Vec<&Output> = outputs
        .iter()
        .filter(|output| output.metric.starts_with("stacked"))
        .collect();
    target.png(&planes, lowest_first)?;
    let kept = imaging::stack::Settings::of(&kernel.options).kept(input.frames());
    let (mut text, stacked) = report::pictures(&args.images, &outputs, kept, lowest_first);
    if args.receipt {
        text += &format!("{receipt}\n");
    }
    let (out, all) = (args.out.display(), input.frames());
    report::print(&format!("{text}wrote {out}: {stacked} of {all} pictures\n"))
}

/// Whether two paths lead to one file, however they are spelt; a path that leads nowhere leads to no file.
fn one_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether so many pictures of a shape can be stacked.
fn admit(kernel: &Kernel, shape: &ClipShape, pictures: usize) -> Result<()> {
    let Some(reason) = kernel.refusal_of(shape, pictures) else {
        return Ok(());
    };
    match kernel.most_frames(shape) {
        Some(most @ 2..) => {
            bail!("cannot stack so many pictures: {reason}\nhint: stack {most} at a time, then their stacks")
        }
        _ => bail!("cannot stack pictures of this size: {reason}\nhint: crop them first"),
    }
}
