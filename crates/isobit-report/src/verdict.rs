//! The verdict in one sentence, its word bound to the exit code.

use isobit_gate::report::{CellReport, Report, Status};
use isobit_gate::{exit, summary};

use crate::controls;
use crate::number::{count, counted, duration};

/// The word that a verdict begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Everything that was expected ran and is well.
    Ok,
    /// A cell is `FAIL` or `XPASS`.
    Fail,
    /// Something was not compared, or not what was to be compared.
    Error,
    /// Generated files or records are out of date.
    Stale,
    /// The run ended before its last cell.
    Interrupted,
}

impl Word {
    /// The word for a run that ends with `exit_code`.
    ///
    /// A report that is not green never yields [`Word::Ok`], whatever the code: of the two, the graver one is believed.
    pub fn new(report: &Report, exit_code: u8) -> Self {
        match exit_code {
            _ if report.interrupted.is_some() => Self::Interrupted,
            exit::OK if summary::exit_code(report) == exit::OK => Self::Ok,
            exit::DIFFERENT => Self::Fail,
            exit::STALE => Self::Stale,
            _ => Self::Error,
        }
    }

    /// The word in capitals.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Fail => "FAIL",
            Self::Error => "ERROR",
            Self::Stale => "STALE",
            Self::Interrupted => "INTERRUPTED",
        }
    }
}

/// Counts over a whole report. Cells of controls are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Cells of kernels.
    pub cells: u64,
    /// Elements compared in them, each once, however many rules judge it.
    pub elements: u64,
    /// Cells of kernels that are `OK`.
    pub ok: u64,
    /// Cells of kernels that are `SKIP`.
    pub skip: u64,
    /// Cells of kernels that are `XFAIL`.
    pub xfail: u64,
    /// Cells of kernels that are `XPASS`.
    pub xpass: u64,
    /// Cells of kernels that are `FAIL`.
    pub fail: u64,
    /// Cells of kernels that are `ERROR`.
    pub error: u64,
    /// Cells of controls.
    pub control_cells: u64,
    /// Cells of controls that are not as they should be.
    pub blind: u64,
}

impl Totals {
    /// Counts the cells of `report`.
    pub fn new(report: &Report) -> Self {
        let mut totals = Self::default();
        for cell in &report.cells {
            if cell.control {
                totals.control_cells += 1;
                totals.blind += u64::from(controls::is_blind(report, cell));
                continue;
            }
            totals.cells += 1;
            totals.elements += elements(cell);
            *match cell.status {
                Status::Ok => &mut totals.ok,
                Status::Skip => &mut totals.skip,
                Status::Xfail => &mut totals.xfail,
                Status::Xpass => &mut totals.xpass,
                Status::Fail => &mut totals.fail,
                Status::Error => &mut totals.error,
            } += 1;
        }
        totals
    }

    /// `479 OK, 2 FAIL, 1 SKIP`, in order of gravity, without states that do not occur.
    pub fn states(&self) -> String {
        let all = [
            (self.error, "ERROR"),
            (self.fail, "FAIL"),
            (self.xpass, "XPASS"),
            (self.xfail, "XFAIL"),
            (self.skip, "SKIP"),
            (self.ok, "OK"),
        ];
        let occurring = all.iter().filter(|(number, _)| *number > 0);
        let words: Vec<_> = occurring
            .map(|(number, word)| format!("{} {word}", count(*number)))
            .collect();
        words.join(", ")
    }
}

/// The elements compared in a cell, each once: a metric under two rules is counted under one.
pub(crate) fn elements(cell: &CellReport) -> u64 {
    let mut metrics: Vec<(&str, u64)> = Vec::new();
    for check in &cell.checks {
        let elements = check.comparison.elements;
        match metrics.iter_mut().find(|(metric, _)| *metric == check.metric) {
            Some((_, known)) => *known = elements.max(*known),
            None => metrics.push((&check.metric, elements)),
        }
    }
    metrics.iter().map(|(_, elements)| elements).sum()
}

/// The verdict in one sentence, without its word.
pub fn sentence(report: &Report, exit_code: u8) -> String {
    let totals = Totals::new(report);
    let lanes = counted(report.lanes.len() as u64, "lane");
    let compared = counted(totals.elements, "element");
    let time = duration(report.timing.total_ms);
    let cells = counted(totals.cells, "cell");
    let states = totals.states();
    let mut sentence = match Word::new(report, exit_code) {
        Word::Ok if totals.ok == totals.cells => {
            format!("{cells}, {compared} compared on {lanes} in {time}")
        }
        Word::Interrupted => {
            let reason = report
                .interrupted
                .as_deref()
                .map(crate::text::clean)
                .unwrap_or_default();
            format!("{reason}: this report is partial; of {cells} {states}, {compared} compared on {lanes} in {time}")
        }
        Word::Stale => format!("generated files or records are out of date; {cells}: {states}, in {time}"),
        _ if totals.cells == 0 => format!("nothing was compared on {lanes} in {time}"),
        _ => format!("{cells}: {states}; {compared} compared on {lanes} in {time}"),
    };
    if let Some(shard) = &report.shard {
        sentence.insert_str(0, &format!("shard {}: ", shard.part));
    }
    if totals.blind > 0 {
        sentence.push_str(&format!(
            "; {} of controls not as they should be",
            counted(totals.blind, "cell")
        ));
    }
    if !report.faults.is_empty() {
        sentence.push_str(&format!(
            "; {} of the run",
            counted(report.faults.len() as u64, "fault")
        ));
    }
    sentence
}
