//! `ci/shards.toml`: how long cells take, as measured, so that shards can be balanced. Decides nothing but the cut.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::manifest::Manifest;
use crate::report::{CellReport, Report, Status};

/// The file of recorded costs, below the workspace root.
pub const SHARDS: &str = "ci/shards.toml";

/// Cells with at most so many samples show what a cell takes apart from its samples.
const SMALL: u64 = 4096;
/// What is assumed of a kernel where nothing at all is recorded.
const ASSUMED: Estimate = Estimate {
    cell_ms: 1.0,
    sample_ns: 100.0,
};

const HEADER: &str = "\
# How long a cell takes, by kernel and lane; `--shard` balances by it, and nothing else reads it. Only ratios matter.
# A cell takes `cell_ms` milliseconds, and `sample_ns` nanoseconds for each sample of its clips, over all twins alike.
# What has no row is estimated from those of the same kernel, else of the kernel without options, of the lane, or of all.
# Measured, not written by hand: cargo xtask parity --matrix --record-costs

";

/// The recorded costs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// One row a kernel and lane.
    #[serde(default, rename = "cost")]
    pub rows: Vec<CellCost>,
}

/// How long the cells of a kernel take on a lane: fixture, reference, device and comparison, the mean over its twins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellCost {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the lane.
    pub lane: String,
    /// Milliseconds that a cell takes, however small it is.
    pub cell_ms: f64,
    /// Nanoseconds a sample, over all clips, frames and planes.
    pub sample_ns: f64,
}

#[derive(Clone, Copy)]
struct Estimate {
    cell_ms: f64,
    sample_ns: f64,
}

impl Costs {
    /// What `cell` is expected to take, in microseconds: at least 1, and 0 for one that is declared not to run.
    pub fn micros(&self, cell: &Cell) -> u64 {
        if cell.skip.is_some() {
            return 0;
        }
        let name = cell.kernel.name;
        let Estimate { cell_ms, sample_ns } = self.estimate([name, cell.kernel.base(name)], &cell.lane);
        let micros = cell_ms * 1e3 + sample_ns * samples(cell) as f64 / 1e3;
        // A float that is out of range or not a number becomes the nearest whole number, or 0.
        (micros.round() as u64).max(1)
    }

    /// From the rows that are nearest to what is asked for, the median of each number. The kernel is named with and without
    /// its options.
    fn estimate(&self, [kernel, base]: [&str; 2], lane: &str) -> Estimate {
        let nearness: [&dyn Fn(&CellCost) -> bool; 6] = [
            &|row| row.kernel == kernel && row.lane == lane,
            &|row| row.kernel == kernel,
            &|row| row.kernel == base && row.lane == lane,
            &|row| row.kernel == base,
            &|row| row.lane == lane,
            &|_| true,
        ];
        for near in nearness {
            let rows: Vec<_> = self.rows.iter().filter(|row| near(row)).collect();
            let of = |number: fn(&CellCost) -> f64| median(rows.iter().map(|row| number(row)).collect());
            if let (Some(cell_ms), Some(sample_ns)) = (of(|row| row.cell_ms), of(|row| row.sample_ns)) {
                return Estimate { cell_ms, sample_ns };
            }
        }
        ASSUMED
    }

