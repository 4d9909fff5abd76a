//! What exactness costs, as measured on one machine: a file of `ci/cost.d/` each; and what `ci/bench.toml` asks to be measured
//! besides the kernels. Holds measurements, and no opinion.

use camino::{Utf8Path, Utf8PathBuf};
use isobit::execution::Phases;
use isobit::format::Format;
use serde::{Deserialize, Serialize};

use crate::config::{ConfigError, Variant, read};
use crate::record::Adapter;
use crate::report::Host;

/// The folder of measured costs, seen from the workspace's root.
pub const COSTS: &str = "ci/cost.d";
/// What is measured besides the kernels, seen from the workspace's root.
pub const BENCH: &str = "ci/bench.toml";

/// The costs on one lane of one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Name of the lane.
    pub lane: String,
    /// The version of Isobit that measured.
    pub isobit_version: String,
    /// The commit of the workspace; absent outside a repository.
    pub commit: Option<String>,
    /// Turns of each plan and function, of which the median counts.
    pub rounds: usize,
    /// The machine.
    pub host: Host,
    /// The adapter that ran.
    pub adapter: Adapter,
    /// The rows, in the order of the registry.
    pub rows: Vec<CostRow>,
    /// What could not be measured on the lane.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<Unmeasured>,
    /// Clips that went through a kernel as a whole, in the order of [`BENCH`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wholes: Vec<WholeCost>,
    /// The shared functions, in the order of their table; empty where they are not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionCost>,
}

/// What one kernel costs. Times are in nanoseconds a sample, from the same run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostRow {
    /// Name of the kernel.
    pub kernel: String,
    /// Layout and depth.
    pub format: String,
    /// Columns and rows of a frame.
    pub size: [u32; 2],
    /// Frames of the clip. The reference computes all of them; a twin that works frame by frame is timed over the last.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub frames: usize,
    /// Samples that the twin is timed over, in all planes of one clip: those of a frame, or of all frames where it works on the
    /// clip at once.
    pub samples: u64,
    /// Bytes that a copy moves which reads and writes as much as the twin: its inputs and outputs, in both directions.
    pub bytes: u64,
    /// The plain copy of as many bytes, device to device.
    pub copy_ns: f64,
    /// The native twin; absent where there is none.
    pub native_ns: Option<f64>,
    /// The exact twin; absent where there is none.
    pub exact_ns: Option<f64>,
    /// The part of each twin's time that its steps on the host take; absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_ns: Option<f64>,
    /// The reference on one core of the CPU.
    pub reference_ns: f64,
}

const fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_one(frames: &usize) -> bool {
    *frames == 1
}

impl CostRow {
    /// How many times as long the exact twin takes as the native one.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.exact_ns? / self.native_ns?)
    }

    /// The exact twin's memory bandwidth as a share of the plain copy's.
    pub fn share_of_copy(&self) -> Option<f64> {
        Some(self.copy_ns / self.exact_ns?)
    }

    /// How many times as long the reference takes as the exact twin.
    pub fn gain(&self) -> Option<f64> {
        Some(self.reference_ns / self.exact_ns?)
    }
}

/// What has no row, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unmeasured {
    /// Name of the kernel, or what was to be measured of it.
    pub what: String,
    /// Why it could not be measured.
    pub reason: String,
}

/// What [`BENCH`] holds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bench {
    /// Kernels with options set, measured beside those without.
    #[serde(default, rename = "variant")]
    pub variants: Vec<Variant>,
    /// The clips, in the order of the file.
    #[serde(default, rename = "whole")]
    pub wholes: Vec<Whole>,
}

impl Bench {
    /// Reads [`BENCH`] below `root`; where there is none, nothing is measured but kernels without options.
    ///
    /// # Errors
    /// If it cannot be read, is not TOML, has an unknown field or lacks one.
    pub fn load(root: &Utf8Path) -> Result<Self, ConfigError> {
        read::optional(root, BENCH)
    }
}

/// A clip that goes through a kernel as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Whole {
    /// Name of the kernel.
    pub kernel: String,
    /// Layout and depth.
    pub format: Format,
    /// Columns and rows of a frame.
    pub size: [u32; 2],
    /// Frames of the clip.
    pub frames: usize,
}

