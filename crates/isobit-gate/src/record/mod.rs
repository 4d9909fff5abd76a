//! Records: the measured matrix row of a listed twin, bound by hash to what was measured.

mod fingerprint;
mod rows;

use std::collections::BTreeMap;
use std::io::Write;

use camino::{Utf8Path, Utf8PathBuf};
use isobit::execution::{AdapterFacts, Backend, DeviceKind};
use isobit::kernel::{Kernel, Twin};
use serde::{Deserialize, Serialize};

pub use fingerprint::{Fingerprint, Reference, SAMPLES_HASHED};
pub use rows::{Narrowed, Row, Standing, measured, narrow, standings};

use crate::cell::cases;
use crate::config::{Lane, RECORDS};
use crate::names;
use crate::report::{CellReport, Status};

/// The measured row of a listed twin on a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Name of the kernel, from the file's name.
    #[serde(skip)]
    pub kernel: String,
    /// Name of the lane, from the file's name.
    #[serde(skip)]
    pub lane: String,
    /// Name of the twin.
    pub twin: String,
    /// The version of Isobit that measured; told, not judged.
    pub isobit_version: String,
    /// The adapter that ran.
    pub adapter: Adapter,
    /// Hashes of what was measured.
    pub fingerprint: Fingerprint,
    /// Compared elements of all metrics, by fixture and format.
    pub elements: BTreeMap<String, BTreeMap<String, u64>>,
}

/// The identity of an adapter and its driver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// The API.
    pub backend: Backend,
    /// What kind of device it is.
    pub kind: DeviceKind,
    /// The adapter's name.
    pub name: String,
    /// The driver's name.
    pub driver: String,
    /// The driver's version, as it prints it.
    pub driver_info: String,
    /// The shader compiler in front of the driver, with its version.
    pub compiler: String,
}

/// Why there is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A plan or a reference has no result.
    #[error("`{kernel}/{twin}` cannot be fingerprinted for `{case}`: {reason}")]
    Fingerprint {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the twin, or `reference`.
        twin: &'static str,
        /// Format and fixture.
        case: String,
        /// Why.
        reason: String,
    },
    /// The row is not green.
    #[error("`{cell}` is {status}, and only a row that is OK throughout is recorded")]
    NotGreen {
        /// Name of the cell.
        cell: String,
        /// Its state.
        status: Status,
    },
    /// The row is not the full matrix.
    #[error("`{kernel}/{twin}` on `{lane}` was not measured for `{case}`, and only the full matrix is recorded")]
    Incomplete {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the twin.
        twin: &'static str,
        /// Name of the lane.
        lane: String,
        /// Format and fixture.
        case: String,
    },
    /// Nothing that ran on a lane is recorded.
    #[error("nothing on lane `{lane}` is recorded: {reason}")]
    Lane {
        /// Name of the lane.
        lane: String,
        /// Why.
        reason: String,
    },
    /// The report does not hold together.
    #[error("nothing is recorded of a run with a fault: {fault}")]
    Fault {
        /// The first of its faults.
        fault: String,
    },
    /// The file cannot be written.
    #[error("`{path}` cannot be written: {reason}")]
    Write {
        /// The file.
        path: Utf8PathBuf,
        /// Why.
        reason: String,
    },
}

/// The record of `twin` on `lane`, from the cells of a full run on `adapter`.
///
/// Cells of other kernels, twins and lanes among `cells` are passed over.
///
/// # Errors
/// If a case of the kernel's matrix is missing, or is neither OK nor a declared SKIP.
pub fn build(
    kernel: &'static Kernel,
    twin: &'static Twin,
    lane: &str,
    adapter: &AdapterFacts,
    fingerprint: Fingerprint,
    cells: &[CellReport],
) -> Result<Record, RecordError> {
    let mut elements: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for (fixture, format, _) in cases(kernel) {
        let same = |cell: &&CellReport| {
            (cell.kernel.as_str(), cell.twin.as_str(), cell.lane.as_str()) == (kernel.name, twin.name, lane)
                && (cell.fixture.as_str(), cell.format) == (fixture.name, format)
        };
        let cell = cells.iter().find(same).ok_or_else(|| RecordError::Incomplete {
            kernel: kernel.name,
            twin: twin.name,
            lane: lane.to_owned(),
            case: format!("{format} {}", fixture.name),
        })?;
        match cell.status {
            Status::Ok => {
                let compared = cell.checks.iter().map(|check| check.comparison.elements).sum();
                let row = elements.entry(fixture.name.to_owned()).or_default();
                row.insert(format.to_string(), compared);
            }
            Status::Skip => {}
            status => {
                return Err(RecordError::NotGreen {
                    cell: cell.to_string(),
                    status,
                });
            }
        }
    }
    Ok(Record {
        kernel: kernel.name.to_owned(),
        lane: lane.to_owned(),
        twin: twin.name.to_owned(),
        isobit_version: env!("CARGO_PKG_VERSION").to_owned(),
        adapter: Adapter::from(adapter),
        fingerprint,
        elements,
    })
}

