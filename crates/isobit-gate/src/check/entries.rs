//! Registry, quick set, gate entries, calibrations and expectations against each other.

use std::collections::BTreeSet;

use isobit::kernel::{Registry, Symptom};

use super::{Finding, offer, twin_names, wrong};
use crate::cell::{cases, cases_named};
use crate::config::{Config, DEVICES, EXPECTATIONS, Entries, GATE, MATRIX};

/// Names are unique, every kernel has something to compare, and every control can turn red.
pub(super) fn registry(findings: &mut Vec<Finding>, registry: &Registry) {
    let mut seen = BTreeSet::new();
    let controls = registry.controls.iter().map(|control| &control.kernel);
    for kernel in registry.kernels.iter().chain(controls) {
        let name = kernel.name;
        if !seen.insert(name) {
            findings.push(wrong(
                format!("two kernels or controls are named `{name}`"),
                "rename one of them in the registry",
            ));
        }
        if kernel.metrics.is_empty() || kernel.twins.is_empty() {
            findings.push(wrong(
                format!("`{name}` has no metric or no twin, so nothing can be compared"),
                "declare at least one of each",
            ));
        }
    }
    for kernel in registry.kernels {
        if cases(kernel).next().is_none() {
            findings.push(wrong(
                format!(
                    "`{}` accepts no format that a fixture exists in, so it has no cell",
                    kernel.name
                ),
                "add a fixture in one of its formats",
            ));
        }
    }
    for control in registry.controls {
        if control
            .formats
            .iter()
            .all(|&format| (control.symptom)(format) == Symptom::None)
        {
            findings.push(wrong(
                format!(
                    "control `{}` is not expected to turn red in any format",
                    control.kernel.name
                ),
                "run it in a format in which its fault bites",
            ));
        }
    }
}

/// Variants name fixtures that exist, in a format that their kernel takes.
pub(super) fn variants(findings: &mut Vec<Finding>, registry: &Registry, config: &Config) {
    for variant in &config.matrix.variants {
        let Some(kernel) = registry.kernels.iter().find(|kernel| variant.is(kernel)) else {
            continue;
        };
        for name in &variant.fixtures {
            if isobit_fixtures::named(name).is_none() {
                let known = isobit_fixtures::all().iter().map(|fixture| fixture.name);
                findings.push(wrong(
                    format!(
                        "`{MATRIX}` names fixture `{name}` for `{}`, which does not exist",
                        kernel.name
                    ),
                    offer(name, known),
                ));
            } else if cases_named(kernel, None, std::slice::from_ref(name)).next().is_none() {
                findings.push(wrong(
                    format!(
                        "`{MATRIX}` names fixture `{name}` for `{}`, which takes none of its formats",
                        kernel.name
                    ),
                    "name another fixture",
                ));
            }
        }
    }
}

/// The quick set exists and touches every kernel.
pub(super) fn quick(findings: &mut Vec<Finding>, registry: &Registry, config: &Config) {
    let quick = &config.matrix.quick;
    for name in &quick.fixtures {
        if isobit_fixtures::named(name).is_none() {
            let known = isobit_fixtures::all().iter().map(|fixture| fixture.name);
            findings.push(wrong(
                format!("`{MATRIX}` names fixture `{name}` in the quick set, which does not exist"),
                offer(name, known),
            ));
        }
    }
    for kernel in registry.kernels {
        let covered = cases(kernel).any(|(fixture, format, _)| {
            quick.fixtures.iter().any(|name| name == fixture.name) && quick.depths.contains(&format.depth)
        });
        if !covered {
            findings.push(wrong(
                format!("the quick set of `{MATRIX}` has no cell of `{}`", kernel.name),
                "add a fixture and a depth that the kernel takes",
            ));
        }
    }
}

