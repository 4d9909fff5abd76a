//! The report model: what a run found. Renderers and exit codes derive from it and from nothing else.

use std::collections::BTreeMap;
use std::fmt;

use isobit::compare::Comparison;
use isobit::execution::{AdapterFacts, BufferFault};
use isobit::format::Format;
use isobit::stage::Divergence;
use isobit::work::StepReceipt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::args::Image;
use crate::shard::Shard;

/// The version of the JSON form of [`Report`]; grows with every change that a reader could notice.
pub const SCHEMA_VERSION: u32 = 6;

/// What a run found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The version of this form.
    pub schema_version: u32,
    /// The version of Isobit that wrote it.
    pub isobit_version: String,
    /// The commit of the workspace, `-dirty` appended where files differ from it; absent outside a repository.
    pub commit: Option<String>,
    /// The machine that ran; several where shards ran on several.
    pub hosts: Vec<Host>,
    /// The hash of the manifest: the list of expected cells. Of all of it for a shard too.
    pub manifest: String,
    /// The hash of what cells are judged by: the files under `ci/`, and the lanes that were held exact.
    pub configuration: String,
    /// For each fixture of the manifest the hash of its bytes in all formats.
    pub fixtures: BTreeMap<String, String>,
    /// Which part of the manifest this is; absent for all of it.
    pub shard: Option<ShardReport>,
    /// Why the run ended before its last cell; absent where it did not.
    pub interrupted: Option<String>,
    /// The lanes, in the order of the configuration.
    pub lanes: Vec<LaneReport>,
    /// Every expected cell, in the order of the manifest.
    pub cells: Vec<CellReport>,
    /// Faults of the run that belong to no cell, such as an expectation that matched nothing; each makes the run red.
    pub faults: Vec<String>,
    /// Where the time went.
    pub timing: RunTiming,
}

/// The JSON Schema of [`Report`].
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Report).to_value()
}

/// What a part of a manifest says of the whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShardReport {
    /// Which part.
    pub part: Shard,
    /// How many cells the manifest has.
    pub total: usize,
    /// The hash of the names of all of them.
    pub names: String,
    /// Where each cell stands in the manifest, from 0.
    pub places: Vec<usize>,
    /// The expectations that speak of its cells: only all shards together tell whether one is unused.
    pub expectations: Vec<Spoken>,
}

/// A known deviation that speaks of cells which a run had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spoken {
    /// Its place in `ci/expectations.toml`, from 0.
    pub place: usize,
    /// Whether one of the cells showed it, or showed that it is gone.
    pub shown: bool,
    /// The fault of the run where none did.
    pub fault: String,
}

/// The machine that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Operating system.
    pub os: String,
    /// Architecture.
    pub arch: String,
    /// Model of the CPU, as the system names it.
    pub cpu: String,
    /// Logical processors.
    pub cores: usize,
}

/// What is known of a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaneReport {
    /// Name of the lane.
    pub name: String,
    /// How its driver was provided: `host`, `user`, `system`, or the engine of its container.
    pub environment: String,
    /// The driver manifest that its worker was confined to; absent for the system's own choice.
    pub icd: Option<String>,
    /// The image of the container that its worker ran in; absent where it ran on the machine itself.
    pub image: Option<Image>,
    /// The adapter that ran; absent where none could be opened.
    pub adapter: Option<AdapterFacts>,
    /// What the probes found.
    pub probes: Vec<ProbeReport>,
    /// Why the lane as a whole could not be used.
    pub error: Option<String>,
    /// Why this machine was declared unable to run the lane, so that all of its cells were skipped; absent where it ran.
    pub left_out: Option<String>,
    /// How often its worker had to be started again.
    pub restarts: u32,
}

/// What a probe found about an adapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeReport {
    /// Name of the probe.
    pub name: String,
    /// What it found, in a few words.
    pub finding: String,
    /// Whether the finding makes every cell of the lane untrustworthy.
    pub broken: bool,
}

/// The state of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Every element of every metric is within tolerance.
    Ok,
    /// The fixture or the lane cannot exercise the cell, for a declared reason.
    Skip,
    /// A known deviation, declared as an expectation.
    Xfail,
    /// An expectation that no longer matches.
    Xpass,
    /// At least one element is outside its tolerance.
    Fail,
    /// Nothing trustworthy was compared.
    Error,
}

