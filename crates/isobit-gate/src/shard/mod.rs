//! Shards: a manifest cut into parts of about the same cost, the same cut on every machine.
//!
//! What is dealt out are cases, not cells: the reference of a case is computed once for all twins and lanes, and lanes work
//! through the same cases side by side. The pipelines of a kernel are made in each shard that has a case of it; that is a
//! small part of a run. Controls run in every shard, on every lane.

mod cost;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use cost::{CellCost, Costs, SHARDS};

use crate::cell::Case;
use crate::manifest::Manifest;
use crate::provenance;

/// One of several parts, written `2/3`: the second of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part, from 1.
    pub index: usize,
    /// How many there are.
    pub count: usize,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.index, self.count))
    }
}

/// A text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no shard: write the number of the shard and how many there are, such as `2/3`")]
pub struct ParseShardError(String);

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = || {
            let (index, count) = text.split_once('/')?;
            // A sign is no digit, though it would parse.
            let number = |text: &str| {
                text.bytes()
                    .all(|byte| byte.is_ascii_digit())
                    .then(|| text.parse().ok())?
            };
            let (index, count) = (number(index)?, number(count)?);
            (1..=count).contains(&index).then_some(Self { index, count })
        };
        parsed().ok_or_else(|| ParseShardError(text.to_owned()))
    }
}

/// What a part of a manifest knows of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which part.
    pub shard: Shard,
    /// Where its cells stand in the whole manifest, from 0, in rising order.
    pub places: Vec<usize>,
    /// How many cells the whole has.
    pub total: usize,
    /// [`Manifest::hash`] of the whole.
    pub manifest: String,
    /// [`names`] of the whole.
    pub names: String,
    /// [`provenance::fixtures`] of the whole.
    pub fixtures: BTreeMap<String, String>,
}

/// Why a manifest cannot be cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// A shard would have nothing to run.
    #[error(
        "the selection has {cases} cases that run, too few for {count} shards\nhint: select more, or cut it into at most {cases}: --shard 1/{cases}"
    )]
    TooMany {
        /// Cases with a cell that runs.
        cases: usize,
        /// Shards asked for.
        count: usize,
    },
    /// The content of a user's clip is pinned nowhere, so nobody could tell that all shards saw the same.
    #[error("`--shard` and `--clip` exclude each other\nhint: leave out `--shard`")]
    Clip,
}

/// The part of `manifest` that `shard` names: every control, and the cells of its cases.
///
/// # Errors
/// If there are more shards than cases that run, or if the cells are those of a user's clip.
pub fn take(manifest: &Manifest, costs: &Costs, shard: Shard) -> Result<Manifest, ShardError> {
    if manifest.cells.iter().any(|cell| cell.source.frames().is_none()) {
        return Err(ShardError::Clip);
    }
    let dealt = deal(manifest, costs, shard.count)?;
    let mine = |place: &usize| {
        let cell = &manifest.cells[*place];
        cell.control.is_some() || dealt.get(&cell.case()) == Some(&(shard.index - 1))
    };
    let places: Vec<usize> = (0..manifest.cells.len()).filter(mine).collect();
    Ok(Manifest {
        cells: places.iter().map(|&place| manifest.cells[place].clone()).collect(),
        part: Some(Part {
            shard,
            places,
            total: manifest.cells.len(),
            manifest: manifest.hash(),
            names: names(&manifest.cells),
            fixtures: provenance::fixtures(manifest),
        }),
    })
}

/// The shard of each case, from 0: the costliest case first, each to the shard that has least so far.
///
/// Costs are whole numbers and ties go to the case that comes first and to the lowest shard, so that the cut is the same on
/// every machine.
fn deal(manifest: &Manifest, costs: &Costs, count: usize) -> Result<HashMap<Case, usize>, ShardError> {
    let mut cases: Vec<(Case, u64)> = Vec::new();
    let mut known: HashMap<Case, usize> = HashMap::new();
    for cell in manifest.cells.iter().filter(|cell| cell.control.is_none()) {
        let place = *known.entry(cell.case()).or_insert_with(|| {
            cases.push((cell.case(), 0));
            cases.len() - 1
        });
        cases[place].1 += costs.micros(cell);
    }
    let run = cases.iter().filter(|(_, cost)| *cost > 0).count();
    if count > run {
        return Err(ShardError::TooMany { cases: run, count });
    }
    // The sort is stable: of equals the first stays first.
    cases.sort_by_key(|(_, cost)| Reverse(*cost));
    let mut loads = vec![0; count];
    let dealt = cases.into_iter().map(|(case, cost)| {
        let least = (0..count).min_by_key(|&shard| loads[shard]).unwrap_or_default();
        loads[least] += cost;
        (case, least)
    });
    Ok(dealt.collect())
}

/// SHA-256 of the names of cells, in hexadecimal: equal for a manifest and for a report of all of it.
pub fn names<T: fmt::Display>(cells: &[T]) -> String {
    let mut hash = Sha256::new();
    for cell in cells {
        hash.update(format!("{cell}\n"));
    }
    format!("{:x}", hash.finalize())
}

#[cfg(test)]
mod tests;
