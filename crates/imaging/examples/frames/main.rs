//! Paints pictures of a night sky to try the example `stack` on: stars that drift and blur from one to the next, and noise.
//!
//! ```text
//! cargo run --release -p imaging --example frames -- --count 16 --out frames
//! ```

mod sky;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Parser;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use sky::Sky;

/// Paints PNG pictures of a night sky that drifts and blurs from one to the next, for the example `stack`
#[derive(Parser)]
#[command(name = "frames")]
struct Args {
    /// How many pictures
    #[arg(long, default_value_t = 16, value_parser = RangedU64ValueParser::<u32>::new().range(1..=9999))]
    count: u32,
    /// The folder they go to, which is made if need be: frame_0000.png and on
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Columns and rows of a picture
    #[arg(long, default_value_t = 256, value_parser = RangedU64ValueParser::<u32>::new().range(1..=2048))]
    side: u32,
    /// Standard deviation of the noise, 1 the white
    #[arg(long, default_value_t = 0.04, value_parser = at_least_zero)]
    noise: f64,
    /// How far a picture is moved at most in each direction, in samples
    #[arg(long, default_value_t = 8.0, value_parser = at_least_zero)]
    drift: f64,
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

fn at_least_zero(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "a finite number of at least 0 is wanted".to_owned())
}

fn run(args: &Args) -> Result<()> {
    let sky = Sky {
        width: args.side,
        height: args.side,
        noise: args.noise,
        drift: args.drift,
        seeing: [1.8, 2.6],
    };
    fs::create_dir_all(&args.out).map_err(|error| {
        let folder = args.out.display();
        anyhow!("cannot make the folder `{folder}`: {error}\nhint: --out another folder")
    })?;
    let style = ProgressStyle::with_template("painting {wide_bar} {pos}/{len}")?;
    let progress = ProgressBar::new(args.count.into()).with_style(style);
    for frame in 0..args.count {
        let path = args.out.join(format!("frame_{frame:04}.png"));
        let written = sky.write(&path, &sky.frame(frame));
        written.map_err(|error| anyhow!("cannot write `{}`: {error}\nhint: --out another folder", path.display()))?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    println!(
        "painted {} pictures of {side}x{side}, now stack them:\n{}",
        args.count,
        command(&args.out),
        side = args.side
    );
    Ok(())
}

/// What stacks the pictures of a folder.
fn command(folder: &Path) -> String {
    format!(
        "    cargo run --release -p imaging --example stack -- {}/frame_*.png --out stacked.png",
        folder.display()
    )
}