impl Status {
    /// The word that reports print.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Skip => "SKIP",
            Self::Xfail => "XFAIL",
            Self::Xpass => "XPASS",
            Self::Fail => "FAIL",
            Self::Error => "ERROR",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What ran a cell, so that a cell can be judged apart from its report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RanOn {
    /// Name of the adapter.
    pub adapter: String,
    /// Name of the driver.
    pub driver: String,
    /// Version of the driver, as it prints it.
    pub driver_info: String,
    /// The shader compiler in front of the driver, with its version.
    pub compiler: String,
}

impl From<&AdapterFacts> for RanOn {
    fn from(facts: &AdapterFacts) -> Self {
        Self {
            adapter: facts.name.clone(),
            driver: facts.driver.clone(),
            driver_info: facts.driver_info.clone(),
            compiler: facts.compiler.clone(),
        }
    }
}

/// What was found in one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellReport {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the twin.
    pub twin: String,
    /// Whether this is a control: a broken twin that must differ for its own reason.
    pub control: bool,
    /// Layout and depth.
    #[schemars(with = "String")]
    pub format: Format,
    /// Name of the fixture, or the path of a clip.
    pub fixture: String,
    /// Name of the lane.
    pub lane: String,
    /// The adapter, the driver and the compiler that ran it; absent where none could be opened.
    pub ran_on: Option<RanOn>,
    /// The state.
    pub status: Status,
    /// Why, for every state but `OK`.
    pub reason: Option<String>,
    /// What was compared, one entry a metric and rule.
    pub checks: Vec<Check>,
    /// The values of scalar metrics, frame by frame.
    pub scores: Vec<Score>,
    /// What was found in the buffers around and behind the values.
    pub faults: Vec<BufferFault>,
    /// Which step ran where; empty where the twin is one plan a frame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub receipt: Vec<StepReceipt>,
    /// What comparing the intermediate results found; absent where the cell is not red or its twin declares none.
    pub stage: Option<StageFinding>,
    /// Where the time went.
    pub timing: CellTiming,
}

/// What comparing the intermediate results of the first red frame found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StageFinding {
    /// The first stage whose bits differ.
    Differs(Divergence),
    /// All stages of the frame are equal: what differs is formed behind them.
    Equal {
        /// Index of the frame.
        frame: usize,
    },
    /// They could not be compared.
    Failed {
        /// Why.
        reason: String,
    },
}

/// The name of the cell, such as `psnr/exact yuv420-10 scene lavapipe`.
impl fmt::Display for CellReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kernel,
            twin,
            format,
            fixture,
            lane,
            ..
        } = self;
        f.pad(&format!("{kernel}/{twin} {format} {fixture} {lane}"))
    }
}

/// One metric under one rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Name of the metric.
    pub metric: String,
    /// The rule, in words.
    pub tolerance: String,
    /// Where the rule comes from, such as `exact:0003`, `gate`, `calibrated:<pattern>` or `held-exact`.
    pub source: String,
    /// What the comparison found.
    pub comparison: Comparison,
}

/// A scalar metric of one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Name of the metric.
    pub metric: String,
    /// Index of the frame.
    pub frame: usize,
    /// The reference's value with 17 significant digits.
    pub reference: String,
    /// The twin's value with 17 significant digits.
    pub twin: String,
}

/// Wall time of one cell in milliseconds; the reference is computed once for all lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellTiming {
    /// Fixture and reference; nothing where another lane had them made.
    pub reference_ms: f64,
    /// Validation and pipeline creation.
    pub pipelines_ms: f64,
    /// Upload, dispatches and read-back.
    pub device_ms: f64,
    /// Transfer between the processes, and waiting.
    pub transfer_ms: f64,
    /// The host's finish and the comparison.
    pub compare_ms: f64,
}

impl CellTiming {
    /// All of it.
    pub fn total_ms(&self) -> f64 {
        let Self {
            reference_ms,
            pipelines_ms,
            device_ms,
            transfer_ms,
            compare_ms,
        } = self;
        reference_ms + pipelines_ms + device_ms + transfer_ms + compare_ms
    }
}

/// Wall time of a run in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunTiming {
    /// From start to verdict.
    pub total_ms: f64,
    /// The longest time that a lane took to open its device and run its probes.
    pub lanes_ms: f64,
}
