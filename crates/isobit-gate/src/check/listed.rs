//! Twins that are listed as exact: their fragments, decision records and measured rows.

use camino::Utf8Path;
use isobit::kernel::{Kernel, Registry, Route, Twin};

use super::{Finding, offer, stale, twin_names, wrong};
use crate::config::{Config, Fragment, GATE};
use crate::record::{self, Record, Row, Standing};

/// The folder of decision records, below the workspace root.
const ADRS: &str = "docs/adr";

const ROUTES: [Route; 6] = [
    Route::Integer,
    Route::Host,
    Route::Sealed,
    Route::Soft,
    Route::Ordered,
    Route::SharedMath,
];

/// Every fragment names what exists, claims the routes that its twin declares, and is held to equality by the gate.
pub(super) fn fragments(findings: &mut Vec<Finding>, registry: &Registry, config: &Config, root: &Utf8Path) {
    for fragment in &config.fragments {
        let place = format!("`{}`", fragment.path());
        findings.extend(names(registry, config, fragment, &place));
        adrs(findings, fragment, &place, root);
        if fragment.evidence.trim().is_empty() {
            findings.push(wrong(
                format!("{place} has an empty `evidence`"),
                "say in one line what was measured",
            ));
        }
        let Some((kernel, twin)) = twin(registry, &fragment.kernel, &fragment.twin) else {
            continue;
        };
        routes(findings, fragment, twin, &place);
        let tolerant = kernel
            .metrics
            .iter()
            .flat_map(|metric| config.gate.of(kernel, twin.name, metric.name));
        if let Some(row) = tolerant.into_iter().find(|row| !row.rule.is_exact()) {
            findings.push(wrong(
                format!("{place} lists a twin to which `{GATE}` gives the rule {}", row.rule),
                "a listed twin is exact: repair it, and make its gate entry `rule = \"exact\"`",
            ));
        }
    }
}

fn names(registry: &Registry, config: &Config, fragment: &Fragment, place: &str) -> Vec<Finding> {
    let mut findings = twin_names(registry, place, &fragment.kernel, &fragment.twin, &[]);
    if config.lane(&fragment.lane).is_none() {
        findings.push(wrong(
            format!("{place} names lane `{}`, which does not exist", fragment.lane),
            offer(
                &fragment.lane,
                config.matrix.lanes.iter().map(|lane| lane.name.as_str()),
            ),
        ));
    }
    findings
}

fn adrs(findings: &mut Vec<Finding>, fragment: &Fragment, place: &str, root: &Utf8Path) {
    if fragment.adr.is_empty() {
        findings.push(wrong(
            format!("{place} names no decision record"),
            format!("write one under `{ADRS}/` and name its number in `adr`"),
        ));
    }
    let files: Vec<String> = root
        .join(ADRS)
        .read_dir_utf8()
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_owned()))
        .collect();
    for adr in &fragment.adr {
        let numbered = adr.len() == 4 && adr.bytes().all(|b| b.is_ascii_digit());
        let exists = |file: &String| file.starts_with(&format!("{adr}-")) && file.ends_with(".md");
        if !(numbered && files.iter().any(exists)) {
            findings.push(wrong(
                format!("{place} names decision record `{adr}`, and there is no `{ADRS}/{adr}-*.md`"),
                "name an existing one by its four digits",
            ));
        }
    }
}

fn routes(findings: &mut Vec<Finding>, fragment: &Fragment, twin: &Twin, place: &str) {
    let known = ROUTES.map(Route::name);
    for route in &fragment.routes {
        if !known.contains(&route.as_str()) {
            findings.push(wrong(
                format!("{place} names route `{route}`, which does not exist"),
                offer(route, known),
            ));
            return;
        }
    }
    let declared: Vec<_> = twin.routes.iter().map(|route| route.name()).collect();
    if declared.is_empty() {
        findings.push(wrong(
            format!(
                "{place} lists twin `{}`, which declares no route by which it is exact",
                twin.name
            ),
            "a twin that is equal by luck is not listed",
        ));
    } else if fragment.routes != declared {
        findings.push(wrong(
            format!(
                "{place} claims the routes {}, and the twin declares {}",
                crate::names::list(fragment.routes.iter().map(String::as_str)),
                crate::names::list(declared)
            ),
            "make the two equal, in the same order",
        ));
    }
}

/// Every fragment has a record and every record a fragment, and records are of what is there now.
pub(super) fn records(findings: &mut Vec<Finding>, registry: &Registry, config: &Config) {
    let rows = Row::all(registry, config);
    for (row, standing) in rows.iter().zip(record::standings(&rows, config)) {
        let path = record::path(&row.fragment.kernel, &row.fragment.lane);
        let message = match standing {
            Ok(Standing::Fresh) => continue,
            Ok(Standing::Missing) => format!("`{}` lists a twin without a measured record", row.fragment.path()),
            Ok(Standing::Stale(reason)) => format!("`{path}` is stale: {reason}"),
            Err(error) => {
                findings.push(wrong(
                    format!("`{path}` cannot be checked: {error}"),
                    "repair the kernel; its own tests show where: cargo xtask test",
                ));
                continue;
            }
        };
        findings.push(stale(message, row));
    }
    let listed = |record: &Record| {
        let row = (&record.kernel, &record.lane, &record.twin);
        (config.fragments.iter()).any(|fragment| (&fragment.kernel, &fragment.lane, &fragment.twin) == row)
    };
    for record in config.records.iter().filter(|record| !listed(record)) {
        let path = record.path();
        findings.push(wrong(
            format!("`{path}` is the record of a twin that is not listed as exact"),
            format!("git rm {path}"),
        ));
    }
}

fn twin(registry: &Registry, kernel: &str, twin: &str) -> Option<(&'static Kernel, &'static Twin)> {
    let kernel = registry.kernels.iter().find(|known| known.name == kernel)?;
    Some((kernel, kernel.twin(twin)?))
}
