//! The command that repeats a cell, or a group of cells, and nothing else.

use isobit_gate::report::CellReport;

use crate::groups::distinct;
use crate::text::shell_word;

/// Filters with more values than this are left out: the command would be longer than what it saves.
const LONGEST_FILTER: usize = 4;

/// The command that runs `cells` again.
pub fn command(cells: &[&CellReport]) -> String {
    let mut filters = String::new();
    let mut whole = true;
    // Controls run with every run and are chosen by no filter.
    if cells.iter().all(|cell| !cell.control) {
        filter(&mut filters, "--kernels", cells, |cell| cell.kernel.clone());
        whole &= filter(&mut filters, "--depths", cells, |cell| cell.format.depth.to_string());
        filter(&mut filters, "--layouts", cells, |cell| cell.format.layout.to_string());
        if let Some(clip) = cells.iter().map(|cell| &cell.fixture).find(|fixture| is_clip(fixture)) {
            filters += &format!(" --clip {}", words(clip));
        } else {
            whole &= filter(&mut filters, "--fixtures", cells, |cell| cell.fixture.clone());
        }
    }
    filter(&mut filters, "--lanes", cells, |cell| cell.lane.clone());
    let held = |cell: &&CellReport| cell.checks.iter().any(|check| check.source == "held-exact");
    let held: Vec<_> = cells.iter().copied().filter(held).collect();
    if !held.is_empty() {
        filter(&mut filters, "--hold-exact", &held, |cell| cell.lane.clone());
    }
    // Without it, what no filter names is that of the quick set.
    let matrix = if whole { "" } else { " --matrix" };
    format!("cargo xtask parity{matrix}{filters}")
}

/// Adds the filter that holds the value of every cell, unless it would be too long; says whether it did.
fn filter(filters: &mut String, option: &str, cells: &[&CellReport], value: fn(&CellReport) -> String) -> bool {
    let values = distinct(cells, value);
    let short = (1..=LONGEST_FILTER).contains(&values.len());
    if short {
        *filters += &format!(" {option} {}", shell_word(&values.join(",")));
    }
    short
}

/// Whether a cell's fixture is the path of one's own clip: fixtures have plain names.
fn is_clip(fixture: &str) -> bool {
    fixture.contains(['.', '/', '\\'])
}

fn words(paths: &str) -> String {
    paths.split(' ').map(shell_word).collect::<Vec<_>>().join(" ")
}
