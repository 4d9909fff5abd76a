//! What the templates of the reference pages see: plain text and lists, taken from the registry and from `ci/`.

mod cost;

use std::collections::{BTreeMap, BTreeSet};

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Kernel, MetricKind, NanPolicy, Registry, Twin};
use isobit_gate::config::{Config, Entries, Fragment};
use isobit_gate::cost::Cost;
use isobit_gate::exit::EXIT_CODES;
use isobit_gate::record::Record;
use serde::Serialize;

use self::cost::CostTable;

/// Everything.
#[derive(Debug, Serialize)]
pub struct Model {
    kernels: Vec<KernelRow>,
    controls: Vec<String>,
    lanes: Vec<LaneRow>,
    exact_twins: Vec<ExactRow>,
    records: Vec<RecordTable>,
    tolerances: Vec<RuleLine>,
    calibrations: Vec<CalibrationRow>,
    expectations: Vec<ExpectationRow>,
    exit_codes: Vec<ExitRow>,
    costs: Vec<CostTable>,
}

#[derive(Debug, Serialize)]
struct KernelRow {
    name: &'static str,
    summary: &'static str,
    clips: usize,
    formats: Vec<String>,
    metrics: Vec<MetricRow>,
    twins: Vec<TwinRow>,
}

#[derive(Debug, Serialize)]
struct MetricRow {
    name: &'static str,
    kind: &'static str,
    nan: &'static str,
}

