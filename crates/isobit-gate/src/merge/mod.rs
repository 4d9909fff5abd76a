//! The reports of all shards of a run, joined into the one report; refused where they are not of one run.
//!
//! Two reports with the same commit are taken to be of the same sources, `-dirty` or not: nothing in them tells what was
//! changed. Two machines may share the work; their adapters have to be the same, for a lane has one.

mod refusal;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

pub use refusal::MergeError;

use crate::report::{CellReport, CellTiming, LaneReport, Report, RunTiming, SCHEMA_VERSION, ShardReport, Spoken};
use crate::shard::{Shard, names};

/// A report, and the name that complaints give it: its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The path.
    pub name: String,
    /// What stands there.
    pub report: Report,
}

/// Reads the JSON form of a report.
///
/// # Errors
/// If `text` is no report, or one in another form than this version's.
pub fn read(name: &str, text: &str) -> Result<Named, MergeError> {
    /// All that every form has had.
    #[derive(Deserialize)]
    struct Head {
        schema_version: u32,
    }
    let no_report = |error: serde_json::Error| MergeError::NoReport {
        name: name.to_owned(),
        reason: error.to_string(),
    };
    let head: Head = serde_json::from_str(text).map_err(no_report)?;
    if head.schema_version != SCHEMA_VERSION {
        return Err(MergeError::Form {
            name: name.to_owned(),
            found: head.schema_version,
        });
    }
    Ok(Named {
        name: name.to_owned(),
        report: serde_json::from_str(text).map_err(no_report)?,
    })
}

/// Joins `reports`, which are those of all shards of one run in any order.
///
/// The result is the report that the run would have made undivided, but for times: those of the run are the longest of a
/// shard's. A control ran in every shard; the gravest of its results stands.
///
/// # Errors
/// If a shard is missing, given twice, or of another run, or if the shards do not add up to their manifest.
pub fn merge(reports: &[Named]) -> Result<Report, MergeError> {
    let mut shards = reports.iter().map(Part::new).collect::<Result<Vec<_>, _>>()?;
    let Some(&first) = shards.first() else {
        return Err(MergeError::Nothing);
    };
    for other in &shards[1..] {
        first.refuse_foreign(other)?;
    }
    shards.sort_by_key(|shard| shard.shard.part.index);
    every_shard_once(&shards)?;
    let cells = cells(&shards)?;
    Ok(join(&shards, cells))
}

/// `report` with all times zero: two runs of the same cells on the same machine are equal in it.
#[must_use]
pub fn timeless(report: &Report) -> Report {
    let mut report = report.clone();
    report.timing = RunTiming::default();
    for cell in &mut report.cells {
        cell.timing = CellTiming::default();
    }
    report
}

/// A report that is one of a shard.
#[derive(Clone, Copy)]
struct Part<'a> {
    name: &'a str,
    report: &'a Report,
    shard: &'a ShardReport,
}

impl<'a> Part<'a> {
    fn new(named: &'a Named) -> Result<Self, MergeError> {
        let Named { name, report } = named;
        let name = name.as_str();
        let shard = report
            .shard
            .as_ref()
            .ok_or_else(|| MergeError::Whole { name: name.to_owned() })?;
        let rising = shard.places.windows(2).all(|pair| pair[0] < pair[1]);
        let inside = shard.places.last().is_none_or(|&last| last < shard.total);
        let counted = (1..=shard.part.count).contains(&shard.part.index);
        if !rising || !inside || !counted || shard.places.len() != report.cells.len() {
            return Err(MergeError::Torn { name: name.to_owned() });
        }
        Ok(Self { name, report, shard })
    }

