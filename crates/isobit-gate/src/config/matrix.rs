//! `ci/matrix.toml`: the lanes, and the quick set.

use std::collections::BTreeMap;
use std::fmt;

use isobit::execution::AdapterRequest;
use isobit::format::Depth;
use serde::{Deserialize, Deserializer};

use super::ci::Ci;

/// The lanes, and the quick set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    /// The lanes, in the order in which reports show them.
    #[serde(rename = "lane")]
    pub lanes: Vec<Lane>,
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
        #[serde(untagged, expecting = "`true`, `false` or a number")]
        enum Raw {
            Flag(bool),
            Integer(i64),
            Number(f64),
        }
        Ok(Self(match Raw::deserialize(from)? {
            Raw::Flag(value) => value.to_string(),
            Raw::Integer(value) => value.to_string(),
            Raw::Number(value) => value.to_string(),
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