/// What changed since `record` was measured, in a clause; `None` where nothing did.
///
/// `now` is the fingerprint of the kernel and twin that the record is of. The driver of the day is not at hand without a
/// device; the recorded one must still be one that `lane` asks for.
pub fn stale(record: &Record, kernel: &Kernel, lane: &Lane, now: &Fingerprint) -> Option<String> {
    let then = &record.fingerprint;
    let changed = [
        ("the twin's shaders", &then.shaders, &now.shaders),
        ("the twin's plans", &then.plans, &now.plans),
        ("the reference's results", &then.references, &now.references),
        ("the fixtures", &then.fixtures, &now.fixtures),
    ];
    let changed: Vec<_> = changed
        .iter()
        .filter(|(_, a, b)| a != b)
        .map(|(what, ..)| *what)
        .collect();
    if !changed.is_empty() {
        return Some(format!("{} changed since", changed.join(" and ")));
    }
    let measured =
        |fixture: &str, format: &str| record.elements.get(fixture).is_some_and(|row| row.contains_key(format));
    let mut expected = 0;
    for (fixture, format, shape) in cases(kernel) {
        if kernel.refusal(&shape).is_none() {
            expected += 1;
            if !measured(fixture.name, &format.to_string()) {
                return Some(format!(
                    "`{format} {}` is in the matrix and was not measured",
                    fixture.name
                ));
            }
        }
    }
    if record.elements.values().map(BTreeMap::len).sum::<usize>() != expected {
        return Some("it holds cells that are no longer in the matrix".to_owned());
    }
    let refusal = lane.adapter.refusal(&record.adapter.facts())?;
    Some(format!(
        "it was measured on an adapter that the lane does not ask for: {refusal}"
    ))
}

/// Writes `record` to its place below `root`, whole or not at all, and returns that place.
///
/// # Errors
/// If the folder or the file cannot be written.
pub fn write(root: &Utf8Path, record: &Record) -> Result<Utf8PathBuf, RecordError> {
    let path: Utf8PathBuf = record.path();
    let failed = |reason: String| RecordError::Write {
        path: path.clone(),
        reason,
    };
    let text = toml::to_string(record).map_err(|error| failed(error.to_string()))?;
    let folder = root.join(RECORDS);
    let land = || -> std::io::Result<()> {
        std::fs::create_dir_all(&folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&folder)?;
        file.write_all(HEADER.as_bytes())?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        #[cfg(unix)]
        {
            // A temporary file is private; a record is a source file like its neighbours.
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
        }
        file.persist(root.join(&path))?;
        Ok(())
    };
    land().map_err(|error| failed(error.to_string()))?;
    Ok(path)
}

/// The file of a row's record, below the workspace root.
pub fn path(kernel: &str, lane: &str) -> Utf8PathBuf {
    format!("{RECORDS}/{kernel}.{lane}.toml").into()
}

const HEADER: &str = "# Measured, not written by hand: cargo xtask parity --matrix --record\n\n";

impl Record {
    /// The file, below the workspace root.
    pub fn path(&self) -> Utf8PathBuf {
        path(&self.kernel, &self.lane)
    }

    /// What was measured, in words: `12 cells, 4 fixtures, 3 formats`.
    pub fn extent(&self) -> String {
        let cells: usize = self.elements.values().map(BTreeMap::len).sum();
        format!(
            "{cells} cells on {} fixtures ({})",
            self.elements.len(),
            names::list(self.elements.keys().map(String::as_str))
        )
    }
}

impl From<&AdapterFacts> for Adapter {
    fn from(facts: &AdapterFacts) -> Self {
        Self {
            backend: facts.backend,
            kind: facts.kind,
            name: facts.name.clone(),
            driver: facts.driver.clone(),
            driver_info: facts.driver_info.clone(),
            compiler: facts.compiler.clone(),
        }
    }
}

impl Adapter {
    /// The identity in the form that a lane judges.
    fn facts(&self) -> AdapterFacts {
        AdapterFacts {
            backend: self.backend,
            kind: self.kind,
            name: self.name.clone(),
            driver: self.driver.clone(),
            driver_info: self.driver_info.clone(),
            vendor: 0,
            device: 0,
            compiler: self.compiler.clone(),
            limits: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests;
