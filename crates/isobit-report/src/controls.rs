//! The controls of each lane: how many turned red for their own reason, and which did not.

use std::collections::BTreeMap;

use isobit_gate::report::{CellReport, Report, Status};

/// The controls of one lane.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneControls<'a> {
    /// Name of the lane.
    pub lane: &'a str,
    /// Controls whose every cell is as it should be.
    pub alive: u64,
    /// All controls that were to run.
    pub total: u64,
    /// Whether the lane was left out, as declared, so that there was nothing to prove.
    pub left_out: bool,
    /// The cells that are not as they should be.
    pub blind: Vec<&'a CellReport>,
}

impl LaneControls<'_> {
    /// One line.
    pub fn summary(&self) -> String {
        let Self { alive, total, .. } = self;
        if self.left_out {
            "the lane was left out, so that there is nothing to prove".to_owned()
        } else if *total == 0 {
            "no control ran: nothing shows that the gate can turn red".to_owned()
        } else if alive == total {
            let plural = if *total == 1 { "" } else { "s" };
            format!("{total} control{plural} red for their own reasons, their sound twins equal")
        } else if self.blind.iter().all(|cell| cell.checks.is_empty()) {
            format!("{} of {total} controls did not run", total - alive)
        } else {
            format!(
                "the gate is blind: {} of {total} controls are not as they should be",
                total - alive
            )
        }
    }
}

/// Whether a cell of a control is not as it should be. Those of a lane that was left out are skipped, as declared.
pub fn is_blind(report: &Report, cell: &CellReport) -> bool {
    let left_out = || {
        let mut lanes = report.lanes.iter();
        lanes.any(|lane| lane.name == cell.lane && lane.left_out.is_some())
    };
    cell.control && cell.status != Status::Ok && !(cell.status == Status::Skip && left_out())
}

/// The controls of every lane of `report`, in its order.
pub fn by_lane(report: &Report) -> Vec<LaneControls<'_>> {
    report
        .lanes
        .iter()
        .map(|lane| {
            let cells = report
                .cells
                .iter()
                .filter(|cell| cell.control && cell.lane == lane.name);
            let mut alive: BTreeMap<&str, bool> = BTreeMap::new();
            let mut blind = Vec::new();
            for cell in cells {
                let as_it_should_be = !is_blind(report, cell);
                *alive.entry(&cell.kernel).or_insert(true) &= as_it_should_be;
                if !as_it_should_be {
                    blind.push(cell);
                }
            }
            LaneControls {
                lane: &lane.name,
                alive: alive.values().filter(|alive| **alive).count() as u64,
                total: alive.len() as u64,
                left_out: lane.left_out.is_some(),
                blind,
            }
        })
        .collect()
}
