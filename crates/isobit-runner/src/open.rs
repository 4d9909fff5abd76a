//! `parity open`: proves that a driver loads, by creating a device in a confined worker.

use std::process::ExitCode;

use anyhow::{Context, Result};
use camino::Utf8Path;
use isobit_gate::args::Driver;
use isobit_gate::config::Config;
use isobit_gate::exit;

use crate::client::Worker;
use crate::run::UsageError;

/// Opens the adapter of `lane` and prints it as one line of JSON; exit code 2 where it cannot be opened.
///
/// # Errors
/// If the configuration cannot be read or names no such lane.
pub fn open(root: &Utf8Path, lane: &str, drivers: &[Driver]) -> Result<ExitCode> {
    let config = Config::load(root)?;
    let lane = (config.matrix.lanes.iter().find(|candidate| candidate.name == lane))
        .ok_or_else(|| UsageError(format!("`ci/matrix.toml` declares no lane `{lane}`")))?;
    let driver = drivers.iter().find(|driver| Some(&driver.name) == lane.driver.as_ref());
    let cache = tempfile::tempdir().context("create a folder for the driver's cache")?;
    let cache = Utf8Path::from_path(cache.path()).context("the temporary folder's path is not UTF-8")?;
    let opened = Worker::start(root, lane, driver, cache).and_then(|mut worker| worker.open(lane));
    match opened {
        Ok(adapter) => {
            println!("{}", serde_json::to_string(&adapter)?);
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("error: lane `{}`: {error}", lane.name);
            Ok(exit::UNTRUSTED.into())
        }
    }
}
