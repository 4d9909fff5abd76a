//! One red cell in full, as plain text: what differs, where first and where most, and where to look.

use isobit::compare::Witness;
use isobit::execution::{BufferFault, FaultKind};
use isobit_gate::report::{CellReport, Check, LaneReport, Report, Status};

use crate::groups::{self, Group, case, distinct, identity, listed};
use crate::number::{count, counted, measure, percent, ulp};
use crate::table::{self, Align, indent, paragraph};
use crate::{controls, hint, rerun, stage, text};

/// Checks shown in full; the others are named.
const CHECKS: usize = 3;
/// Faults of buffers shown.
const FAULTS: usize = 6;
/// How a line with a command begins.
const HINT: &str = "hint: ";

/// A paragraph about something red.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The state, in capitals.
    pub word: &'static str,
    /// What is in that state.
    pub title: String,
    /// Indented lines.
    pub body: String,
    /// The command that repeats it, or that repairs it.
    pub command: String,
}

impl Detail {
    /// The whole paragraph as plain text.
    pub fn plain(&self) -> String {
        let Self {
            word,
            title,
            body,
            command,
        } = self;
        format!("{word}  {title}\n{body}  hint: {command}\n")
    }
}

/// Something red, not yet explained: explaining it costs more than finding it, and few are shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding<'a> {
    /// A fault of the run.
    Fault(&'a str),
    /// A cell that was compared.
    Cell(&'a CellReport),
    /// Cells of one lane in which nothing was compared, for one reason.
    Lost(Group<'a>),
}

impl Finding<'_> {
    /// The paragraph about it.
    pub fn detail(&self, report: &Report, width: usize) -> Detail {
        match self {
            Self::Fault(fault) => self::fault(fault, width),
            Self::Cell(cell) => self::cell(report, cell, width),
            Self::Lost(group) => self::lost(report, group, width),
        }
    }
}

/// Everything red: faults of the run, controls that the gate is blind to, lost cells by reason, failing cells.
pub fn findings(report: &Report) -> Vec<Finding<'_>> {
    let compared = |cell: &&CellReport| !cell.checks.is_empty();
    let blind = report.cells.iter().filter(|cell| controls::is_blind(report, cell));
    let error = report
        .cells
        .iter()
        .filter(|cell| !cell.control && cell.status == Status::Error);
    let lost = blind.clone().filter(|cell| !compared(cell)).chain(error);
    let faults = report.faults.iter().map(|fault| Finding::Fault(fault));
    faults
        .chain(blind.filter(compared).map(Finding::Cell))
        .chain(groups::group(lost, true).into_iter().map(Finding::Lost))
        .chain(groups::failing(report).into_iter().map(Finding::Cell))
        .collect()
}

fn fault(fault: &str, width: usize) -> Detail {
    let mut lines: Vec<String> = text::lines(fault).collect();
    let hint = lines
        .iter()
        .position(|line| line.starts_with(HINT))
        .map(|at| lines.remove(at));
    Detail {
        word: "ERROR",
        title: "the run".to_owned(),
        body: indent(&paragraph(&lines.join("\n"), width.saturating_sub(4)), 2),
        command: hint.map_or("cargo xtask gate".to_owned(), |hint| hint.replacen(HINT, "", 1)),
    }
}

fn cell(report: &Report, cell: &CellReport, width: usize) -> Detail {
    let inner = width.saturating_sub(4);
    let mut body = String::new();
    // The reason of a FAIL is a summary of the checks, which follow in full.
    if let Some(reason) = cell.reason.as_ref().filter(|_| cell.status != Status::Fail) {
        body += &paragraph(reason, inner);
    }
    let (differing, agreeing): (Vec<&Check>, Vec<&Check>) =
        cell.checks.iter().partition(|check| check.comparison.mismatches > 0);
    let is_score = |check: &Check| cell.scores.iter().any(|score| score.metric == check.metric);
    for check in differing.iter().take(CHECKS) {
        body += &self::check(cell, check, is_score(check), inner);
    }
    if differing.len() > CHECKS {
        let names: Vec<_> = differing[CHECKS..].iter().map(|check| check.metric.clone()).collect();
        body += &format!("also outside: {}\n", listed(&names, 8));
    }
    if !agreeing.is_empty() && !differing.is_empty() {
        let names: Vec<_> = agreeing.iter().map(|check| check.metric.clone()).collect();
        body += &format!("within tolerance: {}\n", listed(&names, 8));
    }
    body += &faults(&cell.faults, inner);
    if let Some(stage) = &cell.stage {
        body += &table::pairs(inner, &[("stage:".to_owned(), stage::words(stage))]);
    }
    for hint in hint::hints(report, cell) {
        body += &table::pairs(inner, &[("look at:".to_owned(), hint)]);
    }
    Detail {
        word: crate::matrix::word(cell.status),
        title: if cell.control {
            format!("control {}", identity(cell))
        } else {
            identity(cell)
        },
        body: indent(&body, 2),
        command: rerun::command(&[cell]),
    }
}

