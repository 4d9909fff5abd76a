//! Finds out which version of naga this build compiles in, since naga does not say so itself and reports name it.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The lock file of the workspace that is being built: above its target folder or, where that lies elsewhere, above this
/// crate.
fn lock_file() -> Option<PathBuf> {
    ["OUT_DIR", "CARGO_MANIFEST_DIR"].iter().find_map(|variable| {
        let folder = env::var_os(variable)?;
        Path::new(&folder)
            .ancestors()
            .map(|folder| folder.join("Cargo.lock"))
            .find(|path| path.is_file())
    })
}

fn naga_version(lock: &Path) -> Option<String> {
    let lock: toml::Table = fs::read_to_string(lock).ok()?.parse().ok()?;
    let naga = |package: &&toml::Value| package.get("name").and_then(toml::Value::as_str) == Some("naga");
    let version = lock.get("package")?.as_array()?.iter().find(naga)?.get("version")?;
    version.as_str().map(str::to_owned)
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let lock = lock_file();
    if let Some(lock) = &lock {
        println!("cargo::rerun-if-changed={}", lock.display());
    }
    match lock.as_deref().and_then(naga_version) {
        Some(version) => println!("cargo::rustc-env=ISOBIT_NAGA_VERSION={version}"),
        None => {
            println!("cargo::error=no `Cargo.lock` that names the version of naga was found above the target folder")
        }
    }
}
