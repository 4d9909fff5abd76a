//! Which cells are shown together: those that share a state and a reason, and failing ones so that every twin has its turn.

use isobit_gate::report::{CellReport, Report, Status};

/// Cells with the same state and reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Group<'a> {
    /// The reason as the report has it.
    pub reason: &'a str,
    /// The cells, in order of the manifest.
    pub cells: Vec<&'a CellReport>,
}

/// The cells of kernels that are `status`, by reason; by lane too where `by_lane`.
pub fn by_reason(report: &Report, status: Status, by_lane: bool) -> Vec<Group<'_>> {
    let cells = report
        .cells
        .iter()
        .filter(|cell| !cell.control && cell.status == status);
    group(cells, by_lane)
}

/// `cells` by reason; by lane too where `by_lane`.
pub fn group<'a>(cells: impl Iterator<Item = &'a CellReport>, by_lane: bool) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for cell in cells {
        let reason = cell.reason.as_deref().unwrap_or("no reason was given");
        let same = |group: &&mut Group<'_>| {
            group.reason == reason && (!by_lane || group.cells.iter().all(|other| other.lane == cell.lane))
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.cells.push(cell),
            None => groups.push(Group {
                reason,
                cells: vec![cell],
            }),
        }
    }
    groups
}

/// The cells of kernels that are `FAIL` or `XPASS`, the first of every twin and lane before the second of any.
pub fn failing(report: &Report) -> Vec<&CellReport> {
    let mut seen: Vec<((&str, &str, &str), usize)> = Vec::new();
    let mut turns: Vec<(usize, &CellReport)> = Vec::new();
    let red = |cell: &&CellReport| !cell.control && matches!(cell.status, Status::Fail | Status::Xpass);
    for cell in report.cells.iter().filter(red) {
        let key = (cell.kernel.as_str(), cell.twin.as_str(), cell.lane.as_str());
        let turn = match seen.iter_mut().find(|(known, _)| *known == key) {
            Some((_, turn)) => {
                *turn += 1;
                *turn
            }
            None => {
                seen.push((key, 0));
                0
            }
        };
        turns.push((turn, cell));
    }
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, cell)| cell).collect()
}

/// `kernel/twin format fixture`.
pub fn case(cell: &CellReport) -> String {
    let fixture = crate::text::clean(&cell.fixture);
    format!("{}/{} {} {fixture}", cell.kernel, cell.twin, cell.format)
}

/// `kernel/twin format fixture on lane`.
pub fn identity(cell: &CellReport) -> String {
    format!("{} on {}", case(cell), cell.lane)
}

/// The values that `cells` have, each once, in order.
pub fn distinct(cells: &[&CellReport], value: impl Fn(&CellReport) -> String) -> Vec<String> {
    let mut values = Vec::new();
    for cell in cells {
        let value = value(cell);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// The first `most` of `values`, and how many more there are.
pub fn listed(values: &[String], most: usize) -> String {
    let shown = &values[..values.len().min(most)];
    let more = values.len() - shown.len();
    let list = shown.join(", ");
    if more == 0 {
        list
    } else {
        format!("{list} and {more} more")
    }
}
