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

    /// The folder that cargo builds into; asks cargo only where the environment does not say.
    pub fn target(&self) -> Result<Utf8PathBuf> {
        if let Some(folder) = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty()) {
            let folder =
                camino::absolute_utf8(std::path::PathBuf::from(folder)).context("cannot resolve `CARGO_TARGET_DIR`")?;
            return Ok(folder);
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
