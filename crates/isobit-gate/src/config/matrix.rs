//! `ci/matrix.toml`: the lanes, those of their containers among them, and the quick set.

use std::collections::BTreeMap;
use std::fmt;

use camino::Utf8PathBuf;
use isobit::execution::AdapterRequest;
use isobit::format::Depth;
use isobit::kernel::Kernel;
use serde::{Deserialize, Deserializer};

use super::ci::Ci;

/// The lanes, the releases that containers are made of, and the quick set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    /// The lanes, in the order in which reports show them.
    #[serde(rename = "lane")]
    pub lanes: Vec<Lane>,
    /// The releases of Debian whose drivers containers hold.
    #[serde(rename = "release", default)]
    pub releases: Vec<Release>,
    /// What a run without `--matrix` covers.
    pub quick: Grid,
    /// Kernels with options set that are part of the matrix.
    #[serde(rename = "variant", default)]
    pub variants: Vec<Variant>,
    /// Continuous integration.
    #[serde(default)]
    pub ci: Ci,
}

/// A kernel with options set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Name of the kernel.
    pub kernel: String,
    /// The options that differ from their defaults.
    pub options: BTreeMap<String, Setting>,
    /// The fixtures that show what the options change; every fixture where empty.
    #[serde(default)]
    pub fixtures: Vec<String>,
}

impl Variant {
    /// Whether `kernel` is this variant.
    pub fn is(&self, kernel: &Kernel) -> bool {
        let set = kernel.options.set();
        kernel.base(kernel.name) == self.kernel
            && set.len() == self.options.len()
            && set.iter().all(|(option, value)| {
                let declared = self.options.get(option.name);
                declared.is_some_and(|declared| declared.to_string() == value.to_string())
            })
    }
}

/// The value of an option, as the kernel reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting(String);

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Setting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "`true`, `false`, a number or a word in quotes")]
        enum Raw {
            Flag(bool),
            Integer(i64),
            Number(f64),
            Word(String),
        }
        Ok(Self(match Raw::deserialize(from)? {
            Raw::Flag(value) => value.to_string(),
            Raw::Integer(value) => value.to_string(),
            Raw::Number(value) => value.to_string(),
            Raw::Word(value) => value,
        }))
    }
}

/// Where plans run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    /// The name used on the command line and in reports.
    pub name: String,
    /// One sentence for `--help` and the documents.
    pub summary: String,
    /// The adapter that it must see.
    pub adapter: AdapterRequest,
    /// The driver that has to be provided for it; absent for the system's own.
    pub driver: Option<String>,
    /// The program that runs its plans, where that is not the runner itself.
    pub worker: Option<Program>,
    /// Variables that its worker is started with.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Whether it runs when no lane is named.
    pub default: bool,
    /// Seconds that one cell may take before its worker is ended, on a CPU where a core is left to each worker.
    pub timeout_s: u64,
    /// The releases in whose containers it runs as well, each as a lane of its own such as `lavapipe@trixie`.
    #[serde(default)]
    pub releases: Vec<String>,
    /// The release whose container it runs in; absent for a lane of the machine itself.
    #[serde(skip)]
    pub release: Option<String>,
    /// Why this machine cannot run it, so that all of its cells are skipped; see [`super::Config::leave_out`].
    #[serde(skip)]
    pub left_out: Option<String>,
}

/// A worker that is a Node program of this workspace. A machine that cannot start it skips the lane, and says so.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The folder of its package with `package.json` and `package-lock.json`, below the workspace root.
    pub package: Utf8PathBuf,
    /// The file that Node starts, in that folder.
    pub main: Utf8PathBuf,
}

/// A release of Debian whose drivers containers hold.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Its code name.
    pub name: String,
    /// The image of a registry that its containers begin with.
    pub image: String,
    /// The versions that a driver's package may have, by driver and as a pattern of apt; any version where absent.
    #[serde(default)]
    pub versions: BTreeMap<String, String>,
}

impl Matrix {
    /// The release of that name.
    pub fn release(&self, name: &str) -> Option<&Release> {
        self.releases.iter().find(|release| release.name == name)
    }

    /// Adds the lanes of containers, each group behind the lane that it belongs to.
    ///
    /// # Errors
    /// A sentence that says why a lane cannot have its containers.
    pub(crate) fn add_containers(&mut self) -> Result<(), String> {
        let mut lanes = Vec::new();
        for lane in std::mem::take(&mut self.lanes) {
            let mut contained = Vec::new();
            for release in &lane.releases {
                if lane.worker.is_some() {
                    return Err(format!(
                        "lane `{}` names releases, and their containers hold no `worker`",
                        lane.name
                    ));
                }
                if self.release(release).is_none() {
                    return Err(format!(
                        "lane `{}` names release `{release}`, which is not declared",
                        lane.name
                    ));
                }
                let Some(driver) = &lane.driver else {
                    return Err(format!(
                        "lane `{}` names releases, and no `driver` that their containers could hold",
                        lane.name
                    ));
                };
                contained.push(Lane {
                    name: format!("{}@{release}", lane.name),
                    summary: format!("{}, in a container of Debian {release}", lane.summary),
                    driver: Some(format!("{driver}@{release}")),
                    default: false,
                    releases: Vec::new(),
                    release: Some(release.clone()),
                    ..lane.clone()
                });
            }
            lanes.push(lane);
            lanes.append(&mut contained);
        }
        self.lanes = lanes;
        Ok(())
    }
}

impl Lane {
    /// Whether `name` speaks of it: its own name, or that of the lane whose container it is.
    pub fn answers_to(&self, name: &str) -> bool {
        answers_to(&self.name, name)
    }
}

/// Whether `name` speaks of `lane`: what is declared for `lavapipe` holds for `lavapipe@trixie` too.
pub fn answers_to(lane: &str, name: &str) -> bool {
    lane == name || family(lane) == name
}

/// The lane whose container `lane` is, or `lane` itself: `lavapipe` for `lavapipe@trixie`.
pub fn family(lane: &str) -> &str {
    lane.split_once('@').map_or(lane, |(family, _)| family)
}

/// A part of the matrix that runs within seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Names of the fixtures.
    pub fixtures: Vec<String>,
    /// The depths.
    pub depths: Vec<Depth>,
}
