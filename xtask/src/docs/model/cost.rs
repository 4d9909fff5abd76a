//! What the template of the page of costs sees: a measured file as tables of text.

use isobit::execution::Phases;
use isobit_gate::cost::{Cost, CostRow, FunctionCost, WholeCost, WholeTwin};
use serde::Serialize;

/// The costs on one lane of one machine.
#[derive(Debug, Serialize)]
pub(super) struct CostTable {
    lane: String,
    adapter: String,
    driver: String,
    compiler: String,
    host: String,
    isobit_version: String,
    commit: String,
    rounds: usize,
    rows: Vec<CostLine>,
    /// Kernels with steps on the host, and the nanoseconds a sample that these take.
    hosts: Vec<[String; 2]>,
    /// What has no row, and why.
    unmeasured: Vec<[String; 2]>,
    wholes: Vec<WholeTable>,
    functions: Vec<FunctionLine>,
}

/// A clip through a kernel as a whole.
#[derive(Debug, Serialize)]
struct WholeTable {
    kernel: String,
    clip: String,
    /// The reference and each twin: name, runs; the phases, their sum; frames a second, nanoseconds a sample, gain.
    lines: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct CostLine {
    kernel: String,
    format: String,
    /// Columns, rows and, of more than one, frames.
    size: String,
    /// Copy, native, exact, reference; then the three ratios.
    numbers: Vec<String>,
}

#[derive(Debug, Serialize)]
struct FunctionLine {
    function: String,
    /// The native counterpart as code.
    native: String,
    /// Frame, native, exact, Rust; then the two ratios.
    numbers: Vec<String>,
}

impl CostTable {
    /// The tables of one file.
    pub(super) fn new(cost: &Cost) -> Self {
        let (adapter, host) = (&cost.adapter, &cost.host);
        Self {
            lane: cost.lane.clone(),
            adapter: adapter.name.clone(),
            driver: format!("{} {}", adapter.driver, adapter.driver_info).trim().to_owned(),
            compiler: adapter.compiler.clone(),
            host: format!("{} {}, {}, {} cores", host.os, host.arch, host.cpu, host.cores),
            isobit_version: cost.isobit_version.clone(),
            commit: cost.commit.clone().unwrap_or_else(|| "outside a repository".to_owned()),
            rounds: cost.rounds,
            rows: cost.rows.iter().map(cost_line).collect(),
            hosts: cost.rows.iter().filter_map(of_host).collect(),
            unmeasured: (cost.unmeasured.iter())
                .map(|not| [not.what.clone(), not.reason.clone()])
                .collect(),
            wholes: cost.wholes.iter().map(whole).collect(),
            functions: cost.functions.iter().map(function_line).collect(),
        }
    }
}

fn dash() -> String {
    "–".to_owned()
}

fn time(ns: Option<f64>) -> String {
    ns.map_or_else(dash, |ns| format!("{ns:.3}"))
}

fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(dash, |ratio| format!("{ratio:.2}×"))
}

fn cost_line(row: &CostRow) -> CostLine {
    let share = row
        .share_of_copy()
        .map_or_else(dash, |share| format!("{:.0}%", share * 100.0));
    CostLine {
        kernel: row.kernel.clone(),
        format: row.format.clone(),
        size: extent(row.size, row.frames),
        numbers: vec![
            time(Some(row.copy_ns)),
            time(row.native_ns),
            time(row.exact_ns),
            time(Some(row.reference_ns)),
            times(row.ratio()),
            share,
            times(row.gain()),
        ],
    }
}

fn extent([width, height]: [u32; 2], frames: usize) -> String {
    match frames {
        1 => format!("{width}×{height}"),
        _ => format!("{width}×{height}, {frames} frames"),
    }
}

fn of_host(row: &CostRow) -> Option<[String; 2]> {
    Some([row.kernel.clone(), time(Some(row.host_ns?))])
}

