//! Writes the golden masters from the references as they are now, and says how they differ from the masters as they were.
//!
//! Masters that are new are written. With `--replace`, those whose reference has moved are replaced and those without a
//! kernel are removed; without it they are kept, listed, and the exit code is 1.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use isobit::kernel::Kernel;
use isobit_golden::{Master, compare};
use isobit_registry::registry;

/// Differences that are told of one kernel.
const TOLD: usize = 5;

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let replace = arguments == ["--replace"];
    ensure!(
        replace || arguments.is_empty(),
        "unknown arguments `{}`\nhint: cargo run --release -p isobit-registry --example golden [-- --replace]",
        arguments.join(" ")
    );

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    let mut kept = 0;
    let mut bytes = 0;
    let mut expected = BTreeSet::new();
    for kernel in registry().kernels {
        let path = folder.join(kernel.name).with_extension("zst");
        kept += usize::from(!update(kernel, &path, replace)?);
        bytes += fs::metadata(&path).map_or(0, |file| file.len());
        expected.insert(path);
    }
    for path in stray(&folder, &expected)? {
        if replace {
            fs::remove_file(&path).with_context(|| format!("cannot remove `{}`", path.display()))?;
            println!("dropped  {}", path.display());
        } else {
            println!("GONE     {}: no kernel has that name", path.display());
            kept += 1;
        }
    }
    println!("{} masters, {bytes} bytes in `{}`", expected.len(), folder.display());
    if kept > 0 {
        println!("hint: cargo run --release -p isobit-registry --example golden -- --replace");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Brings one master up to date; `false` where an old one was kept that no longer holds.
fn update(kernel: &Kernel, path: &Path, replace: bool) -> Result<bool> {
    let now = Master::of(kernel)?;
    if path.exists() {
        let old = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let differences = match Master::from_bytes(&old) {
            Ok(old) => compare(&old, &now).iter().map(ToString::to_string).collect(),
            Err(error) => vec![format!("the file is damaged: {error}")],
        };
        if differences.is_empty() {
            return Ok(true);
        }
        let word = if replace { "replaced" } else { "CHANGED " };
        println!("{word} {} in {} cases", kernel.name, differences.len());
        for difference in differences.iter().take(TOLD) {
            println!("           {difference}");
        }
        if !replace {
            return Ok(false);
        }
    } else {
        println!("new      {}", kernel.name);
    }
    let new = path.with_extension("zst.new");
    fs::write(&new, now.to_bytes()?).with_context(|| format!("cannot write `{}`", new.display()))?;
    fs::rename(&new, path).with_context(|| format!("cannot replace `{}`", path.display()))?;
    Ok(true)
}

/// Files in the folder that belong to no kernel.
fn stray(folder: &Path, expected: &BTreeSet<PathBuf>) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    let mut stray = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if !expected.contains(&path) {
            stray.push(path);
        }
    }
    stray.sort();
    Ok(stray)
}
