//! The container engine: finds one that answers, and asks it about images.

use std::collections::BTreeMap;
use std::process::Output;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use xshell::Cmd;

use super::trouble;
use crate::failure::Failure;
use crate::proc::{Proc, complaint};

/// The engines that are looked for, the preferred one first.
const KNOWN: [&str; 2] = ["docker", "podman"];
/// Names the engine's program, whatever else is installed.
const CHOICE: &str = "ISOBIT_ENGINE";

/// An engine that answers.
pub struct Engine<'a> {
    proc: &'a Proc,
    /// Its program.
    pub program: String,
    /// Its version.
    pub version: String,
}

/// What the engine knows of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The hash by which the engine knows it.
    pub id: String,
    /// The architecture that it is made for, as Go names it.
    pub architecture: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Inspected {
    id: String,
    architecture: String,
    config: Option<Configured>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Configured {
    labels: Option<BTreeMap<String, String>>,
}

impl<'a> Engine<'a> {
    /// The first engine that answers.
    pub fn find(proc: &'a Proc) -> Result<Self> {
        let chosen = std::env::var(CHOICE).ok().filter(|choice| !choice.is_empty());
        let candidates: Vec<String> = match &chosen {
            Some(choice) => vec![choice.clone()],
            None => KNOWN.map(str::to_owned).into(),
        };
        let mut silent = None;
        for program in candidates {
            if !Proc::has(&program) {
                continue;
            }
            let question = match is_podman(&program) {
                true => ["info", "--format", "{{.Version.Version}}"],
                false => ["version", "--format", "{{.Server.Version}}"],
            };
            let output = proc.output(proc.cmd(&program).args(question))?;
            // A client without its server prints the empty version, and in some releases still succeeds.
            let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            if output.status.success() && !version.is_empty() {
                return Ok(Self { proc, program, version });
            }
            silent.get_or_insert_with(|| trouble::silent(&program, &complaint(&output)));
        }
        Err(silent.unwrap_or_else(|| match chosen {
            Some(choice) => Failure::error(
                format!("`{CHOICE}` names `{choice}`, which is not installed"),
                format!("unset {CHOICE}"),
            ),
            None => Failure::error(
                "neither `docker` nor `podman` is installed",
                "apt-get install docker.io",
            ),
        }))
    }

    /// A command that is not yet started.
    pub fn cmd(&self) -> Cmd<'a> {
        self.proc.cmd(&self.program)
    }

    /// Whether it is podman, or a link to it.
    pub fn is_podman(&self) -> bool {
        is_podman(&self.program)
    }

    /// What is known of the image `name`; `None` where there is none.
    pub fn image(&self, name: &str) -> Result<Option<Known>> {
        let command = self.cmd().args(["image", "inspect", name]);
        let output = self.proc.output(command)?;
        if !output.status.success() {
            return match absent(&output) {
                true => Ok(None),
                false => Err(trouble::silent(&self.program, &complaint(&output))),
            };
        }
        parse(&output.stdout)
            .with_context(|| format!("`{} image inspect {name}` printed something unknown", self.program))
            .map(Some)
    }

    /// Removes an image or a name of one; there may be none, and others may still use it.
    pub fn forget(&self, name: &str) -> Result<()> {
        self.proc.output(self.cmd().args(["image", "rm", name]))?;
        Ok(())
    }

    /// Standard output of a command that has to succeed.
    pub fn read(&self, command: Cmd<'_>) -> Result<String> {
        self.proc.read(command)
    }
}

fn is_podman(program: &str) -> bool {
    program.ends_with("podman")
}

/// Whether the engine said that there is no such image, and not that something went wrong.
fn absent(output: &Output) -> bool {
    let text = String::from_utf8_lossy(&output.stderr).to_lowercase();
    ["no such image", "image not known", "failed to find image"]
        .iter()
        .any(|words| text.contains(words))
}

fn parse(json: &[u8]) -> Result<Known> {
    // A list of one, in every version of every engine as long as no format is asked for.
    let [inspected]: [Inspected; 1] = serde_json::from_slice(json)?;
    let id = match inspected.id.strip_prefix("sha256:") {
        Some(_) => inspected.id,
        None => format!("sha256:{}", inspected.id),
    };
    Ok(Known {
        id,
        architecture: inspected.architecture,
        labels: inspected.config.and_then(|config| config.labels).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_engines_answers_are_read() {
        let docker = br#"[{"Id":"sha256:ab","Architecture":"amd64","Config":{"Labels":{"a":"b"}},"Size":1}]"#;
        let known = parse(docker).unwrap();
        assert_eq!((known.id.as_str(), known.labels["a"].as_str()), ("sha256:ab", "b"));
        let podman = br#"[{"Id":"cd","Architecture":"arm64","Config":{"Labels":null},"Labels":null}]"#;
        let known = parse(podman).unwrap();
        assert_eq!((known.id.as_str(), known.architecture.as_str()), ("sha256:cd", "arm64"));
        assert!(parse(b"[]").is_err());
    }
}
