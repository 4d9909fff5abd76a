//! What of a workflow the tests and the replay read: its jobs, their shards, and the commands of their steps.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use camino::Utf8Path;
use serde::Deserialize;

use super::FOLDER;

/// A workflow.
#[derive(Debug, Deserialize)]
pub struct Workflow {
    /// Its jobs by identifier.
    pub jobs: BTreeMap<String, Job>,
}

/// A job.
#[derive(Debug, Deserialize)]
pub struct Job {
    /// Its axes.
    #[serde(default)]
    strategy: Strategy,
    /// Its steps.
    steps: Vec<Step>,
}

#[derive(Debug, Default, Deserialize)]
struct Strategy {
    matrix: Axes,
}

#[derive(Debug, Default, Deserialize)]
struct Axes {
    shard: Vec<u16>,
}

#[derive(Debug, Deserialize)]
struct Step {
    run: Option<String>,
}

impl Workflow {
    /// Reads a workflow as it lies on the disk.
    pub fn read(root: &Utf8Path, name: &str) -> Result<Self> {
        let path = Utf8Path::new(FOLDER).join(name);
        let text = fs_err::read_to_string(root.join(&path))?;
        serde_saphyr::from_str(&text).with_context(|| format!("`{path}` is not a workflow"))
    }
}

impl Job {
    /// The command lines of its steps, of all its shards in order, as a runner would hand them to the shell.
    pub fn lines(&self) -> Vec<String> {
        let shards = &self.strategy.matrix.shard;
        let shards: Vec<String> = match shards.as_slice() {
            [] => vec![String::new()],
            shards => shards.iter().map(u16::to_string).collect(),
        };
        let runs = || self.steps.iter().filter_map(|step| step.run.as_deref());
        let of_shard = |shard: String| runs().map(move |run| run.trim().replace("${{ matrix.shard }}", &shard));
        shards.into_iter().flat_map(of_shard).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::parity;
    use crate::workspace::Workspace;
    use crate::{Cli, Command};

    #[test]
    fn every_command_of_every_step_is_one_that_this_driver_accepts() {
        let workspace = Workspace::find().unwrap();
        let mut seen = 0;
        for entry in workspace.root.join(FOLDER).read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            for (job, line) in Workflow::read(&workspace.root, name)
                .unwrap()
                .jobs
                .iter()
                .flat_map(|(name, job)| job.lines().into_iter().map(move |line| (name, line)))
            {
                let words = shlex::split(&line).unwrap();
                assert_eq!(words[..2], ["cargo", "xtask"], "{name}, {job}: {line}");
                assert!(!line.contains("${{"), "{name}, {job}: foreign data in a shell: {line}");
                // The variables that the job sets are arguments here.
                let mut words = words[1..].to_vec();
                if words[1..] == ["ci", "verdict"] {
                    words.extend(["--needs", "{}", "--event", "push"].map(str::to_owned));
                }
                let cli = Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{name}, {job}: {line}\n{error}"));
                if let Command::Parity(args) = cli.command {
                    parity::accepts(&workspace, &args)
                        .unwrap_or_else(|error| panic!("{name}, {job}: {line}\n{error:#}"));
                }
                seen += 1;
            }
        }
        assert!(seen > 10, "{seen} commands");
    }

    #[test]
    fn a_job_with_shards_has_the_lines_of_each() {
        let text = "jobs:\n  a:\n    strategy:\n      matrix:\n        shard: [1, 2]\n    steps:\n      - uses: x\n      \
                    - run: >-\n          cargo xtask a\n          ${{ matrix.shard }}/2\n  b:\n    steps:\n      - run: b\n";
        let workflow: Workflow = serde_saphyr::from_str(text).unwrap();
        assert_eq!(workflow.jobs["a"].lines(), ["cargo xtask a 1/2", "cargo xtask a 2/2"]);
        assert_eq!(workflow.jobs["b"].lines(), ["b"]);
    }
}