fn lost(report: &Report, group: &Group<'_>, width: usize) -> Detail {
    let inner = width.saturating_sub(4);
    let mut command = rerun::command(&group.cells);
    let mut body = String::new();
    for line in text::lines(group.reason) {
        match line.strip_prefix(HINT) {
            Some(hint) => command = hint.to_owned(),
            None => body += &paragraph(&line, inner),
        }
    }
    let of_lane = |lane: &&LaneReport| group.cells.iter().all(|cell| cell.lane == lane.name);
    let lane = report.lanes.iter().find(of_lane);
    if lane.is_some_and(|lane| lane.adapter.is_none()) && !group.reason.contains(HINT) {
        command = "cargo xtask doctor".to_owned();
    }
    let title = match group.cells.as_slice() {
        [cell] => identity(cell),
        cells => {
            let names: Vec<_> = cells.iter().map(|cell| case(cell)).collect();
            body += &paragraph(&format!("cells: {}", listed(&names, 3)), inner);
            let lanes = distinct(cells, |cell| cell.lane.clone());
            format!("{} on {}", counted(cells.len() as u64, "cell"), listed(&lanes, 4))
        }
    };
    Detail {
        word: "ERROR",
        title,
        body: indent(&body, 2),
        command,
    }
}

fn check(cell: &CellReport, check: &Check, is_score: bool, width: usize) -> String {
    let found = &check.comparison;
    let mut text = paragraph(
        &format!(
            "{} under {} ({}): {} of {} outside ({}), {} in bits",
            check.metric,
            check.tolerance,
            check.source,
            count(found.mismatches),
            counted(found.elements, "element"),
            percent(found.mismatches, found.elements),
            if found.differing == 1 {
                "1 differs".to_owned()
            } else {
                format!("{} differ", count(found.differing))
            },
        ),
        width,
    );
    let mut extremes = format!(
        "max abs {}, max rel {}, max ULP {}",
        measure(found.max_abs),
        measure(found.max_rel),
        ulp(found.max_ulp)
    );
    if let Some(largest) = found.max_measure {
        // The first word of such a rule is its unit.
        let unit = check.tolerance.split_whitespace().next().unwrap_or("measure");
        extremes += &format!(", max {unit} {}", measure(largest));
    }
    if found.nan_one_side + found.nan_both > 0 {
        extremes += &format!(
            "; NaN on one side {}, on both {}",
            count(found.nan_one_side),
            count(found.nan_both)
        );
    }
    text += &indent(&paragraph(&extremes, width - 2), 2);
    text += &indent(&witnesses(cell, check, is_score, width - 2), 2);
    text
}

fn witnesses(cell: &CellReport, check: &Check, is_score: bool, width: usize) -> String {
    use Align::{Left, Right};
    let headings = [
        ("", Left),
        ("frame", Right),
        ("plane", Left),
        ("x", Right),
        ("y", Right),
        ("reference", Right),
        ("twin", Right),
        ("ULP", Right),
        ("error", Right),
    ];
    let mut table = table::columns(width, headings);
    let planes = cell.format.layout.plane_names();
    let row = |name: &str, witness: &Witness| {
        let plane = planes
            .get(witness.plane)
            .map_or(witness.plane.to_string(), |&name| name.to_owned());
        let place = if is_score {
            ["–", "–", "–"].map(str::to_owned)
        } else {
            [plane, witness.x.to_string(), witness.y.to_string()]
        };
        let [plane, x, y] = place;
        [
            name.to_owned(),
            witness.frame.to_string(),
            plane,
            x,
            y,
            format!("{}\n{}", witness.reference, witness.reference.hex()),
            format!("{}\n{}", witness.twin, witness.twin.hex()),
            ulp(witness.ulp),
            measure(witness.error),
        ]
    };
    let place = |witness: &Witness| (witness.frame, witness.plane, witness.x, witness.y);
    match (&check.comparison.first, &check.comparison.worst) {
        (Some(first), Some(worst)) if place(first) == place(worst) => {
            table.add_row(row("first, worst", worst));
        }
        (first, worst) => {
            for (name, witness) in [("first", first), ("worst", worst)] {
                if let Some(witness) = witness {
                    table.add_row(row(name, witness));
                }
            }
        }
    }
    table::print(&table)
}

fn faults(faults: &[BufferFault], width: usize) -> String {
    let mut text = String::new();
    for fault in faults.iter().take(FAULTS) {
        let what = match fault.kind {
            FaultKind::Untouched => format!(
                "{} never written, the first at {}",
                counted(fault.count, "element"),
                count(fault.first)
            ),
            FaultKind::Unstable => format!(
                "{} differ between two runs on the same input, the first at {}",
                counted(fault.count, "element"),
                count(fault.first)
            ),
            FaultKind::GuardBefore => format!(
                "{} written before its start, {} from it at the nearest",
                counted(fault.count, "byte"),
                counted(fault.first, "byte")
            ),
            FaultKind::GuardAfter => format!(
                "{} written behind its end, {} from it at the nearest",
                counted(fault.count, "byte"),
                counted(fault.first, "byte")
            ),
        };
        text += &paragraph(
            &format!("buffer `{}`, frame {}: {what}", fault.buffer, fault.frame),
            width,
        );
    }
    if faults.len() > FAULTS {
        text += &format!("and {} more faults of buffers\n", faults.len() - FAULTS);
    }
    text
}