    /// Refuses `other` where it is not of the same run.
    fn refuse_foreign(&self, other: &Self) -> Result<(), MergeError> {
        let [first, second] = [self, other].map(|part| part.name.to_owned());
        let pair = |value: fn(&Self) -> String| [self, other].map(value);
        let differ = |[a, b]: &[String; 2]| a != b;

        let versions = pair(|part| part.report.isobit_version.clone());
        if differ(&versions) {
            return Err(MergeError::Version {
                first,
                second,
                versions,
            });
        }
        let commits = pair(|part| part.report.commit.clone().unwrap_or_else(|| "none".to_owned()));
        if differ(&commits) {
            return Err(MergeError::Commit { first, second, commits });
        }
        let fixtures: BTreeSet<_> = [self, other]
            .iter()
            .flat_map(|part| part.report.fixtures.keys())
            .collect();
        let hash = |part: &Self, fixture: &String| part.report.fixtures.get(fixture).cloned();
        for fixture in fixtures {
            if let (Some(a), Some(b)) = (hash(self, fixture), hash(other, fixture))
                && a != b
            {
                return Err(MergeError::Fixture {
                    first,
                    second,
                    fixture: fixture.clone(),
                    hashes: [a, b],
                });
            }
        }
        let configurations = pair(|part| part.report.configuration.clone());
        if differ(&configurations) {
            return Err(MergeError::Configuration { first, second });
        }
        let manifests = pair(|part| part.report.manifest.clone());
        let of_the_whole = |part: &Self| (part.shard.names.clone(), part.shard.total);
        if differ(&manifests) || of_the_whole(self) != of_the_whole(other) {
            return Err(MergeError::Manifest {
                first,
                second,
                manifests,
            });
        }
        let shards = [self.shard.part, other.shard.part];
        if shards[0].count != shards[1].count {
            return Err(MergeError::Count { first, second, shards });
        }
        for lane in &self.report.lanes {
            let same = other.report.lanes.iter().find(|known| known.name == lane.name);
            let adapters = [Some(lane), same].map(|lane| lane.and_then(adapter));
            if let [Some(a), Some(b)] = adapters
                && a != b
            {
                return Err(MergeError::Adapter {
                    first,
                    second,
                    lane: lane.name.clone(),
                    adapters: [a, b],
                });
            }
        }
        Ok(())
    }
}

/// The identity of what a lane ran on; limits may differ with a machine's memory.
fn adapter(lane: &LaneReport) -> Option<String> {
    let facts = lane.adapter.as_ref()?;
    let driver = format!("{} {}", facts.driver, facts.driver_info);
    Some(format!("{} ({}, {})", facts.name, driver.trim_end(), facts.compiler))
}

/// Refuses `shards`, in order of their numbers, unless each of them is there once.
fn every_shard_once(shards: &[Part<'_>]) -> Result<(), MergeError> {
    for pair in shards.windows(2) {
        if pair[0].shard.part == pair[1].shard.part {
            return Err(MergeError::Twice {
                shard: pair[0].shard.part,
                names: [pair[0], pair[1]].map(|part| part.name.to_owned()),
            });
        }
    }
    let count = shards.first().map_or(0, |part| part.shard.part.count);
    let given: BTreeSet<_> = shards.iter().map(|part| part.shard.part.index).collect();
    let missing = (1..=count).filter(|index| !given.contains(index));
    let missing: Vec<_> = missing.map(|index| Shard { index, count }).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(MergeError::Missing { shards: missing })
    }
}

