//! The whole report: assembled against the manifest, and the exit code that follows from it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::cell::Cell;
use crate::config::Config;
use crate::manifest::Manifest;
use crate::report::{CellReport, Host, LaneReport, RanOn, Report, RunTiming, SCHEMA_VERSION, ShardReport, Status};
use crate::{exit, expectations, provenance, verdict};

/// What a run knows besides its cells.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// The commit of the workspace, `-dirty` appended where files differ from it.
    pub commit: Option<String>,
    /// The machine.
    pub host: Host,
    /// Lanes that were compared at tolerance 0, whatever is declared.
    pub hold_exact: Vec<String>,
    /// Why the run ended before its last cell.
    pub interrupted: Option<String>,
    /// One entry a lane of the manifest.
    pub lanes: Vec<LaneReport>,
    /// Faults that belong to no cell.
    pub faults: Vec<String>,
    /// Where the time went.
    pub timing: RunTiming,
}

/// Puts `results` in the order of the manifest and holds them to it.
///
/// A cell without a result becomes an ERROR, and so does one that was skipped without a declared reason, that claims a
/// verdict without having compared every metric, or whose lane ran on another adapter than it asked for or failed a probe.
/// Results for other cells, and second ones for the same, are faults of the run. Expectations are applied last; whether one
/// is unused only a run of the whole manifest can say.
pub fn assemble(
    manifest: &Manifest,
    config: &Config,
    results: impl IntoIterator<Item = CellReport>,
    run: RunFacts,
) -> Report {
    let mut faults = run.faults;
    let expected: BTreeSet<String> = manifest.cells.iter().map(Cell::to_string).collect();
    let mut found: BTreeMap<String, CellReport> = BTreeMap::new();
    for result in results {
        let name = result.to_string();
        if !expected.contains(&name) {
            faults.push(format!(
                "a result was reported for `{name}`, which is not in the manifest"
            ));
            continue;
        }
        match found.entry(name) {
            Entry::Vacant(place) => {
                place.insert(result);
            }
            Entry::Occupied(first) => faults.push(format!("a second result was reported for `{}`", first.key())),
        }
    }

    let distrust: BTreeMap<&str, String> = manifest
        .lanes()
        .into_iter()
        .filter_map(|lane| Some((lane, distrust(config, &run.lanes, lane)?)))
        .collect();
    let unusable = |lane: &str| {
        let failed = run
            .lanes
            .iter()
            .any(|known| known.name == lane && known.error.is_some());
        failed || distrust.contains_key(lane)
    };
    // Cells that showed nothing of their own: a known crash does not excuse a lost result or another lane's driver.
    let mut silent = BTreeSet::new();
    let mut cells = Vec::with_capacity(manifest.cells.len());
    for cell in &manifest.cells {
        let name = cell.to_string();
        let result = found.remove(&name);
        let shown = result.as_ref().map(|result| result.status);
        let result = result.unwrap_or_else(|| missing(cell, &run.lanes, run.interrupted.as_deref()));
        let mut held = hold(cell, result, distrust.get(cell.lane.as_str()));
        held.ran_on = ran_on(&run.lanes, &cell.lane);
        if shown != Some(held.status) || unusable(&cell.lane) {
            silent.insert(name);
        }
        cells.push(held);
    }
    let excusable = |cell: &CellReport| !silent.contains(&cell.to_string());
    let spoken = expectations::apply(&config.expectations, &mut cells, &run.lanes, excusable);
    let fixtures = match &manifest.part {
        Some(part) => part.fixtures.clone(),
        None => provenance::fixtures(manifest),
    };
    let shard = manifest.part.as_ref().map(|part| ShardReport {
        part: part.shard,
        total: part.total,
        names: part.names.clone(),
        places: part.places.clone(),
        expectations: spoken.clone(),
    });
    // An interrupted run has not seen every cell, so it cannot say that an expectation is unused.
    if run.interrupted.is_none() && shard.is_none() {
        faults.extend(expectations::unused(&spoken));
    }
    Report {
        schema_version: SCHEMA_VERSION,
        isobit_version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: run.commit,
        hosts: vec![run.host],
        manifest: manifest.hash(),
        configuration: provenance::configuration(config, &run.hold_exact),
        fixtures,
        shard,
        interrupted: run.interrupted,
        lanes: run.lanes,
        cells,
        faults,
        timing: run.timing,
    }
}

/// The exit code of a run; see [`exit::EXIT_CODES`].
pub fn exit_code(report: &Report) -> u8 {
    let real = || report.cells.iter().filter(|cell| !cell.control);
    // A known crash is expected too, and compares nothing.
    let elements = |cell: &CellReport| cell.checks.iter().any(|check| check.comparison.elements > 0);
    let compared = real().any(|cell| cell.status != Status::Error && elements(cell));
    let errors = report.cells.iter().any(|cell| cell.status == Status::Error);
    let whole = report.interrupted.is_none() && report.faults.is_empty();
    if !whole || errors || !compared || !alive(report) {
        exit::UNTRUSTED
    } else if real().any(|cell| matches!(cell.status, Status::Fail | Status::Xpass)) {
        exit::DIFFERENT
    } else {
        exit::OK
    }
}

