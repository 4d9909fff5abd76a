//! Checks the flake without fetching nixpkgs: its lock, and what its shells say when they are evaluated against a stand-in.
//! That is a check of the flake's own text; whether nixpkgs still has what it names shows where it is used.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use camino::Utf8Path;
use serde::Deserialize;

use super::{DEFAULT, copy, replaced};
use crate::failure::{DIFFERENT, Failure};
use crate::proc::{Proc, complaint};
use crate::provision::Name;
use crate::provision::host::SWIFTSHADER_MANIFEST;
use crate::tools::{self, Nix};
use crate::workspace::Workspace;

/// The stand-in for nixpkgs.
const STAND_IN: &str = "ci/nixpkgs";
/// The systems that the flake is for, and whether each has drivers to provide.
const SYSTEMS: [(&str, bool); 3] = [
    ("x86_64-linux", true),
    ("aarch64-linux", true),
    ("aarch64-darwin", false),
];
/// What is read of every shell.
const QUESTION: &str = "builtins.mapAttrs (_: builtins.mapAttrs (_: shell: {
    shell = shell.ISOBIT_NIX_SHELL or null;
    drivers = shell.VK_DRIVER_FILES or null;
    drivers_for_old_loaders = shell.VK_ICD_FILENAMES or null;
    libraries = shell.LD_LIBRARY_PATH or null;
}))";

/// What a shell sets.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shell {
    /// The name that it tells.
    shell: Option<String>,
    /// The manifests that the Vulkan loader reads, separated by colons.
    drivers: Option<String>,
    /// The same under the name that loaders before 1.3.207 know.
    drivers_for_old_loaders: Option<String>,
    /// Folders of libraries, separated by colons.
    libraries: Option<String>,
}

/// Shells by system and name.
type Shells = BTreeMap<String, BTreeMap<String, Shell>>;

/// Checks lock and shells; returns the exit code.
pub fn check(workspace: &Workspace) -> Result<u8> {
    let nix = tools::nix(workspace)?;
    let proc = Proc::new(&workspace.root)?;
    let folder = tempfile::tempdir()?;
    let folder = Utf8Path::from_path(folder.path()).context("the temporary folder's path is not UTF-8")?;
    copy(&workspace.root, folder)?;
    let flake = format!("path:{folder}");

    let lock = [
        "flake",
        "metadata",
        &flake,
        "--json",
        "--no-update-lock-file",
        "--offline",
    ];
    if let Err(reason) = ask(&nix, &proc, &lock)? {
        anstream::eprintln!("`flake.lock` does not fit `flake.nix`: {reason}\nhint: nix flake lock");
        return Ok(DIFFERENT);
    }
    let stand_in = format!("path:{}", workspace.root.join(STAND_IN));
    let shells = format!("{flake}#devShells");
    let mut evaluation = vec!["eval", &shells, "--json", "--apply", QUESTION, "--offline"];
    let replaced = replaced(Some(&stand_in));
    evaluation.extend(replaced.iter().map(String::as_str));
    let answer = match ask(&nix, &proc, &evaluation)? {
        Ok(answer) => answer,
        Err(reason) => {
            anstream::eprintln!(
                "`flake.nix` cannot be evaluated: {reason}\nhint: nix eval {}",
                evaluation[1..].join(" ").replace(QUESTION, "'x: x'")
            );
            return Ok(DIFFERENT);
        }
    };
    let shells: Shells = serde_json::from_str(&answer).context("Nix answered with something that is not the shells")?;
    let complaints = judge(&shells);
    if !complaints.is_empty() {
        anstream::eprintln!("`flake.nix`: {}", complaints.join("\n`flake.nix`: "));
        return Ok(DIFFERENT);
    }
    let count: usize = shells.values().map(BTreeMap::len).sum();
    anstream::println!(
        "flake: {count} shells of {} systems say what they should, and the lock fits (the flake's own text, against \
         `{STAND_IN}`; nixpkgs itself was not fetched)",
        shells.len()
    );
    Ok(0)
}

/// What Nix answers, or why it does not.
fn ask(nix: &Nix, proc: &Proc, arguments: &[&str]) -> Result<Result<String, String>> {
    let output = proc.output(nix.command(proc).args(arguments))?;
    let error = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        // Without its own files Nix says nothing about the flake.
        if error.contains("error while loading shared libraries") {
            return Err(Failure::error(
                format!("`nix` does not start: {}", complaint(&output)),
                "install Nix (Debian: `apt-get install nix-bin`), and run the command again",
            ));
        }
        return Ok(Err(first_error(&error).unwrap_or_else(|| complaint(&output))));
    }
    Ok(Ok(
        String::from_utf8(output.stdout).context("Nix answered in something that is not UTF-8")?
    ))
}