/// What a clip costs from upload to result. Times are in milliseconds, from the same run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeCost {
    /// Name of the kernel.
    pub kernel: String,
    /// Layout and depth.
    pub format: String,
    /// Columns and rows of a frame.
    pub size: [u32; 2],
    /// Frames of the clip.
    pub frames: usize,
    /// The reference, run once, on one core of the CPU.
    pub reference_ms: f64,
    /// The twins, in the order of the kernel.
    pub twins: Vec<WholeTwin>,
}

/// What a clip costs by one twin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeTwin {
    /// Name of the twin.
    pub twin: String,
    /// How often it ran; the run of median length counts.
    pub rounds: usize,
    /// From the program's memory and back.
    pub phases: Phases,
    /// What the host makes of what the device left.
    pub finish_ms: f64,
}

impl WholeTwin {
    /// From upload to result.
    pub fn total_ms(&self) -> f64 {
        self.phases.total_ms() + self.finish_ms
    }
}

/// What one shared function costs. Times are in nanoseconds an evaluation, from the same run, and contain the loop around the
/// function, whose own time is `frame_ns`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionCost {
    /// Its name in the table of shared functions.
    pub function: String,
    /// The WGSL that a kernel would use which does without exactness; absent where WGSL has nothing alike.
    pub native: Option<String>,
    /// Operands of one evaluation.
    pub operands: usize,
    /// Evaluations of one frame.
    pub evaluations: u64,
    /// The loop alone: operands loaded and changed, results added and stored.
    pub frame_ns: f64,
    /// With the native expression.
    pub native_ns: Option<f64>,
    /// With the exact function.
    pub exact_ns: f64,
    /// The same loop with the Rust function on one core of the CPU.
    pub reference_ns: f64,
}

impl FunctionCost {
    /// How many times as long the exact function takes as the native expression, both with the loop around them.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.exact_ns / self.native_ns?)
    }

    /// How many times as long the Rust function takes as the exact one.
    pub fn gain(&self) -> f64 {
        self.reference_ns / self.exact_ns
    }
}

/// Why costs cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` cannot be read: {reason}\nhint: cargo xtask bench exact")]
pub struct CostError {
    /// The file or folder.
    pub path: Utf8PathBuf,
    /// Why.
    pub reason: String,
}

/// Every measured cost under `root`, in the order of the files' names; none where the folder is absent.
///
/// # Errors
/// If a file cannot be read or is no cost.
pub fn load(root: &Utf8Path) -> Result<Vec<Cost>, CostError> {
    let folder = root.join(COSTS);
    let error = |path: &Utf8Path, reason: String| CostError {
        path: path.to_owned(),
        reason,
    };
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = folder.read_dir_utf8().map_err(|e| error(&folder, e.to_string()))?;
    let entries = entries
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| error(&folder, e.to_string()))?;
    let mut paths: Vec<Utf8PathBuf> = entries.into_iter().map(|entry| entry.into_path()).collect();
    paths.retain(|path| path.extension() == Some("toml"));
    paths.sort();
    let read = |path: &Utf8PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|e| error(path, e.to_string()))?;
        toml::from_str(&text).map_err(|e| error(path, e.to_string()))
    };
    paths.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(native: Option<f64>, exact: Option<f64>) -> CostRow {
        CostRow {
            kernel: "k".to_owned(),
            format: "rgb-f32".to_owned(),
            size: [2, 1],
            frames: 1,
            samples: 6,
            bytes: 48,
            copy_ns: 0.5,
            native_ns: native,
            exact_ns: exact,
            host_ns: None,
            reference_ns: 10.0,
        }
    }

    #[test]
    fn ratios_need_both_sides() {
        let both = row(Some(1.0), Some(2.0));
        assert_eq!(
            (both.ratio(), both.share_of_copy(), both.gain()),
            (Some(2.0), Some(0.25), Some(5.0))
        );
        assert_eq!(row(None, Some(2.0)).ratio(), None);
        assert_eq!(row(Some(1.0), None).share_of_copy(), None);
    }

    const WITHOUT_FUNCTIONS: &str = r#"
lane = "lavapipe"
isobit_version = "0.1.0"
rounds = 11
rows = []

