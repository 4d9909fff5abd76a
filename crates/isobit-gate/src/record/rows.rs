//! The rows of listed twins: whether each has a record that is of what is there now, and which of them a run has measured.

use std::collections::BTreeMap;
use std::fmt;

use isobit::kernel::{Kernel, Registry, Twin};

use super::{Fingerprint, Record, RecordError, Reference, build, stale};
use crate::config::{Config, Fragment, Lane};
use crate::manifest::Manifest;
use crate::report::Report;
use crate::summary;

/// The row of a twin that is listed as exact on a lane.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// What lists it.
    pub fragment: &'a Fragment,
    /// The kernel.
    pub kernel: &'static Kernel,
    /// The listed twin.
    pub twin: &'static Twin,
    /// The lane.
    pub lane: &'a Lane,
}

/// How a row stands to its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The record is of what is there now.
    Fresh,
    /// There is no record.
    Missing,
    /// There is one, and something changed since; a clause says what.
    Stale(String),
}

impl<'a> Row<'a> {
    /// The rows that the fragments of `config` list, in their order. One that names what does not exist has none.
    pub fn all(registry: &Registry, config: &'a Config) -> Vec<Self> {
        let row = |fragment: &'a Fragment| {
            let kernel = registry.kernels.iter().find(|known| known.name == fragment.kernel)?;
            Some(Self {
                fragment,
                kernel,
                twin: kernel.twin(&fragment.twin)?,
                lane: config.lane(&fragment.lane)?,
            })
        };
        config.fragments.iter().filter_map(row).collect()
    }

    /// The row's record, where there is one.
    pub fn record<'c>(&self, config: &'c Config) -> Option<&'c Record> {
        let Fragment { kernel, lane, twin, .. } = self.fragment;
        let of_it = |record: &&Record| (&record.kernel, &record.lane, &record.twin) == (kernel, lane, twin);
        config.records.iter().find(of_it)
    }

    /// The command that measures it, and writes its record.
    pub fn command(&self) -> String {
        let Fragment { kernel, lane, .. } = self.fragment;
        format!("cargo xtask parity --matrix --record --kernels {kernel} --lanes {lane}")
    }
}

/// How each of `rows` stands to its record, in their order. Runs the references of those that have one, each once.
pub fn standings(rows: &[Row<'_>], config: &Config) -> Vec<Result<Standing, RecordError>> {
    let references = references(rows.iter().filter(|row| row.record(config).is_some()));
    let standing = |row: &Row<'_>| {
        let Some(record) = row.record(config) else {
            return Ok(Standing::Missing);
        };
        let now = row.fingerprint(&references)?;
        Ok(stale(record, row.kernel, row.lane, &now).map_or(Standing::Fresh, Standing::Stale))
    };
    rows.iter().map(standing).collect()
}

/// What `--stale` comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrowed {
    /// So many rows are left to measure.
    To(usize),
    /// All rows of the selection, so many, have a record that is of what is there now.
    Fresh(usize),
}

/// What a run says of it.
impl fmt::Display for Narrowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records = |count: usize| if count == 1 { "record" } else { "records" };
        match *self {
            Self::To(rows) => write!(f, "{rows} {} to measure", records(rows)),
            Self::Fresh(rows) => write!(
                f,
                "nothing was measured: no record of this selection is missing or stale ({rows} {})",
                records(rows)
            ),
        }
    }
}

/// Leaves of `manifest` the rows whose record is missing or stale, with the controls of their lanes.
///
/// # Errors
/// If a row cannot be fingerprinted, so that nobody can tell.
pub fn narrow(manifest: &mut Manifest, registry: &Registry, config: &Config) -> Result<Narrowed, RecordError> {
    let mut rows = Row::all(registry, config);
    rows.retain(|row| manifest.has(row.fragment));
    let mut outdated = Vec::new();
    for (row, standing) in rows.iter().zip(standings(&rows, config)) {
        if standing? != Standing::Fresh {
            outdated.push(*row);
        }
    }
    if outdated.is_empty() {
        return Ok(Narrowed::Fresh(rows.len()));
    }
    manifest.keep(&outdated);
    Ok(Narrowed::To(outdated.len()))
}

/// The record of each row that `report` has measured, a row after the other, or why there is none.
///
/// A row stands for itself: what is red elsewhere keeps no record back. On a lane whose controls did not prove the gate to be
/// alive nothing is recorded, and neither is anything of a report that is not the manifest's.
pub fn measured(registry: &Registry, config: &Config, report: &Report) -> Vec<Result<Record, RecordError>> {
    if let Some(fault) = report.faults.first() {
        return vec![Err(RecordError::Fault { fault: fault.clone() })];
    }
    let mut rows = Row::all(registry, config);
    rows.retain(|row| {
        let Fragment { kernel, lane, twin, .. } = row.fragment;
        let mut cells = report.cells.iter().filter(|cell| !cell.control);
        cells.any(|cell| (&cell.kernel, &cell.lane, &cell.twin) == (kernel, lane, twin))
    });
    let mut found = Vec::new();
    for lane in &report.lanes {
        if !rows.iter().any(|row| row.fragment.lane == lane.name) {
            continue;
        }
        let because = |reason: String| {
            Err(RecordError::Lane {
                lane: lane.name.clone(),
                reason,
            })
        };
        if let Some(reason) = &lane.left_out {
            found.push(because(format!("it was left out: {reason}")));
        } else if !summary::alive_on(report, &lane.name) {
            found.push(because("its controls do not prove that the gate is alive".to_owned()));
        } else {
            continue;
        }
        rows.retain(|row| row.fragment.lane != lane.name);
    }
    let references = references(&rows);
    let adapter = |lane: &str| {
        let lane = report.lanes.iter().find(|known| known.name == lane);
        lane.and_then(|lane| lane.adapter.as_ref())
    };
    found.extend(rows.iter().map(|row| {
        let lane = &row.fragment.lane;
        let adapter = adapter(lane).ok_or_else(|| RecordError::Lane {
            lane: lane.clone(),
            reason: "it does not say which adapter ran".to_owned(),
        })?;
        let fingerprint = row.fingerprint(&references)?;
        build(row.kernel, row.twin, lane, adapter, fingerprint, &report.cells)
    }));
    found
}

type References = BTreeMap<&'static str, Result<Reference, RecordError>>;

/// The results of the references of all kernels of `rows`, by name.
fn references<'r>(rows: impl IntoIterator<Item = &'r Row<'r>>) -> References {
    let kernels: BTreeMap<_, _> = rows.into_iter().map(|row| (row.kernel.name, row.kernel)).collect();
    let kernels: Vec<&'static Kernel> = kernels.into_values().collect();
    let names = kernels.iter().map(|kernel| kernel.name);
    names.zip(Reference::of_each(&kernels)).collect()
}

impl Row<'_> {
    /// What it would be bound to now.
    fn fingerprint(&self, references: &References) -> Result<Fingerprint, RecordError> {
        match references.get(self.kernel.name) {
            Some(reference) => {
                let reference = reference.as_ref().map_err(RecordError::clone)?;
                Fingerprint::of(self.kernel, self.twin, reference)
            }
            None => Fingerprint::of(self.kernel, self.twin, &Reference::of(self.kernel)?),
        }
    }
}

#[cfg(test)]
mod tests;
