//! The rules that a cell is held to, and where each comes from.
//!
//! The first of these that speaks of the cell decides: `--hold-exact`, the fragment that lists the twin as exact, the
//! calibration of the device, the gate entry. A control's twins are held to equality.

use isobit::execution::AdapterFacts;
use isobit::kernel::Metric;
use isobit::tolerance::Rule;

use crate::cell::Cell;
use crate::config::{Config, RuleRow, answers_to};

/// One rule for one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricRule {
    /// The metric.
    pub metric: &'static Metric,
    /// The rule, its bounds scaled to the frame.
    pub rule: Rule,
    /// Where it comes from: `control`, `held-exact`, `exact:<adr>`, `calibrated:<pattern>` or `gate`, the last two with
    /// `+area x<factor>` where bounds grew with the frame.
    pub source: String,
}

/// Why a cell has no rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// Nothing is said about a metric.
    #[error("`ci/gate.toml` has no entry for metric `{metric}` of `{kernel}/{twin}`")]
    NoEntry {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the twin.
        twin: &'static str,
        /// Name of the metric.
        metric: &'static str,
    },
    /// A twin that is listed as exact has a tolerance.
    #[error(
        "`{fragment}` lists `{kernel}/{twin}` as exact, and `ci/gate.toml` gives metric `{metric}` the rule {rule}"
    )]
    NotExact {
        /// The fragment.
        fragment: String,
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the twin.
        twin: &'static str,
        /// Name of the metric.
        metric: &'static str,
        /// The rule, in words.
        rule: String,
    },
}

/// The rules for every metric of `cell` on `adapter`; all of them have to hold.
///
/// `hold_exact` names the lanes that are compared at 0 whatever is declared.
///
/// # Errors
/// If a metric has no rule, or a listed twin has a tolerance.
pub fn rules(
    config: &Config,
    cell: &Cell,
    adapter: &AdapterFacts,
    hold_exact: &[String],
) -> Result<Vec<MetricRule>, ResolveError> {
    let mut rules = Vec::new();
    for metric in cell.kernel.metrics {
        let with = |rule: Rule, source: String| MetricRule { metric, rule, source };
        if cell.control.is_some() {
            rules.push(with(Rule::EXACT, "control".to_owned()));
            continue;
        }
        let (kernel, twin) = (cell.kernel.name, cell.twin.name);
        let entry: Vec<&RuleRow> = config.gate.of(cell.kernel, twin, metric.name);
        if entry.is_empty() {
            return Err(ResolveError::NoEntry {
                kernel,
                twin,
                metric: metric.name,
            });
        }
        let tolerant = entry.iter().find(|row| !row.rule.is_exact());
        if hold_exact.iter().any(|name| answers_to(&cell.lane, name)) {
            // An entry that lets −0 and +0 agree says what equality means for the metric, so it stays.
            let equality = tolerant.map_or_else(|| entry[0].rule.clone(), |_| Rule::EXACT);
            rules.push(with(equality, "held-exact".to_owned()));
        } else if let Some(fragment) = config.fragment(kernel, twin, &cell.lane) {
            if let Some(row) = tolerant {
                return Err(ResolveError::NotExact {
                    fragment: fragment.path().into_string(),
                    kernel,
                    twin,
                    metric: metric.name,
                    rule: row.rule.to_string(),
                });
            }
            rules.extend(entry.iter().map(|row| with(row.rule.clone(), fragment.label())));
        } else {
            let calibrated = calibrated(config, cell, adapter, metric);
            let (rows, label) = match &calibrated {
                Some((pattern, rows)) => (rows, format!("calibrated:{pattern}")),
                None => (&entry, "gate".to_owned()),
            };
            rules.extend(rows.iter().map(|row| {
                let (rule, source) = scaled(row, cell, &label);
                with(rule, source)
            }));
        }
    }
    Ok(rules)
}

/// The pattern and the rows of the most specific calibration for `metric`: the one with the longest literal prefix, the
/// first in the file among equals.
fn calibrated<'a>(
    config: &'a Config,
    cell: &Cell,
    adapter: &AdapterFacts,
    metric: &'static Metric,
) -> Option<(&'a str, Vec<&'a RuleRow>)> {
    let candidates = config.devices.iter().filter_map(|calibration| {
        let rows = calibration.kernel.of(cell.kernel, cell.twin.name, metric.name);
        let speaks = calibration.covers(&cell.lane, &adapter.name) && !rows.is_empty();
        speaks.then_some((calibration, rows))
    });
    let best = candidates.reduce(|best, next| {
        if next.0.literal_prefix() > best.0.literal_prefix() {
            next
        } else {
            best
        }
    });
    best.map(|(calibration, rows)| (calibration.devices.as_str(), rows))
}

/// The rule of `row` for the frames of `cell`, and its source.
fn scaled(row: &RuleRow, cell: &Cell, label: &str) -> (Rule, String) {
    let factor = row
        .area
        .zip(cell.shape())
        .map_or(1.0, |(area, shape)| area.factor(shape.width, shape.height));
    if factor > 1.0 {
        (row.rule.scaled(factor), format!("{label}+area x{factor:.2}"))
    } else {
        (row.rule.clone(), label.to_owned())
    }
}

#[cfg(test)]
mod tests;