/// The line on which Nix says what is wrong; traces and places follow it.
fn first_error(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("error:"))?;
    Some(line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// What is wrong with the shells.
fn judge(shells: &Shells) -> Vec<String> {
    let mut complaints = Vec::new();
    let systems: BTreeSet<&str> = shells.keys().map(String::as_str).collect();
    if systems != SYSTEMS.map(|(system, _)| system).into() {
        complaints.push(format!("it has shells for {systems:?}"));
    }
    for (system, has_drivers) in SYSTEMS {
        let Some(found) = shells.get(system) else { continue };
        let cpu = system.split('-').next().unwrap_or(system);
        let mut wanted = vec![(DEFAULT, Name::ALL.to_vec())];
        wanted.extend(
            Name::ALL
                .map(|name| (name.as_str(), vec![name]))
                .into_iter()
                .filter(|_| has_drivers),
        );
        let names: BTreeSet<&str> = found.keys().map(String::as_str).collect();
        if names != wanted.iter().map(|(name, _)| *name).collect() {
            complaints.push(format!("{system} has the shells {names:?}"));
        }
        for (name, drivers) in wanted {
            let Some(shell) = found.get(name) else { continue };
            let drivers = if has_drivers { drivers } else { Vec::new() };
            complaints.extend(
                shell
                    .complaint(name, &drivers, cpu)
                    .map(|what| format!("{system}, shell `{name}`: {what}")),
            );
        }
    }
    complaints
}

impl Shell {
    /// What is wrong with a shell that should have these drivers.
    fn complaint(&self, name: &str, drivers: &[Name], cpu: &str) -> Option<String> {
        if self.shell.as_deref() != Some(name) {
            return Some(format!("it calls itself {:?}", self.shell));
        }
        if drivers.is_empty() {
            return self
                .drivers
                .as_ref()
                .map(|drivers| format!("it names the drivers `{drivers}`"));
        }
        let manifest = |driver: &Name| match driver {
            Name::Lavapipe => format!("/share/vulkan/icd.d/lvp_icd.{cpu}.json"),
            Name::Swiftshader => format!("/share/vulkan/icd.d/{SWIFTSHADER_MANIFEST}"),
        };
        let named: Vec<&str> = self.drivers.iter().flat_map(|list| list.split(':')).collect();
        let fits = named.len() == drivers.len()
            && drivers
                .iter()
                .zip(&named)
                .all(|(driver, path)| path.ends_with(&manifest(driver)));
        if !fits {
            return Some(format!("it names the drivers {named:?}"));
        }
        if self.drivers_for_old_loaders != self.drivers {
            return Some("`VK_ICD_FILENAMES` differs from `VK_DRIVER_FILES`".to_owned());
        }
        let loader = |path: &str| path.contains("vulkan-loader") && path.ends_with("/lib");
        let libraries = self.libraries.as_deref().unwrap_or_default();
        (!libraries.split(':').any(loader)).then(|| "`LD_LIBRARY_PATH` lacks the Vulkan loader".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(name: &str, drivers: &str) -> Shell {
        Shell {
            shell: Some(name.to_owned()),
            drivers: Some(drivers.to_owned()),
            drivers_for_old_loaders: Some(drivers.to_owned()),
            libraries: Some("/s/1-vulkan-loader/lib".to_owned()),
        }
    }

    #[test]
    fn a_shell_has_the_drivers_of_its_name_on_its_own_machine() {
        let lavapipe = "/s/1-mesa/share/vulkan/icd.d/lvp_icd.aarch64.json";
        let check = |shell: &Shell| shell.complaint("lavapipe", &[Name::Lavapipe], "aarch64");
        let good = shell("lavapipe", lavapipe);
        assert_eq!(check(&good), None);
        assert!(good.complaint("lavapipe", &[Name::Lavapipe], "x86_64").is_some());
        assert!(good.complaint("default", &[Name::Lavapipe], "aarch64").is_some());
        assert!(good.complaint("lavapipe", &Name::ALL, "aarch64").is_some());
        assert!(good.complaint("lavapipe", &[], "aarch64").is_some());
        let old = Shell {
            drivers_for_old_loaders: None,
            ..good.clone()
        };
        assert!(check(&old).is_some());
        let without = Shell {
            libraries: Some("/usr/lib".to_owned()),
            ..good
        };
        assert_eq!(
            check(&without).as_deref(),
            Some("`LD_LIBRARY_PATH` lacks the Vulkan loader")
        );
    }

    #[test]
    fn a_system_or_a_shell_that_is_missing_is_told() {
        let shells = Shells::from([("x86_64-linux".to_owned(), BTreeMap::new())]);
        let complaints = judge(&shells);
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        assert!(
            complaints[1].starts_with("x86_64-linux has the shells"),
            "{complaints:?}"
        );
    }

    #[test]
    fn what_nix_complains_of_is_its_first_error() {
        let text = "warning: x\nerror: attribute 'mesas' missing\n\n       at /f/flake.nix:30:5:\n";
        assert_eq!(first_error(text).as_deref(), Some("attribute 'mesas' missing"));
        assert_eq!(first_error("warning: x\n"), None);
    }
}
