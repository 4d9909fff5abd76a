//! Nix: enters a shell of `flake.nix` for a run, knows when it is inside of one, and checks the flake itself.

mod flake;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use crate::drift;
use crate::failure::Failure;
use crate::proc::Proc;
use crate::workspace::Workspace;

pub use flake::check;

/// The variable with which every shell of the flake tells its name.
const SHELL: &str = "ISOBIT_NIX_SHELL";
/// The variable that names packages to use in place of the locked ones, as a reference to a flake.
const NIXPKGS: &str = "ISOBIT_NIXPKGS";
/// What a flake consists of. Nothing else of the workspace is read by it, so nothing else is copied into the store.
const FILES: [&str; 2] = ["flake.nix", "flake.lock"];
/// The shell with the drivers of every lane.
const DEFAULT: &str = "default";

/// The shell of the flake that this process runs in.
pub fn inside() -> Option<String> {
    std::env::var(SHELL).ok().filter(|shell| !shell.is_empty())
}

/// Becomes this driver, called with the same words, inside the shell that has the drivers of these lanes.
///
/// # Errors
///
/// Returns an error where there is no Nix, or where it cannot be started.
pub fn enter(workspace: &Workspace, lanes: &[String], words: impl IntoIterator<Item = OsString>) -> Result<ExitCode> {
    let Ok(nix) = which::which("nix") else {
        return Err(Failure::error(
            "the environment `nix` needs the program `nix`, which is not installed",
            "install Nix (Debian: `apt-get install nix-bin`), or leave `--env nix` out",
        ));
    };
    let nix = Utf8PathBuf::from_path_buf(nix)
        .map_err(|path| anyhow::anyhow!("the path of `nix` is not UTF-8: {}", path.display()))?;
    let target = workspace.target()?;
    let flake = target.join("isobit/nix/flake");
    copy(&workspace.root, &flake)?;
    let nixpkgs = std::env::var(NIXPKGS).ok().filter(|nixpkgs| !nixpkgs.is_empty());
    let mut arguments = develop(&flake, shell(lanes), nixpkgs.as_deref());
    arguments.extend(words);
    // Programs of the closure belong to its own libc: they share no build with those of the machine.
    let builds = target.join("nix");
    Proc::new(&workspace.root)?.exec_with(&nix, &arguments, &[("CARGO_TARGET_DIR", builds.as_str())])
}

/// The arguments of Nix that end in those of this driver.
fn develop(flake: &Utf8Path, shell: &str, nixpkgs: Option<&str>) -> Vec<OsString> {
    let mut arguments = vec![
        "--extra-experimental-features".to_owned(),
        "nix-command flakes".to_owned(),
        "develop".to_owned(),
        format!("path:{flake}#{shell}"),
    ];
    arguments.extend(replaced(nixpkgs));
    arguments.extend(["--command", "cargo", "xtask"].map(str::to_owned));
    arguments.into_iter().map(OsString::from).collect()
}

/// The arguments of Nix that put other packages in place of the locked ones, and leave the lock alone.
fn replaced(nixpkgs: Option<&str>) -> Vec<String> {
    let Some(nixpkgs) = nixpkgs else { return Vec::new() };
    ["--override-input", "nixpkgs", nixpkgs, "--no-write-lock-file"]
        .map(str::to_owned)
        .to_vec()
}

/// The shell for these lanes: a lane's own where it is alone, or else the one with all drivers.
fn shell(lanes: &[String]) -> &str {
    match lanes {
        [lane] if crate::provision::Name::ALL.iter().any(|name| name.as_str() == lane) => lane,
        _ => DEFAULT,
    }
}

/// Copies the flake without the rest of the workspace, so that neither `target/` nor the state of git matters.
fn copy(root: &Utf8Path, to: &Utf8Path) -> Result<()> {
    for file in FILES {
        let text = fs_err::read_to_string(root.join(file))?;
        if fs_err::read_to_string(to.join(file)).is_ok_and(|found| found == text) {
            continue;
        }
        drift::write(&to.join(file), &text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lane_has_its_own_shell_and_several_share_one() {
        let lanes = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        assert_eq!(shell(&lanes(&["lavapipe"])), "lavapipe");
        assert_eq!(shell(&lanes(&["lavapipe", "swiftshader"])), DEFAULT);
        assert_eq!(shell(&lanes(&["metal"])), DEFAULT);
    }

    #[test]
    fn other_packages_never_reach_the_lock() {
        let words = |nixpkgs| {
            let words = develop(Utf8Path::new("/f"), "lavapipe", nixpkgs);
            words.join(std::ffi::OsStr::new(" ")).into_string().unwrap()
        };
        let plain = "--extra-experimental-features nix-command flakes develop path:/f#lavapipe --command cargo xtask";
        assert_eq!(words(None), plain);
        assert!(
            words(Some("github:a/b")).contains(" --override-input nixpkgs github:a/b --no-write-lock-file --command ")
        );
    }
}