/// How many cells are in each state.
pub fn counts<'a>(cells: impl IntoIterator<Item = &'a CellReport>) -> BTreeMap<Status, usize> {
    let mut counts = BTreeMap::new();
    for cell in cells {
        *counts.entry(cell.status).or_default() += 1;
    }
    counts
}

/// Whether the gate was proved alive on every lane.
fn alive(report: &Report) -> bool {
    let lanes: BTreeSet<_> = report.cells.iter().map(|cell| &cell.lane).collect();
    lanes.into_iter().all(|lane| alive_on(report, lane))
}

/// Whether the gate was proved alive on `lane`: its controls ran there, each was judged as it must be, and at least one
/// broken twin was seen to be broken. A lane that was left out, as declared, has nothing to prove: all of its cells
/// are skipped.
pub fn alive_on(report: &Report, lane: &str) -> bool {
    let seen = |cell: &CellReport| {
        let differs = cell.checks.iter().any(|check| check.comparison.mismatches > 0);
        cell.twin == verdict::BROKEN && (differs || !cell.faults.is_empty())
    };
    let mut cells = report.cells.iter().filter(|cell| cell.lane == lane);
    let of_it = report.lanes.iter().find(|known| known.name == lane);
    if of_it.is_some_and(|known| known.left_out.is_some()) {
        return cells.all(|cell| cell.status == Status::Skip);
    }
    let mut controls = cells.filter(|cell| cell.control);
    controls.clone().any(seen) && controls.all(|cell| cell.status == Status::Ok)
}

/// The report of a cell that nothing was reported for.
fn missing(cell: &Cell, lanes: &[LaneReport], interrupted: Option<&str>) -> CellReport {
    if cell.skip.is_some() {
        return verdict::skip(cell);
    }
    let lane = lanes.iter().find(|lane| lane.name == cell.lane);
    match (lane.and_then(|lane| lane.error.as_ref()), interrupted) {
        (Some(error), _) => verdict::error(cell, format!("lane `{}` could not be used: {error}", cell.lane)),
        (None, Some(reason)) => verdict::error(cell, format!("it did not run before the run ended: {reason}")),
        (None, None) => verdict::error(cell, "no result was reported"),
    }
}

/// Why nothing that a lane reports can be trusted.
fn distrust(config: &Config, lanes: &[LaneReport], name: &str) -> Option<String> {
    let Some(lane) = lanes.iter().find(|lane| lane.name == name) else {
        return Some(format!("nothing is known of lane `{name}`"));
    };
    let Some(facts) = &lane.adapter else {
        return Some(format!("lane `{name}` does not say which adapter ran"));
    };
    if let Some(refusal) = config.lane(name).and_then(|lane| lane.adapter.refusal(facts)) {
        return Some(format!(
            "the adapter is not the one that lane `{name}` asks for: {refusal}"
        ));
    }
    let broken = lane.probes.iter().find(|probe| probe.broken)?;
    Some(format!(
        "probe `{}` failed on lane `{name}`: {}",
        broken.name, broken.finding
    ))
}

/// What the lane of a cell ran on.
fn ran_on(lanes: &[LaneReport], lane: &str) -> Option<RanOn> {
    let lane = lanes.iter().find(|known| known.name == lane)?;
    lane.adapter.as_ref().map(RanOn::from)
}

/// Holds a result to what its cell demands.
fn hold(cell: &Cell, result: CellReport, distrust: Option<&String>) -> CellReport {
    let refuse = |reason: String| CellReport {
        status: Status::Error,
        reason: Some(reason),
        ..result.clone()
    };
    if result.control != cell.control.is_some() {
        return refuse("it was reported as a control or as a kernel, and is the other".to_owned());
    }
    match (&cell.skip, result.status) {
        (_, Status::Error) => result,
        (Some(_), Status::Skip) => result,
        (None, Status::Skip) => refuse("it was skipped without a declared reason".to_owned()),
        (Some(reason), _) => refuse(format!("it ran although it is declared not to: {reason}")),
        (None, Status::Xfail | Status::Xpass) => refuse("it claims an expectation before any was applied".to_owned()),
        (None, Status::Ok | Status::Fail) => {
            let compared = |name: &str| {
                let mut checks = result.checks.iter().filter(|check| check.metric == name).peekable();
                checks.peek().is_some() && checks.all(|check| check.comparison.elements > 0)
            };
            if let Some(reason) = distrust {
                return refuse(reason.clone());
            }
            match cell.kernel.metrics.iter().find(|metric| !compared(metric.name)) {
                Some(metric) => refuse(format!("no element of metric `{}` was compared", metric.name)),
                None if cell.kernel.metrics.is_empty() => refuse("the kernel declares no metric".to_owned()),
                None => result,
            }
        }
    }
}

#[cfg(test)]
mod tests;
