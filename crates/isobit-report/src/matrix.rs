//! The matrix: cells grouped by kernel, twin and layout, with a slot for each lane and depth. Controls are no part of it.

use std::collections::{BTreeMap, BTreeSet};

use isobit::format::{Depth, Layout};
use isobit_gate::report::{Report, Status};

/// The cells of one row, lane and depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Cells that are `OK`.
    pub ok: u64,
    /// All cells.
    pub total: u64,
    /// The gravest state among them.
    pub worst: Status,
}

impl Slot {
    /// `12 ✓` where all are `OK`, else `11/12` and the gravest state.
    pub fn text(self) -> String {
        match self.worst {
            Status::Ok => format!("{} ✓", self.total),
            worst => format!("{}/{} {}", self.ok, self.total, word(worst)),
        }
    }

    fn add(&mut self, status: Status) {
        self.ok += u64::from(status == Status::Ok);
        self.total += 1;
        self.worst = self.worst.max(status);
    }
}

/// A state in a slot: capitals are red.
pub const fn word(status: Status) -> &'static str {
    match status {
        Status::Ok => "✓",
        Status::Skip => "skip",
        Status::Xfail => "xfail",
        Status::Xpass => "XPASS",
        Status::Fail => "FAIL",
        Status::Error => "ERROR",
    }
}

/// One kernel's twin in one layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `kernel/twin`.
    pub name: String,
    /// The layout.
    pub layout: Layout,
    /// By index of the lane and depth; a kernel that is not defined for a depth has no slot.
    pub slots: BTreeMap<(usize, Depth), Slot>,
}

/// All cells but those of controls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Names of the lanes, in the order of the report.
    pub lanes: Vec<String>,
    /// The depths that occur, narrowest first.
    pub depths: Vec<Depth>,
    /// The rows, in order of the manifest.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// Groups the cells of `report`.
    pub fn new(report: &Report) -> Self {
        let mut lanes: Vec<String> = report.lanes.iter().map(|lane| lane.name.clone()).collect();
        let mut kernels: Vec<(&str, &str)> = Vec::new();
        let mut depths = BTreeSet::new();
        let mut rows: BTreeMap<(usize, Layout), Row> = BTreeMap::new();
        for cell in report.cells.iter().filter(|cell| !cell.control) {
            let lane = position(&mut lanes, |lane| *lane == cell.lane, || cell.lane.clone());
            let key = (cell.kernel.as_str(), cell.twin.as_str());
            let kernel = position(&mut kernels, |known| *known == key, || key);
            depths.insert(cell.format.depth);
            rows.entry((kernel, cell.format.layout))
                .or_insert_with(|| Row {
                    name: format!("{}/{}", cell.kernel, cell.twin),
                    layout: cell.format.layout,
                    slots: BTreeMap::new(),
                })
                .slots
                .entry((lane, cell.format.depth))
                .or_insert(Slot {
                    ok: 0,
                    total: 0,
                    worst: Status::Ok,
                })
                .add(cell.status);
        }
        Self {
            lanes,
            depths: depths.into_iter().collect(),
            rows: rows.into_values().collect(),
        }
    }

    /// The slot's text; `–` where there is no cell.
    pub fn text(&self, row: &Row, lane: usize, depth: Depth) -> String {
        row.slots.get(&(lane, depth)).map_or("–".to_owned(), |slot| slot.text())
    }
}

/// Where the item is that `wanted` accepts, after adding it if it is missing.
fn position<T>(items: &mut Vec<T>, wanted: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    items.iter().position(wanted).unwrap_or_else(|| {
        items.push(new());
        items.len() - 1
    })
}