#[derive(Debug, Serialize)]
struct TwinRow {
    name: &'static str,
    routes: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct LaneRow {
    name: String,
    summary: String,
    driver: Option<String>,
    default: bool,
}

#[derive(Debug, Serialize)]
struct ExactRow {
    kernel: String,
    twin: String,
    lane: String,
    adr: Vec<Decision>,
    routes: Vec<String>,
    evidence: String,
    measured: Option<Extent>,
}

/// A decision record; without a file where there is none of that number.
#[derive(Debug, Serialize)]
struct Decision {
    number: String,
    file: Option<String>,
}

#[derive(Debug, Serialize)]
struct Extent {
    cells: usize,
    fixtures: usize,
}

/// A record as a table: fixtures downwards, formats across, compared elements inside.
#[derive(Debug, Serialize)]
struct RecordTable {
    kernel: String,
    twin: String,
    lane: String,
    adapter: String,
    driver: String,
    compiler: String,
    isobit_version: String,
    formats: Vec<String>,
    rows: Vec<FixtureRow>,
}

#[derive(Debug, Serialize)]
struct FixtureRow {
    fixture: String,
    elements: Vec<Option<u64>>,
}

#[derive(Debug, Serialize)]
struct RuleLine {
    kernel: String,
    twin: String,
    metrics: Vec<String>,
    rule: String,
    area: Option<String>,
    reason: String,
}

#[derive(Debug, Serialize)]
struct CalibrationRow {
    devices: String,
    rules: Vec<RuleLine>,
}

#[derive(Debug, Serialize)]
struct ExpectationRow {
    scope: String,
    status: String,
    reason: String,
    link: String,
}

#[derive(Debug, Serialize)]
struct ExitRow {
    code: u8,
    name: &'static str,
    meaning: &'static str,
}

impl Model {
    /// The model of a registry, what `ci/` declares, the file names of the decision records and the measured costs.
    pub fn new(registry: &Registry, config: &Config, decisions: &[String], costs: &[Cost]) -> Self {
        let lanes = config.matrix.lanes.iter().map(|lane| LaneRow {
            name: lane.name.clone(),
            summary: lane.summary.clone(),
            driver: lane.driver.clone(),
            default: lane.default,
        });
        let calibrations = config.devices.iter().map(|calibration| CalibrationRow {
            devices: calibration.devices.clone(),
            rules: rules(&calibration.kernel),
        });
        let expectations = config.expectations.iter().map(|expectation| ExpectationRow {
            scope: expectation.scope(),
            status: expectation.status.status().to_string(),
            reason: expectation.reason.clone(),
            link: expectation.link.clone(),
        });
        let exits = EXIT_CODES
            .iter()
            .map(|&(code, name, meaning)| ExitRow { code, name, meaning });
        Self {
            kernels: registry.kernels.iter().map(kernel).collect(),
            controls: registry
                .controls
                .iter()
                .map(|control| control.kernel.name.to_owned())
                .collect(),
            lanes: lanes.collect(),
            exact_twins: config
                .fragments
                .iter()
                .map(|fragment| exact(fragment, &config.records, decisions))
                .collect(),
            records: config.records.iter().map(table).collect(),
            tolerances: rules(&config.gate),
            calibrations: calibrations.collect(),
            expectations: expectations.collect(),
            exit_codes: exits.collect(),
            costs: costs.iter().map(CostTable::new).collect(),
        }
    }
}

fn kernel(kernel: &Kernel) -> KernelRow {
    let metrics = kernel.metrics.iter().map(|metric| MetricRow {
        name: metric.name,
        kind: match metric.kind {
            MetricKind::Score => "score",
            MetricKind::Plane(_) => "plane",
            MetricKind::ClipPlane(_) => "plane of the clip",
        },
        nan: match metric.nan {
            NanPolicy::Never => "never agrees",
            NanPolicy::Class => "agrees with NaN",
        },
    });
    KernelRow {
        name: kernel.name,
        summary: kernel.summary,
        clips: kernel.clips,
        formats: formats(kernel),
        metrics: metrics.collect(),
        twins: kernel.twins.iter().map(twin).collect(),
    }
}

fn twin(twin: &Twin) -> TwinRow {
    TwinRow {
        name: twin.name,
        routes: twin.routes.iter().map(|route| route.name()).collect(),
    }
}

/// What a kernel accepts, a layout at a time: `yuv420 at 8, 10, 12, 16`.
fn formats(kernel: &Kernel) -> Vec<String> {
    let line = |layout: Layout| {
        let depths = Depth::ALL
            .into_iter()
            .filter(|&depth| (kernel.accepts)(Format::new(layout, depth)));
        let depths: Vec<_> = depths.map(Depth::name).collect();
        (!depths.is_empty()).then(|| format!("{layout} at {}", depths.join(", ")))
    };
    Layout::ALL.into_iter().filter_map(line).collect()
}

fn exact(fragment: &Fragment, records: &[Record], decisions: &[String]) -> ExactRow {
    let of = |record: &&Record| {
        (&record.kernel, &record.lane, &record.twin) == (&fragment.kernel, &fragment.lane, &fragment.twin)
    };
    ExactRow {
        kernel: fragment.kernel.clone(),
        twin: fragment.twin.clone(),
        lane: fragment.lane.clone(),
        adr: fragment.adr.iter().map(|number| decision(number, decisions)).collect(),
        routes: fragment.routes.clone(),
        evidence: fragment.evidence.clone(),
        measured: records.iter().find(of).map(extent),
    }
}

fn decision(number: &str, files: &[String]) -> Decision {
    let of = |file: &&String| file.strip_prefix(number).is_some_and(|rest| rest.starts_with('-'));
    Decision {
        number: number.to_owned(),
        file: files.iter().find(of).cloned(),
    }
}

fn extent(record: &Record) -> Extent {
    Extent {
        cells: record.elements.values().map(BTreeMap::len).sum(),
        fixtures: record.elements.len(),
    }
}

fn table(record: &Record) -> RecordTable {
    let names: BTreeSet<&String> = record.elements.values().flat_map(BTreeMap::keys).collect();
    let mut formats: Vec<&String> = names.into_iter().collect();
    // By layout and depth, not by spelling: 8 comes before 10.
    formats.sort_by_key(|name| name.parse::<Format>().ok());
    let rows = record.elements.iter().map(|(fixture, row)| FixtureRow {
        fixture: fixture.clone(),
        elements: formats.iter().map(|format| row.get(*format).copied()).collect(),
    });
    RecordTable {
        kernel: record.kernel.clone(),
        twin: record.twin.clone(),
        lane: record.lane.clone(),
        adapter: record.adapter.name.clone(),
        driver: format!("{} {}", record.adapter.driver, record.adapter.driver_info)
            .trim()
            .to_owned(),
        compiler: record.adapter.compiler.clone(),
        isobit_version: record.isobit_version.clone(),
        rows: rows.collect(),
        formats: formats.into_iter().cloned().collect(),
    }
}

fn rules(entries: &Entries) -> Vec<RuleLine> {
    let line = |(kernel, twin, row): (&str, &str, &isobit_gate::config::RuleRow)| RuleLine {
        kernel: kernel.to_owned(),
        twin: twin.to_owned(),
        metrics: row.metrics.clone(),
        rule: row.rule.to_string(),
        area: row.area.map(|area| {
            let [width, height] = area.reference;
            format!("× (area / {width}×{height})^{}", area.exponent)
        }),
        reason: row.reason.clone(),
    };
    entries.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_linked_by_its_whole_number() {
        let files = ["00010-other.md", "0001-exact-routes.md"].map(str::to_owned);
        assert_eq!(decision("0001", &files).file.as_deref(), Some("0001-exact-routes.md"));
        assert_eq!(decision("0002", &files).file, None);
    }
}
