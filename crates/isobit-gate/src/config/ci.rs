//! What `ci/matrix.toml` declares for continuous integration: jobs, runners and pinned actions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Continuous integration, from which the workflows are rendered. Empty where a workspace has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ci {
    /// The branch whose pushes run every job.
    pub branch: String,
    /// The version of Rust that jobs install.
    pub toolchain: String,
    /// When the nightly workflow runs, as five fields of cron in UTC.
    pub nightly: String,
    /// Days for which reports are kept.
    pub keep_days: u32,
    /// The label of the runner for jobs that need no device.
    pub runner: String,
    /// The actions that jobs use, by the name that templates use.
    pub actions: BTreeMap<String, Action>,
    /// The jobs that run the matrix.
    #[serde(rename = "job", default)]
    pub jobs: Vec<Job>,
}

/// A step that someone else wrote, pinned by commit: a tag can be moved, a commit cannot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Owner and name of its repository.
    pub repository: String,
    /// The version, for people and for robots that propose upgrades.
    pub version: String,
    /// The commit, in 40 hexadecimal digits.
    pub commit: String,
}

/// A job that runs lanes over the matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Its identifier; that of a cut job's merge is this with `-merge`.
    pub name: String,
    /// What it shows, as a line of the list of checks.
    pub summary: String,
    /// The workflow that it is part of.
    #[serde(default)]
    pub workflow: Workflow,
    /// The lanes that it runs; those of its environment where empty.
    #[serde(default)]
    pub lanes: Vec<String>,
    /// Where the drivers come from.
    #[serde(default)]
    pub environment: JobEnvironment,
    /// The label of the hosted runner.
    pub runner: Option<String>,
    /// The variable of the repository that names the labels of a runner of one's own, as a JSON array. Where it is empty the
    /// job is skipped, as declared.
    pub runner_variable: Option<String>,
    /// The packages that its Nix shell comes from, in place of the locked ones.
    pub nixpkgs: Option<String>,
    /// Parts that it is cut into, each a runner of its own.
    #[serde(default = "one")]
    pub shards: u16,
    /// Minutes after which it is ended.
    pub timeout_min: u32,
}

/// The workflow that a job is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Workflow {
    /// On every change.
    #[default]
    Ci,
    /// Every night.
    Nightly,
}

/// Where the drivers of a job come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobEnvironment {
    /// The runner itself.
    #[default]
    Host,
    /// A shell of `flake.nix`.
    Nix,
    /// Containers.
    Docker,
}

impl Job {
    /// The identifier of the job that joins its shards; none where it is not cut.
    pub fn merge(&self) -> Option<String> {
        (self.shards > 1).then(|| format!("{}-merge", self.name))
    }
}

fn one() -> u16 {
    1
}
