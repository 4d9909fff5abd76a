//! What can be checked without a device: that registry, `ci/` and `docs/adr/` agree, and that records are fresh.

mod entries;
mod listed;

use std::collections::BTreeSet;

use camino::Utf8Path;
use isobit::kernel::Registry;

use crate::config::Config;
use crate::exit;
use crate::names;
use crate::record::Row;
use crate::variants;

/// Something that is not as it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is wrong, or only out of date.
    pub class: Class,
    /// One sentence, naming file and place.
    pub message: String,
    /// What repairs it.
    pub hint: String,
    /// The lane that has to be measured, where that repairs it.
    pub lane: Option<String>,
}

/// The classes of [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Something measured does not match what it was measured from; measuring again repairs it.
    Stale,
    /// A file is wrong, and somebody has to decide.
    Wrong,
}

/// Everything that is not as it has to be, in the order in which files are read.
///
/// Runs the references of kernels with records, and reads nothing but the names of files below `root`.
pub fn run(registry: &Registry, config: &Config, root: &Utf8Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let registry = &match variants::declared(registry, config) {
        Ok(registry) => registry,
        Err(error) => {
            let message = error.to_string();
            let (message, hint) = message.split_once("\nhint: ").unwrap_or((&message, ""));
            return vec![wrong(message.to_owned(), hint)];
        }
    };
    entries::registry(&mut findings, registry);
    entries::variants(&mut findings, registry, config);
    entries::quick(&mut findings, registry, config);
    entries::gate(&mut findings, registry, config);
    entries::devices(&mut findings, registry, config);
    entries::expectations(&mut findings, registry, config);
    listed::fragments(&mut findings, registry, config, root);
    listed::records(&mut findings, registry, config);
    findings
}

/// The exit code of `findings`; see [`exit::EXIT_CODES`].
pub fn exit_code(findings: &[Finding]) -> u8 {
    match findings.iter().map(|finding| finding.class).max() {
        None => exit::OK,
        Some(Class::Stale) => exit::STALE,
        Some(Class::Wrong) => exit::UNTRUSTED,
    }
}

fn wrong(message: String, hint: impl Into<String>) -> Finding {
    Finding {
        class: Class::Wrong,
        message,
        hint: hint.into(),
        lane: None,
    }
}

fn stale(message: String, row: &Row<'_>) -> Finding {
    Finding {
        class: Class::Stale,
        message,
        hint: row.command(),
        lane: Some(row.fragment.lane.clone()),
    }
}

/// The command that measures whatever is stale, where that is more than one row.
pub fn measure_all(findings: &[Finding]) -> Option<String> {
    let lanes: Vec<&str> = findings.iter().filter_map(|finding| finding.lane.as_deref()).collect();
    let several: BTreeSet<&str> = lanes.iter().copied().collect();
    (lanes.len() > 1).then(|| {
        let lanes = several.into_iter().collect::<Vec<_>>().join(",");
        format!("cargo xtask parity --matrix --record --stale --lanes {lanes}")
    })
}

/// A hint for a name that does not exist.
fn offer<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match names::nearest(name, known.clone()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("the valid names are {}", names::list(known)),
    }
}

/// What is wrong with the names of a twin and of its metrics; controls have no entries.
fn twin_names(registry: &Registry, place: &str, kernel: &str, twin: &str, metrics: &[String]) -> Vec<Finding> {
    let kernels = registry.kernels.iter().map(|kernel| kernel.name);
    let Some(known) = registry.kernels.iter().find(|known| known.name == kernel) else {
        return vec![wrong(
            format!("{place} names kernel `{kernel}`, which is not registered"),
            offer(kernel, kernels),
        )];
    };
    let twins = known.twins.iter().map(|twin| twin.name);
    if known.twin(twin).is_none() {
        return vec![wrong(
            format!("{place} names twin `{kernel}/{twin}`, which is not registered"),
            offer(twin, twins),
        )];
    }
    let unknown = metrics.iter().filter(|metric| known.metric(metric).is_none());
    unknown
        .map(|metric| {
            wrong(
                format!("{place} names metric `{metric}`, which `{kernel}` does not have"),
                offer(metric, known.metrics.iter().map(|metric| metric.name)),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests;
