//! The arguments of a parity run and of a merge, shared by the driver that a person calls and the runner that it starts.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};
use isobit::format::{Depth, Format, Layout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shard::Shard;

/// What to run and where to write.
#[derive(Clone, Debug, Default, Args)]
pub struct RunArgs {
    /// Run the full matrix instead of the quick set
    #[arg(long)]
    pub matrix: bool,
    /// Run a separate grid of large fixtures in place of the matrix: 8k (8192x4320)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["matrix", "clip"])]
    pub grid: Option<String>,
    /// Only these kernels
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub kernels: Vec<String>,
    /// Run the named kernels with an option set, such as `motion_five_frame_window=true`; repeat it for several
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "kernels", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Only these bit depths: 8, 10, 12, 16, f32
    #[arg(long, value_name = "DEPTH", value_delimiter = ',')]
    pub depths: Vec<Depth>,
    /// Only these layouts: yuv420, yuv422, yuv444, rgb, mono, bayer
    #[arg(long, value_name = "LAYOUT", value_delimiter = ',')]
    pub layouts: Vec<Layout>,
    /// Only these lanes; without it, the lanes that `ci/matrix.toml` runs by default
    #[arg(long, value_name = "LANE", value_delimiter = ',')]
    pub lanes: Vec<String>,
    /// Run the lanes on the drivers of this machine (`host`), in a shell of the flake (`nix`), or those of containers
    /// (`docker`)
    #[arg(long, value_name = "WHERE", default_value = "host", hide_possible_values = true)]
    pub env: Environment,
    /// Only the containers of these Debian releases
    #[arg(long = "release", value_name = "NAME", value_delimiter = ',')]
    pub releases: Vec<String>,
    /// Only these fixtures
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub fixtures: Vec<String>,
    /// Compare these lanes at tolerance 0, whatever the gate entry says
    #[arg(long, value_name = "LANE", value_delimiter = ',')]
    pub hold_exact: Vec<String>,
    /// Compare the intermediate results that twins declare in every cell, not in red ones alone
    #[arg(long)]
    pub stages: bool,
    /// Run on your own clips instead of the fixtures: one file, or a reference and a distorted one (Y4M, PNG, raw)
    #[arg(long, value_name = "FILE", num_args = 1..=2)]
    pub clip: Vec<Utf8PathBuf>,
    /// Size of raw clips, such as 1920x1080
    #[arg(long, value_name = "WxH", requires = "clip")]
    pub size: Option<String>,
    /// Format of raw clips, such as yuv420-10
    #[arg(long, value_name = "FORMAT", requires = "clip")]
    pub format: Option<Format>,
    /// Only one of several parts of about the same cost; `parity merge` joins their reports
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Print the cells that would run, and run nothing
    #[arg(long)]
    pub list: bool,
    /// Write the measured rows of listed twins, each that is green throughout, to `ci/records.d/`
    #[arg(long)]
    pub record: bool,
    /// Run only the rows whose record is missing or stale
    #[arg(long, requires = "record")]
    pub stale: bool,
    /// Write how long cells took to `ci/shards.toml` after a full run, for the balance of shards
    #[arg(long)]
    pub record_costs: bool,
    /// Where the reports go.
    #[command(flatten)]
    pub out: OutArgs,
    /// Seconds that one cell may take before its worker is ended [default: the lane's, or more on a crowded CPU]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
    /// Worker processes a lane
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("an option is a name and a value with `=` between")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Where to write the reports.
#[derive(Clone, Debug, Default, Args)]
pub struct OutArgs {
    /// Write the JSON report here [default: target/isobit/report.json]
    #[arg(long, value_name = "FILE")]
    pub json_out: Option<Utf8PathBuf>,
    /// Write the Markdown report here [default: target/isobit/report.md]
    #[arg(long, value_name = "FILE")]
    pub md_out: Option<Utf8PathBuf>,
    /// Write a JUnit report here
    #[arg(long, value_name = "FILE")]
    pub junit_out: Option<Utf8PathBuf>,
    /// Write an HTML report, a page of its own, here
    #[arg(long, value_name = "FILE")]
    pub html_out: Option<Utf8PathBuf>,
}

/// What to merge and where to write.
#[derive(Clone, Debug, Default, Args)]
pub struct MergeArgs {
    /// The JSON reports of all shards of one run, in any order
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<Utf8PathBuf>,
    /// Where the reports go.
    #[command(flatten)]
    pub out: OutArgs,
}

/// A driver that has been provided for a lane, handed to the runner as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Driver {
    /// Its name, as `driver` in `ci/matrix.toml` asks for it.
    pub name: String,
    /// How it was provided: `host`, `user`, `nix`, or the engine of its container.
    pub environment: String,
    /// The driver manifest that a worker is confined to; inside the container where there is one.
    pub icd: Utf8PathBuf,
    /// Folders in which the driver and the loader find their libraries, before the system's.
    pub libraries: Vec<Utf8PathBuf>,
    /// The container that workers run in; absent where they run on the machine itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<Container>,
}

/// The variable with the path of a file that lists, as JSON, the drivers that `cargo xtask test` provided for the tests.
pub const TEST_DRIVERS: &str = "ISOBIT_TEST_DRIVERS";

/// No drivers were provided for the tests.
#[derive(Debug, thiserror::Error)]
#[error("{reason}\nhint: run the tests with `cargo xtask test`")]
pub struct NoTestDrivers {
    reason: String,
}

impl Driver {
    /// The drivers that were provided for the tests.
    ///
    /// # Errors
    /// Where [`TEST_DRIVERS`] names no list of drivers.
    pub fn of_tests() -> Result<Vec<Self>, NoTestDrivers> {
        let because = |reason: String| NoTestDrivers { reason };
        let path = std::env::var(TEST_DRIVERS).map_err(|error| because(format!("read `{TEST_DRIVERS}`: {error}")))?;
        let json = std::fs::read_to_string(&path).map_err(|error| because(format!("read `{path}`: {error}")))?;
        serde_json::from_str(&json).map_err(|error| because(format!("parse `{path}`: {error}")))
    }
}

/// What a lane's workers are started in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Container {
    /// The engine's program: `docker` or `podman`.
    pub engine: String,
    /// The image that holds the driver.
    pub image: Image,
    /// The image that is started: the driver's with the runner on top, as `parity` in its search path.
    pub runner: String,
    /// The volume in which the driver keeps compiled shaders.
    pub cache: String,
}

/// An image that holds a driver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Image {
    /// Its name and tag.
    pub name: String,
    /// The hash by which the engine knows it.
    pub id: String,
    /// The packages that make the driver, each with its version, such as `mesa-vulkan-drivers=25.0.7-2`.
    pub packages: Vec<String>,
}

/// Where the drivers of a run come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Environment {
    /// The drivers of this machine, installed or unpacked
    #[default]
    Host,
    /// A shell of the flake
    Nix,
    /// Containers, one for each driver and Debian release
    Docker,
}