/// Every metric of every twin has a rule, and no rule is for something that does not exist.
pub(super) fn gate(findings: &mut Vec<Finding>, registry: &Registry, config: &Config) {
    for kernel in registry.kernels {
        for twin in kernel.twins {
            let bare = |metric: &&str| config.gate.of(kernel, twin.name, metric).is_empty();
            let bare: Vec<_> = kernel
                .metrics
                .iter()
                .map(|metric| metric.name)
                .filter(|m| bare(m))
                .collect();
            if !bare.is_empty() {
                let (kernel, twin) = (kernel.name, twin.name);
                findings.push(wrong(
                    format!(
                        "`{GATE}` has no entry for {} of `{kernel}/{twin}`",
                        crate::names::list(bare)
                    ),
                    format!("add a row [[kernel.{kernel}.{twin}]] with `metrics`, `rule` and `reason`"),
                ));
            }
        }
    }
    rows(findings, registry, &format!("`{GATE}`"), &config.gate);
}

/// Calibrations name what exists, and lanes that exist.
pub(super) fn devices(findings: &mut Vec<Finding>, registry: &Registry, config: &Config) {
    for calibration in &config.devices {
        let place = format!("`{DEVICES}`, devices `{}`,", calibration.devices);
        let lane = calibration.devices.split(['/', '*', '?']).next().unwrap_or_default();
        let whole = calibration.devices[lane.len()..].starts_with('/');
        if whole && config.lane(lane).is_none() {
            findings.push(wrong(
                format!("{place} name lane `{lane}`, which does not exist"),
                offer(lane, config.matrix.lanes.iter().map(|lane| lane.name.as_str())),
            ));
        }
        rows(findings, registry, &place, &calibration.kernel);
    }
}

fn rows(findings: &mut Vec<Finding>, registry: &Registry, place: &str, entries: &Entries) {
    for (kernel, twin, row) in entries.iter() {
        for finding in twin_names(registry, place, kernel, twin, &row.metrics) {
            // Several rows of one unknown kernel are one mistake.
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }
}

/// Expectations name what exists, cover at least one cell of the full matrix, and none of a twin that is listed as exact.
pub(super) fn expectations(findings: &mut Vec<Finding>, registry: &Registry, config: &Config) {
    for expectation in &config.expectations {
        let scope = expectation.scope();
        let place = format!("`{EXPECTATIONS}`, expectation `{scope}`,");
        let unknown = twin_names(registry, &place, &expectation.kernel, &expectation.twin, &[]);
        if !unknown.is_empty() {
            findings.extend(unknown);
            continue;
        }
        if config.lane(&expectation.lane).is_none() {
            findings.push(wrong(
                format!("{place} names lane `{}`, which does not exist", expectation.lane),
                offer(
                    &expectation.lane,
                    config.matrix.lanes.iter().map(|lane| lane.name.as_str()),
                ),
            ));
            continue;
        }
        let kernel = registry.kernels.iter().find(|kernel| kernel.name == expectation.kernel);
        let covered = kernel.into_iter().flat_map(cases).any(|(fixture, format, _)| {
            let (kernel, twin) = (&expectation.kernel, &expectation.twin);
            expectation.covers(kernel, twin, &format.to_string(), fixture.name, &expectation.lane)
        });
        if !covered {
            findings.push(wrong(
                format!("{place} covers no cell of the matrix"),
                "remove it, or correct its patterns; list the cells: cargo xtask parity --matrix --list",
            ));
        }
        if let Some(fragment) = config.fragment(&expectation.kernel, &expectation.twin, &expectation.lane) {
            findings.push(wrong(
                format!("{place} excuses a twin that `{}` lists as exact", fragment.path()),
                "repair the twin and remove the expectation",
            ));
        }
        if expectation.reason.trim().is_empty() || expectation.link.trim().is_empty() {
            findings.push(wrong(
                format!("{place} has an empty `reason` or `link`"),
                "say why the deviation is known and where it is tracked",
            ));
        }
    }
}
