//! Known deviations applied to what was found: an expected one becomes XFAIL, one that is gone XPASS.

use crate::config::{Expectation, answers_to};
use crate::report::{CellReport, LaneReport, Spoken, Status};

/// Applies `expectations` to `cells`, and returns those that this run had cells for, whether or not one showed it.
///
/// An expectation is judged only where the run had cells that it covers and, if it names a driver, the lane ran on such a
/// driver: the same file serves machines with others. Controls are never expected to deviate, and a cell that is not
/// `excusable` did not show anything: no expectation speaks of it.
pub fn apply(
    expectations: &[Expectation],
    cells: &mut [CellReport],
    lanes: &[LaneReport],
    excusable: impl Fn(&CellReport) -> bool,
) -> Vec<Spoken> {
    let mut spoken = Vec::new();
    for (place, expectation) in expectations.iter().enumerate() {
        // A lane and its containers run on drivers of their own.
        let meant: Vec<&str> = lanes
            .iter()
            .filter(|lane| answers_to(&lane.name, &expectation.lane) && on_driver(expectation, lane))
            .map(|lane| lane.name.as_str())
            .collect();
        let mut covered = 0;
        let mut judged = 0;
        for cell in cells.iter_mut().filter(|cell| !cell.control) {
            let format = cell.format.to_string();
            let covers = expectation.covers(&cell.kernel, &cell.twin, &format, &cell.fixture, &cell.lane);
            if !covers || !meant.contains(&cell.lane.as_str()) {
                continue;
            }
            covered += 1;
            judged += usize::from(excusable(cell) && judge(expectation, cell));
        }
        if covered > 0 {
            spoken.push(Spoken {
                place,
                shown: judged > 0,
                fault: format!(
                    "expectation `{}` of status {} matched no cell that ran",
                    expectation.scope(),
                    expectation.status.status()
                ),
            });
        }
    }
    spoken
}

/// A sentence for each of `spoken` that nothing showed.
pub fn unused(spoken: &[Spoken]) -> impl Iterator<Item = String> {
    spoken.iter().filter(|one| !one.shown).map(|one| one.fault.clone())
}

/// Turns a cell into XFAIL or XPASS; whether it showed anything that the expectation speaks of.
fn judge(expectation: &Expectation, cell: &mut CellReport) -> bool {
    let expected = expectation.status.status();
    if cell.status == expected {
        let found = cell.reason.take().unwrap_or_default();
        cell.status = Status::Xfail;
        cell.reason = Some(format!("{} ({}); found: {found}", expectation.reason, expectation.link));
        true
    } else if cell.status == Status::Ok {
        cell.status = Status::Xpass;
        cell.reason = Some(format!(
            "it agrees, although {expected} is expected: {} ({})",
            expectation.reason, expectation.link
        ));
        true
    } else {
        // An earlier expectation has spoken of the cell, or it shows something worse than what is known.
        matches!(cell.status, Status::Xfail | Status::Xpass)
    }
}

fn on_driver(expectation: &Expectation, lane: &LaneReport) -> bool {
    let Some(pattern) = &expectation.driver else {
        return true;
    };
    lane.adapter.as_ref().is_some_and(|facts| {
        let driver = format!("{} {}", facts.driver, facts.driver_info);
        wildmatch::WildMatch::new(pattern).matches(driver.trim_end())
    })
}

#[cfg(test)]
mod tests;
