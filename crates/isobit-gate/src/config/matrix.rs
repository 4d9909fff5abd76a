//! `ci/matrix.toml`: the lanes, and the quick set.

use std::collections::BTreeMap;

use isobit::execution::AdapterRequest;
use isobit::format::Depth;
use serde::Deserialize;

/// The lanes, and the quick set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    /// The lanes, in the order in which reports show them.
    #[serde(rename = "lane")]
    pub lanes: Vec<Lane>,
    /// What a run without `--matrix` covers.
    pub quick: Grid,
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
    /// Variables that its worker is started with.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Whether it runs when no lane is named.
    pub default: bool,
    /// Seconds that one cell may take before its worker is ended.
    pub timeout_s: u64,
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
