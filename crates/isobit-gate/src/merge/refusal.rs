//! Why reports cannot be merged: a sentence for each cause, and what to do about it.

use crate::names;
use crate::report::SCHEMA_VERSION;
use crate::shard::Shard;

/// Why reports are not those of all shards of one run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There is no report.
    #[error("no report was named\nhint: cargo xtask parity merge shard-1.json shard-2.json")]
    Nothing,
    /// The file holds something else.
    #[error("`{name}` is no report: {reason}\nhint: name the files that `--json-out` wrote")]
    NoReport {
        /// Path of the report.
        name: String,
        /// What the parser says.
        reason: String,
    },
    /// The report is of another schema version.
    #[error(
        "`{name}` has form {found} of the report, and this program reads form {SCHEMA_VERSION}\nhint: run the shards and the merge from one checkout"
    )]
    Form {
        /// Path of the report.
        name: String,
        /// Its form.
        found: u32,
    },
    /// The report is of a whole manifest.
    #[error("`{name}` is the report of a whole manifest\nhint: name the reports of runs with `--shard` only")]
    Whole {
        /// Path of the report.
        name: String,
    },
    /// The report contradicts itself.
    #[error("`{name}` does not say where each of its cells stands in the manifest\nhint: run its shard again")]
    Torn {
        /// Path of the report.
        name: String,
    },
    /// Another version of Isobit wrote it.
    #[error(
        "`{first}` was written by isobit {} and `{second}` by isobit {}\nhint: run every shard from one checkout", versions[0], versions[1]
    )]
    Version {
        /// Path of a report.
        first: String,
        /// Path of the one that is foreign to it.
        second: String,
        /// Their versions.
        versions: [String; 2],
    },
    /// It is of other sources.
    #[error(
        "`{first}` is of commit `{}` and `{second}` of commit `{}`\nhint: run every shard from the same commit", commits[0], commits[1]
    )]
    Commit {
        /// Path of a report.
        first: String,
        /// Path of the one that is foreign to it.
        second: String,
        /// Their commits.
        commits: [String; 2],
    },
    /// A fixture had other bytes.
    #[error(
        "fixture `{fixture}` is `{}` in `{first}` and `{}` in `{second}`\nhint: see which pins differ: cargo run --release -p isobit-fixtures --example pin", short(&hashes[0]), short(&hashes[1])
    )]
    Fixture {
        /// Path of a report.
        first: String,
        /// Path of the one that is foreign to it.
        second: String,
        /// Name of the fixture.
        fixture: String,
        /// Its hashes.
        hashes: [String; 2],
    },
    /// Its cells were judged by other rules.
    #[error(
        "`{first}` and `{second}` were judged by different files under `ci/`, or held different lanes exact\nhint: compare `git status ci` on their machines, and give every shard the same `--hold-exact`"
    )]
    Configuration {
        /// Path of a report.
        first: String,
        /// Path of the one that is foreign to it.
        second: String,
    },
    /// It is a part of another manifest.
    #[error(
        "`{first}` is a part of manifest `{}` and `{second}` of manifest `{}`\nhint: select the same for every shard: only `--shard` may differ", short(&manifests[0]), short(&manifests[1])
    )]
    Manifest {
        /// Path of a report.
        first: String,
        /// Path of the one that is foreign to it.
        second: String,
        /// The hashes of their manifests.
        manifests: [String; 2],
    },
    /// The manifest was cut differently.
    #[error(
        "`{first}` is shard {} and `{second}` is shard {}\nhint: cut every shard of a run into the same number", shards[0], shards[1]
    )]
    Count {
        /// Path of a report.
        first: String,
        /// Path of the one that is foreign to it.
        second: String,
        /// What they are.
        shards: [Shard; 2],
    },
    /// A lane had another device or driver.
    #[error(
        "lane `{lane}` ran on `{}` in `{first}` and on `{}` in `{second}`\nhint: give the lane one driver on every machine: cargo xtask provision --help", adapters[0], adapters[1]
    )]
    Adapter {
        /// Path of a report.
        first: String,
        /// Path of the one that is foreign to it.
        second: String,
        /// Name of the lane.
        lane: String,
        /// What it ran on.
        adapters: [String; 2],
    },
    /// Two reports are of the same shard.
    #[error("`{}` and `{}` are both shard {shard}\nhint: name one report of each shard", names[0], names[1])]
    Twice {
        /// The shard.
        shard: Shard,
        /// Paths of the reports.
        names: [String; 2],
    },
    /// A shard has no report.
    #[error("{}\nhint: run what is missing with the selection of the others and `--shard {}`, and name its report too", missing(shards), shards.first().map(Shard::to_string).unwrap_or_default())]
    Missing {
        /// The shards, one at least.
        shards: Vec<Shard>,
    },
    /// A cell that is no control is in two shards.
    #[error(
        "`{}` and `{}` both hold `{cell}`\nhint: cut every shard by the same `ci/shards.toml`: git status ci", names[0], names[1]
    )]
    Overlap {
        /// Name of the cell.
        cell: String,
        /// Paths of the reports.
        names: [String; 2],
    },
    /// A shard did not run a control.
    #[error("control `{cell}` did not run in every shard\nhint: run every shard from one checkout")]
    Control {
        /// Name of the cell.
        cell: String,
    },
    /// A cell is in no shard.
    #[error(
        "{cells} of {total} cells of the manifest are in no shard\nhint: cut every shard by the same `ci/shards.toml`: git status ci"
    )]
    Uncovered {
        /// How many.
        cells: usize,
        /// How many there are.
        total: usize,
    },
    /// The cells add up to another manifest.
    #[error("the cells of the shards are not those of their manifest\nhint: run every shard again, from one checkout")]
    Names,
}

fn missing(shards: &[Shard]) -> String {
    let all: Vec<_> = shards.iter().map(Shard::to_string).collect();
    match all.as_slice() {
        [one] => format!("shard `{one}` is missing"),
        all => format!("shards {} are missing", names::list(all.iter().map(String::as_str))),
    }
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