[host]
os = "linux"
arch = "x86_64"
cpu = "a CPU"
cores = 2

[adapter]
backend = "vulkan"
kind = "cpu"
name = "an adapter"
driver = "a driver"
driver_info = ""
compiler = "a compiler"
"#;
    const FUNCTIONS: &str = r#"
[[functions]]
function = "exp"
native = "exp(a)"
operands = 1
evaluations = 1024
frame_ns = 0.25
native_ns = 1.0
exact_ns = 3.0
reference_ns = 6.0

[[functions]]
function = "two_product"
operands = 2
evaluations = 1024
frame_ns = 0.25
exact_ns = 2.0
reference_ns = 5.0
"#;

    const STEPS_AND_WHOLES: &str = r#"
rows = [{ kernel = "k", format = "rgb-f32", size = [2, 1], frames = 8, samples = 48, bytes = 48, copy_ns = 0.5,
    exact_ns = 2.0, host_ns = 1.5, reference_ns = 10.0 }]
unmeasured = [{ what = "l", reason = "the device offers too little" }]
wholes = [{ kernel = "k", format = "mono-16", size = [4, 2], frames = 64, reference_ms = 24.0, twins = [
    { twin = "exact", rounds = 3, phases = { upload_ms = 1.0, record_ms = 2.0, device_ms = 3.0, readback_ms = 4.0 }, finish_ms = 0.5 },
] }]
"#;

    #[test]
    fn hosts_refusals_and_wholes_survive_and_phases_add_up() {
        let text = WITHOUT_FUNCTIONS.replacen("rows = []", STEPS_AND_WHOLES, 1);
        let cost: Cost = toml::from_str(&text).unwrap();
        assert_eq!((cost.rows[0].frames, cost.rows[0].host_ns), (8, Some(1.5)));
        assert_eq!(cost.unmeasured[0].what, "l");
        assert_eq!(cost.wholes[0].twins[0].total_ms(), 10.5);
        let again: Cost = toml::from_str(&toml::to_string(&cost).unwrap()).unwrap();
        assert_eq!(again, cost);
    }

    #[test]
    fn what_is_measured_besides_is_declared_or_nothing() {
        let root = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(root.path()).unwrap();
        assert_eq!(Bench::load(root).unwrap(), Bench::default());
        std::fs::create_dir_all(root.join("ci")).unwrap();
        let text = "[[whole]]\nkernel = \"k\"\nformat = \"mono-16\"\nsize = [4, 2]\nframes = 64\n";
        std::fs::write(root.join(BENCH), text).unwrap();
        let whole = &Bench::load(root).unwrap().wholes[0];
        assert_eq!((whole.kernel.as_str(), whole.frames), ("k", 64));
        std::fs::write(root.join(BENCH), text.replace("frames", "frame")).unwrap();
        let message = Bench::load(root).unwrap_err().to_string();
        assert!(
            message.contains("`ci/bench.toml` line 5") && message.contains("hint: "),
            "{message}"
        );
    }

    #[test]
    fn files_are_read_with_and_without_functions() {
        let old: Cost = toml::from_str(WITHOUT_FUNCTIONS).unwrap();
        assert_eq!(old.functions, []);
        assert!(!toml::to_string(&old).unwrap().contains("functions"));

        let new: Cost = toml::from_str(&format!("{WITHOUT_FUNCTIONS}{FUNCTIONS}")).unwrap();
        let ratios: Vec<_> = new.functions.iter().map(|f| (f.ratio(), f.gain())).collect();
        assert_eq!(ratios, [(Some(3.0), 2.0), (None, 2.5)]);
        let again: Cost = toml::from_str(&toml::to_string(&new).unwrap()).unwrap();
        assert_eq!(again, new);
    }

    #[test]
    fn a_file_that_is_no_cost_is_named() {
        let root = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(root.path()).unwrap();
        assert_eq!(load(root), Ok(Vec::new()));
        std::fs::create_dir_all(root.join(COSTS)).unwrap();
        std::fs::write(root.join(COSTS).join("x.toml"), "lane = 1").unwrap();
        let message = load(root).unwrap_err().to_string();
        assert!(message.contains("x.toml") && message.contains("hint: "), "{message}");
    }
}