/// The cells of the whole manifest, in its order.
fn cells(shards: &[Part<'_>]) -> Result<Vec<CellReport>, MergeError> {
    let mut found: BTreeMap<usize, (Part<'_>, CellReport)> = BTreeMap::new();
    let mut controls: BTreeMap<usize, usize> = BTreeMap::new();
    for &part in shards {
        for (&place, cell) in part.shard.places.iter().zip(&part.report.cells) {
            if cell.control {
                *controls.entry(place).or_default() += 1;
            }
            match found.entry(place) {
                Entry::Vacant(entry) => {
                    entry.insert((part, cell.clone()));
                }
                Entry::Occupied(mut entry) => {
                    let (earlier, known) = entry.get();
                    if !(cell.control && known.control) || cell.to_string() != known.to_string() {
                        return Err(MergeError::Overlap {
                            cell: cell.to_string(),
                            names: [*earlier, part].map(|part| part.name.to_owned()),
                        });
                    }
                    if cell.status > known.status {
                        entry.insert((part, cell.clone()));
                    }
                }
            }
        }
    }
    if let Some((place, _)) = controls.iter().find(|(_, times)| **times != shards.len()) {
        let cell = found.get(place).map(|(_, cell)| cell.to_string());
        return Err(MergeError::Control {
            cell: cell.unwrap_or_default(),
        });
    }
    let (total, wanted) = shards
        .first()
        .map_or((0, ""), |part| (part.shard.total, &part.shard.names));
    if found.len() < total {
        return Err(MergeError::Uncovered {
            cells: total - found.len(),
            total,
        });
    }
    let cells: Vec<CellReport> = found.into_values().map(|(_, cell)| cell).collect();
    if names(&cells) == wanted {
        Ok(cells)
    } else {
        Err(MergeError::Names)
    }
}

/// The one report of `shards`, which are in order and of one run.
fn join(shards: &[Part<'_>], cells: Vec<CellReport>) -> Report {
    let reports = || shards.iter().map(|part| part.report);
    let first = shards[0].report;
    let mut hosts = Vec::new();
    for host in reports().flat_map(|report| &report.hosts) {
        if !hosts.contains(host) {
            hosts.push(host.clone());
        }
    }
    let interrupted = shards.iter().find_map(|part| {
        let reason = part.report.interrupted.as_ref()?;
        Some(format!("shard {}: {reason}", part.shard.part))
    });
    let mut faults: Vec<String> = Vec::new();
    for fault in reports().flat_map(|report| &report.faults) {
        if !faults.contains(fault) {
            faults.push(fault.clone());
        }
    }
    if interrupted.is_none() {
        faults.extend(unused(shards));
    }
    // The manifest has the lanes innermost, so they come in the order of the configuration.
    let mut seen = BTreeSet::new();
    let lanes = cells.iter().filter(|cell| seen.insert(cell.lane.as_str()));
    let lanes = lanes.filter_map(|cell| lane(&cell.lane, reports()));
    let longest = |ms: fn(&RunTiming) -> f64| reports().map(|report| ms(&report.timing)).fold(0.0, f64::max);
    Report {
        hosts,
        interrupted,
        shard: None,
        lanes: lanes.collect(),
        faults,
        timing: RunTiming {
            total_ms: longest(|timing| timing.total_ms),
            lanes_ms: longest(|timing| timing.lanes_ms),
        },
        schema_version: first.schema_version,
        isobit_version: first.isobit_version.clone(),
        commit: first.commit.clone(),
        manifest: first.manifest.clone(),
        configuration: first.configuration.clone(),
        fixtures: first.fixtures.clone(),
        cells,
    }
}

/// The faults of expectations that no shard showed.
fn unused(shards: &[Part<'_>]) -> Vec<String> {
    let mut spoken: BTreeMap<usize, Spoken> = BTreeMap::new();
    for one in shards.iter().flat_map(|part| &part.shard.expectations) {
        let known = spoken.entry(one.place).or_insert_with(|| one.clone());
        known.shown |= one.shown;
    }
    crate::expectations::unused(&spoken.into_values().collect::<Vec<_>>()).collect()
}

/// What all of `reports` know of a lane: the adapter that ran, the gravest finding of each probe, the first error.
fn lane<'a>(name: &str, reports: impl Iterator<Item = &'a Report>) -> Option<LaneReport> {
    let mut known = reports.filter_map(|report| report.lanes.iter().find(|lane| lane.name == name));
    let mut lane = known.next()?.clone();
    for other in known {
        if lane.adapter.is_none() {
            lane.adapter.clone_from(&other.adapter);
            lane.environment.clone_from(&other.environment);
            lane.icd.clone_from(&other.icd);
        }
        if lane.error.is_none() {
            lane.error.clone_from(&other.error);
        }
        lane.restarts += other.restarts;
        for probe in &other.probes {
            match lane.probes.iter_mut().find(|known| known.name == probe.name) {
                None => lane.probes.push(probe.clone()),
                Some(known) if probe.broken && !known.broken => *known = probe.clone(),
                Some(_) => {}
            }
        }
    }
    Some(lane)
}

#[cfg(test)]
mod tests;
