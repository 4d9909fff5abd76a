//! What `ci/` declares: lanes, tolerances, calibrations, expectations, exact twins and their records.
//!
//! Reads and checks each file by itself; whether the names in it exist is the business of [`crate::check`].

mod ci;
mod expectation;
mod fragment;
mod matrix;
pub(crate) mod read;
mod rules;

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

pub use ci::{Action, Ci, Job, JobEnvironment, Workflow};
pub use expectation::{Expectation, Expected};
pub use fragment::Fragment;
pub use matrix::{Grid, Lane, Matrix, Program, Release, Variant, answers_to, family};
pub use rules::{Area, Calibration, Entries, RuleRow};

use crate::provenance;
use crate::record::Record;
use crate::shard::{Costs, SHARDS};

/// Lanes and the quick set, below the workspace root.
pub const MATRIX: &str = "ci/matrix.toml";
/// Tolerances.
pub const GATE: &str = "ci/gate.toml";
/// Known deviations.
pub const EXPECTATIONS: &str = "ci/expectations.toml";
/// Tolerances of single devices.
pub const DEVICES: &str = "ci/devices.toml";
/// One file for each twin that is listed as exact on a lane.
pub const FRAGMENTS: &str = "ci/exact_twins.d";
/// One file for each measured row of a listed twin.
pub const RECORDS: &str = "ci/records.d";

/// Everything that `ci/` declares.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Lanes and the quick set.
    pub matrix: Matrix,
    /// Tolerances.
    pub gate: Entries,
    /// Tolerances of single devices, in the order of the file.
    pub devices: Vec<Calibration>,
    /// Known deviations, in the order of the file.
    pub expectations: Vec<Expectation>,
    /// Twins listed as exact, by file name.
    pub fragments: Vec<Fragment>,
    /// Measured rows of listed twins, by file name.
    pub records: Vec<Record>,
    /// How long cells take, for the cut into shards; empty where the file is absent.
    pub costs: Costs,
    /// SHA-256 of the files that a run reads, in hexadecimal.
    pub digest: String,
}

/// Why a file of `ci/` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file or folder cannot be read.
    #[error("`{path}` cannot be read: {source}\nhint: run from a checkout whose `ci/` is whole: git status ci")]
    Read {
        /// The file, below the workspace root.
        path: Utf8PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// The file is not TOML, or not of the form that its place demands.
    #[error("`{path}` line {line} column {column}: {message}{}", hint.as_ref().map(|h| format!("\nhint: {h}")).unwrap_or_default())]
    Form {
        /// The file, below the workspace root.
        path: Utf8PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
        /// What was probably meant.
        hint: Option<String>,
    },
    /// A file of a folder is not named after a kernel and a lane.
    #[error("`{path}` is not named after a kernel and a lane\nhint: name it `<kernel>.<lane>.toml`")]
    FileName {
        /// The file, below the workspace root.
        path: Utf8PathBuf,
    },
    /// Two lanes have the same name.
    #[error("`{path}` declares lane `{lane}` twice\nhint: give each lane a name of its own")]
    LaneTwice {
        /// The file, below the workspace root.
        path: Utf8PathBuf,
        /// Name of the lane.
        lane: String,
    },
    /// A lane cannot have the containers that it names.
    #[error("`{path}`: {reason}\nhint: declare the release as a `[[release]]`, or leave it out of `releases`")]
    Releases {
        /// The file, below the workspace root.
        path: Utf8PathBuf,
        /// What the lane does wrong.
        reason: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GateFile {
    #[serde(default)]
    kernel: Entries,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DevicesFile {
    #[serde(default)]
    calibration: Vec<Calibration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectationsFile {
    #[serde(default)]
    expectation: Vec<Expectation>,
}

impl Config {
    /// Reads all files below `root`, the workspace root.
    ///
    /// # Errors
    /// On the first file that cannot be read, is not TOML, has an unknown field or lacks one.
    pub fn load(root: &Utf8Path) -> Result<Self, ConfigError> {
        let mut matrix: Matrix = read::file(root, MATRIX)?;
        matrix.add_containers().map_err(|reason| ConfigError::Releases {
            path: MATRIX.into(),
            reason,
        })?;
        let mut names = BTreeSet::new();
        if let Some(lane) = matrix.lanes.iter().find(|lane| !names.insert(&lane.name)) {
            return Err(ConfigError::LaneTwice {
                path: MATRIX.into(),
                lane: lane.name.clone(),
            });
        }
        Ok(Self {
            gate: read::file::<GateFile>(root, GATE)?.kernel,
            devices: read::file::<DevicesFile>(root, DEVICES)?.calibration,
            expectations: read::file::<ExpectationsFile>(root, EXPECTATIONS)?.expectation,
            fragments: read::folder(root, FRAGMENTS, |fragment: &mut Fragment, kernel, lane| {
                (fragment.kernel, fragment.lane) = (kernel, lane);
            })?,
            records: read::folder(root, RECORDS, |record: &mut Record, kernel, lane| {
                (record.kernel, record.lane) = (kernel, lane);
            })?,
            costs: read::optional(root, SHARDS)?,
            digest: provenance::files(root)?,
            matrix,
        })
    }

    /// Declares that this machine cannot run `lane`, and why. All of its cells are skipped for that reason.
    ///
    /// # Errors
    /// A sentence where there is no such lane, or where it needs no program that a machine may be without: a driver that is
    /// missing is an error, never a reason to skip.
    pub fn leave_out(&mut self, lane: &str, reason: &str) -> Result<(), String> {
        let found = self.matrix.lanes.iter_mut().find(|known| known.name == lane);
        match found {
            Some(found) if found.worker.is_some() => {
                found.left_out = Some(reason.to_owned());
                Ok(())
            }
            Some(_) => Err(format!(
                "lane `{lane}` cannot be left out: it declares no `worker` in `{MATRIX}`"
            )),
            None => Err(format!("`{MATRIX}` declares no lane `{lane}`")),
        }
    }

    /// The lane of that name.
    pub fn lane(&self, name: &str) -> Option<&Lane> {
        self.matrix.lanes.iter().find(|lane| lane.name == name)
    }

    /// The fragment that lists `twin` of `kernel` as exact on `lane`, or on the lane whose container it is.
    pub fn fragment(&self, kernel: &str, twin: &str, lane: &str) -> Option<&Fragment> {
        self.fragments
            .iter()
            .find(|f| f.kernel == kernel && f.twin == twin && answers_to(lane, &f.lane))
    }
}

#[cfg(test)]
mod tests;
