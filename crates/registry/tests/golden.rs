//! Every reference yields what its golden master holds, and there is a master for each kernel and no other.

#![expect(clippy::panic, reason = "a master or a reference that cannot be had is a failure")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use isobit::kernel::Kernel;
use isobit_golden::{Difference, Master, compare};
use isobit_registry::registry;

/// Differences that are told of one kernel.
const TOLD: usize = 5;
const HINT: &str = "hint: cargo run --release -p isobit-registry --example golden";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

#[test]
fn there_is_exactly_one_master_for_each_kernel() {
    let kernels: BTreeSet<String> = registry()
        .kernels
        .iter()
        .map(|kernel| format!("{}.zst", kernel.name))
        .collect();
    let files = std::fs::read_dir(folder()).unwrap();
    let masters: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let list = |names: Vec<&String>| {
        names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (missing, stray) = (
        list(kernels.difference(&masters).collect()),
        list(masters.difference(&kernels).collect()),
    );
    assert!(
        missing.is_empty() && stray.is_empty(),
        "masters that are missing: {missing}; masters without a kernel: {stray}\n{HINT} -- --replace"
    );
}

#[test]
fn all_masters_together_are_small() {
    let files = std::fs::read_dir(folder()).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes < 3 << 20, "the masters take {bytes} bytes of the repository");
}

/// The first differences of a kernel, where it has a master.
fn differences(kernel: &Kernel) -> Vec<Difference> {
    let path = folder().join(kernel.name).with_extension("zst");
    let Ok(bytes) = std::fs::read(&path) else {
        return Vec::new();
    };
    let master = Master::from_bytes(&bytes).unwrap_or_else(|error| panic!("`{}`: {error}", path.display()));
    let reference = Master::of(kernel).unwrap_or_else(|error| panic!("{error}"));
    compare(&master, &reference)
}

#[test]
fn every_reference_yields_what_its_master_holds() {
    let kernels = registry().kernels;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut lines = Vec::new();
        while let Some(kernel) = kernels.get(next.fetch_add(1, Ordering::Relaxed)) {
            let differences = differences(kernel);
            let told = differences.iter().take(TOLD);
            lines.extend(told.map(|difference| format!("`{}` {difference}", kernel.name)));
            if differences.len() > TOLD {
                lines.push(format!("`{}` and {} more cases", kernel.name, differences.len() - TOLD));
            }
        }
        lines
    };
    let lines: Vec<String> = std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(
        lines.is_empty(),
        "references moved away from their golden masters:\n{}\n{HINT}",
        lines.join("\n")
    );
}