fn whole(cost: &WholeCost) -> WholeTable {
    let [width, height] = cost.size;
    let samples = f64::from(width) * f64::from(height) * cost.frames as f64;
    let line = |name: &str, rounds: usize, phases: [Option<f64>; 5], total: f64| {
        let ms = |ms: Option<f64>| ms.map_or_else(dash, |ms| format!("{ms:.1}"));
        let mut line = vec![name.to_owned(), rounds.to_string()];
        line.extend(phases.map(ms));
        line.extend([
            ms(Some(total)),
            format!("{:.1}", cost.frames as f64 * 1e3 / total),
            format!("{:.2}", total * 1e6 / samples),
            times(Some(cost.reference_ms / total)),
        ]);
        line
    };
    let twin = |twin: &WholeTwin| {
        let Phases {
            upload_ms,
            record_ms,
            device_ms,
            readback_ms,
        } = twin.phases;
        let phases = [upload_ms, record_ms, device_ms, readback_ms, twin.finish_ms];
        line(&twin.twin, twin.rounds, phases.map(Some), twin.total_ms())
    };
    let reference = line("reference", 1, [None; 5], cost.reference_ms);
    WholeTable {
        kernel: cost.kernel.clone(),
        clip: format!("{}, {}", cost.format, extent(cost.size, cost.frames)),
        lines: std::iter::once(reference).chain(cost.twins.iter().map(twin)).collect(),
    }
}

fn function_line(row: &FunctionCost) -> FunctionLine {
    FunctionLine {
        function: row.function.clone(),
        native: row.native.as_ref().map_or_else(dash, |wgsl| format!("`{wgsl}`")),
        numbers: vec![
            time(Some(row.frame_ns)),
            time(row.native_ns),
            time(Some(row.exact_ns)),
            time(Some(row.reference_ns)),
            times(row.ratio()),
            times(Some(row.gain())),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_without_a_native_counterpart_has_no_ratio_to_it() {
        let mut row = FunctionCost {
            function: "exp".to_owned(),
            native: Some("exp(a)".to_owned()),
            operands: 1,
            evaluations: 1024,
            frame_ns: 0.25,
            native_ns: Some(1.0),
            exact_ns: 3.0,
            reference_ns: 6.0,
        };
        let line = function_line(&row);
        assert_eq!(line.native, "`exp(a)`");
        assert_eq!(line.numbers, ["0.250", "1.000", "3.000", "6.000", "3.00×", "2.00×"]);
        (row.native, row.native_ns) = (None, None);
        let line = function_line(&row);
        assert_eq!(line.native, "–");
        assert_eq!(line.numbers, ["0.250", "–", "3.000", "6.000", "–", "2.00×"]);
    }

    #[test]
    fn a_whole_clip_shows_its_phases_and_what_they_add_up_to() {
        let phases = Phases {
            upload_ms: 1.0,
            record_ms: 2.0,
            device_ms: 3.0,
            readback_ms: 1.5,
        };
        let twin = WholeTwin {
            twin: "exact".to_owned(),
            rounds: 3,
            phases,
            finish_ms: 0.5,
        };
        let cost = WholeCost {
            kernel: "stack".to_owned(),
            format: "mono-16".to_owned(),
            size: [100, 10],
            frames: 4,
            reference_ms: 16.0,
            twins: vec![twin],
        };
        let table = whole(&cost);
        assert_eq!(table.clip, "mono-16, 100×10, 4 frames");
        let reference = [
            "reference",
            "1",
            "–",
            "–",
            "–",
            "–",
            "–",
            "16.0",
            "250.0",
            "4000.00",
            "1.00×",
        ];
        let exact = [
            "exact", "3", "1.0", "2.0", "3.0", "1.5", "0.5", "8.0", "500.0", "2000.00", "2.00×",
        ];
        assert_eq!(table.lines, [reference, exact]);
    }
}