    /// These costs with the rows of the lanes in `report`, a report of all of `manifest`, replaced by what it measured.
    ///
    /// Cells that were not compared took the time of their fault and are passed over.
    #[must_use]
    pub fn measured(&self, manifest: &Manifest, report: &Report) -> Self {
        let lanes = manifest.lanes();
        let kept = self.rows.iter().filter(|row| !lanes.contains(&row.lane.as_str()));
        let mut rows: Vec<CellCost> = kept.cloned().collect();
        let compared = |(cell, found): &(&Cell, &CellReport)| {
            cell.control.is_none() && !matches!(found.status, Status::Skip | Status::Error)
        };
        let cells = || manifest.cells.iter().zip(&report.cells).filter(compared);
        let mut seen = BTreeSet::new();
        for lane in lanes {
            let kernels = cells().filter(|(cell, _)| cell.lane == lane);
            for kernel in kernels.map(|(cell, _)| cell.kernel.name) {
                if seen.insert((kernel, lane)) {
                    let of = |(cell, _): &(&Cell, &CellReport)| cell.kernel.name == kernel && cell.lane == lane;
                    let measured = cells()
                        .filter(of)
                        .map(|(cell, found)| (samples(cell), found.timing.total_ms()));
                    rows.push(CellCost::of(kernel, lane, &measured.collect::<Vec<_>>()));
                }
            }
        }
        Self { rows }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// If a number has no form in TOML.
    pub fn text(&self) -> Result<String, toml::ser::Error> {
        Ok(HEADER.to_owned() + &toml::to_string(self)?)
    }
}

impl CellCost {
    /// The line through what was measured, as pairs of samples and milliseconds, that keeps its sum: a shard's load is one.
    fn of(kernel: &str, lane: &str, measured: &[(u64, f64)]) -> Self {
        let small = measured.iter().filter(|(samples, _)| *samples <= SMALL);
        let cell_ms = median(small.map(|(_, ms)| *ms).collect()).unwrap_or_default();
        let samples: u64 = measured.iter().map(|(samples, _)| samples).sum();
        let rest: f64 = measured.iter().map(|(_, ms)| ms - cell_ms).sum();
        Self {
            kernel: kernel.to_owned(),
            lane: lane.to_owned(),
            cell_ms: rounded(cell_ms),
            sample_ns: rounded((rest * 1e6 / samples.max(1) as f64).max(0.0)),
        }
    }
}

/// Samples of all clips, frames and planes of a cell.
fn samples(cell: &Cell) -> u64 {
    let frames = cell.source.frames().unwrap_or(1) * cell.kernel.clips;
    let shape = cell.shape();
    let frame: u64 = shape
        .iter()
        .flat_map(|shape| &shape.planes)
        .map(|plane| plane.samples())
        .sum();
    frame * frames as u64
}

/// The middle one, the lower of two; `None` where there is none.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

/// Two significant digits: more would be noise, and a file that changes with every measurement.
fn rounded(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::RunArgs;
    use crate::{summary, toy};

    fn row(kernel: &str, lane: &str, cell_ms: f64, sample_ns: f64) -> CellCost {
        CellCost {
            kernel: kernel.to_owned(),
            lane: lane.to_owned(),
            cell_ms,
            sample_ns,
        }
    }

    #[test]
    fn the_line_goes_through_the_small_cells_and_keeps_the_sum() {
        // 2 ms a cell and 50 ns a sample, and one slow outlier among the small.
        let measured = [(35, 2.0), (9, 2.0), (1, 30.0), (1_000_000, 52.0), (2_000_000, 102.0)];
        let cost = CellCost::of("k", "l", &measured);
        assert_eq!(cost, row("k", "l", 2.0, 59.0));
        let sum: f64 = measured.iter().map(|(_, ms)| ms).sum();
        let estimated: f64 = measured
            .iter()
            .map(|(n, _)| cost.cell_ms + cost.sample_ns * *n as f64 / 1e6)
            .sum();
        assert!((estimated / sum - 1.0).abs() < 0.01, "{estimated} for {sum}");
        assert_eq!(CellCost::of("k", "l", &[(1_000_000, 10.0)]), row("k", "l", 0.0, 10.0));
    }

    #[test]
    fn what_is_not_recorded_is_estimated_from_what_is_near() {
        let costs = Costs {
            rows: vec![
                row("a", "one", 1.0, 10.0),
                row("a", "two", 3.0, 30.0),
                row("b", "one", 5.0, 50.0),
                row("c", "two", 7.0, 70.0),
            ],
        };
        let of = |kernel, lane| costs.estimate([kernel, kernel], lane).cell_ms;
        assert_eq!(of("a", "two"), 3.0);
        assert_eq!(of("c", "one"), 7.0);
        assert_eq!(of("x", "two"), 3.0);
        assert_eq!(of("x", "far"), 3.0);
        assert_eq!(costs.estimate(["b_wide", "b"], "two").cell_ms, 5.0);
        assert_eq!(Costs::default().estimate(["x", "x"], "far").cell_ms, ASSUMED.cell_ms);
    }

    #[test]
    fn a_cell_costs_by_its_samples_and_a_declared_skip_nothing() {
        let config = toy::config();
        let args = RunArgs {
            matrix: true,
            ..RunArgs::default()
        };
        let manifest = Manifest::plan(&toy::REGISTRY, &config, &args, None).unwrap();
        let costs = Costs {
            rows: vec![row("invert", "one", 2.0, 1000.0)],
        };
        for cell in manifest.cells.iter().filter(|cell| cell.kernel.name == "invert") {
            let expected = match (cell.source.name(), &cell.skip) {
                (_, Some(_)) => 0,
                // One clip of 2 frames: 35 samples of luma, twice 12 of chroma.
                ("tiny_7x5", None) => 2000 + 2 * (35 + 24),
                _ => continue,
            };
            assert_eq!(costs.micros(cell), expected, "{cell}");
        }
    }

    #[test]
    fn a_measurement_replaces_the_rows_of_its_lanes() {
        let config = toy::config();
        let manifest = Manifest::plan(&toy::REGISTRY, &config, &RunArgs::default(), None).unwrap();
        let mut cells = toy::sound_run(&config, &manifest);
        for cell in &mut cells {
            cell.timing.device_ms = 1.25;
            cell.timing.compare_ms = 0.25;
        }
        let report = summary::assemble(&manifest, &config, cells, toy::run_facts(&manifest));
        let before = Costs {
            rows: vec![row("invert", "one", 9.0, 9.0), row("invert", "far", 8.0, 8.0)],
        };
        let after = before.measured(&manifest, &report);
        let expected = [
            row("invert", "far", 8.0, 8.0),
            row("invert", "one", 1.5, 0.0),
            row("revert", "one", 1.5, 0.0),
            row("invert", "two", 1.5, 0.0),
            row("revert", "two", 1.5, 0.0),
        ];
        assert_eq!(after.rows, expected);
        assert_eq!(toml::from_str::<Costs>(&after.text().unwrap()).unwrap(), after);
    }
}
