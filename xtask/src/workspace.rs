//! Where things are: the root of the workspace and the folder that cargo builds into.

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

use crate::proc::Proc;

/// The workspace that this driver was built from.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The folder with the workspace's `Cargo.toml`.
    pub root: Utf8PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    target_directory: Utf8PathBuf,
}

impl Workspace {
    /// Finds the root: cargo names the package's folder when it runs the driver, the build names it otherwise.
    pub fn find() -> Result<Self> {
        let package = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Utf8Path::new(&package)
            .parent()
            .with_context(|| format!("`{package}` is not inside a workspace"))?;
        Ok(Self { root: root.to_owned() })
    }

    /// The folder that cargo builds into: as the environment says, or else the one that this program was built into, or
    /// else what cargo says, which takes longer than all the rest of a warm call.
    pub fn target(&self) -> Result<Utf8PathBuf> {
        if let Some(folder) = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty()) {
            return camino::absolute_utf8(std::path::PathBuf::from(folder))
                .context("cannot resolve `CARGO_TARGET_DIR`");
        }
        let program = std::env::current_exe()
            .ok()
            .and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
        if let Some(folder) = program.as_deref().and_then(marked) {
            return Ok(folder.to_owned());
        }
        let proc = Proc::new(&self.root)?;
        let command = proc
            .cmd("cargo")
            .args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
        let metadata: Metadata =
            serde_json::from_str(&proc.read(command)?).context("cannot read the output of `cargo metadata`")?;
        Ok(metadata.target_directory)
    }

    /// The folder for everything that Isobit itself keeps: drivers, reports, package state.
    pub fn state(&self) -> Result<Utf8PathBuf> {
        Ok(self.target()?.join("isobit"))
    }
}

/// The nearest folder above `program` that cargo has marked as the one it builds into.
fn marked(program: &Utf8Path) -> Option<&Utf8Path> {
    let mark = |folder: &&Utf8Path| folder.join(".rustc_info.json").is_file() || folder.join("CACHEDIR.TAG").is_file();
    program.ancestors().skip(1).find(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_folder_is_found_from_a_program_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let target = Utf8Path::from_path(dir.path()).unwrap();
        let program = target.join("x86_64-unknown-linux-gnu/debug/xtask");
        assert_eq!(marked(&program), None);
        fs_err::write(target.join("CACHEDIR.TAG"), "").unwrap();
        assert_eq!(marked(&program), Some(target));
    }
}
