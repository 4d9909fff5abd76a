//! What of a selection can be recorded: rows of the matrix, each whole, of twins that are listed as exact.

use super::{Manifest, SelectionError};
use crate::args::{Environment, RunArgs};
use crate::cell::Cell;
use crate::config::{Config, Fragment};
use crate::record::Row;

/// Refuses to record what is not measured whole.
pub(super) fn refuse_cuts(args: &RunArgs) -> Result<(), SelectionError> {
    let flags = [("--record", args.record), ("--record-costs", args.record_costs)];
    if let Some((flag, _)) = flags.into_iter().find(|(_, given)| *given && !args.matrix) {
        return Err(SelectionError::RecordOutside { flag });
    }
    let (cuts, replaces) = ("cuts cells out of them", "puts others in their place");
    let cutting = [
        ("--env", replaces, args.env != Environment::Host),
        ("--option", replaces, !args.options.is_empty()),
        ("--clip", replaces, !args.clip.is_empty()),
        ("--depths", cuts, !args.depths.is_empty()),
        ("--layouts", cuts, !args.layouts.is_empty()),
        ("--fixtures", cuts, !args.fixtures.is_empty()),
        ("--shard", cuts, args.shard.is_some()),
    ];
    let cut = cutting.into_iter().find(|(.., given)| *given);
    // How long cells take is compared between kernels, so their costs are those of one run.
    let narrowed = [("--kernels", !args.kernels.is_empty()), ("--stale", args.stale)];
    let narrowed = narrowed.into_iter().find(|(_, given)| *given).map(|(option, _)| option);
    match (cut, narrowed) {
        (Some((option, why, _)), _) if args.record => Err(SelectionError::PartialRecord { option, why }),
        (Some((option, ..)), _) | (None, Some(option)) if args.record_costs => {
            Err(SelectionError::PartialCosts { option })
        }
        _ => Ok(()),
    }
}

/// Refuses a selection in which a kernel or lane that was asked for by name has nothing to record.
pub(super) fn every_name_is_listed(args: &RunArgs, config: &Config, cells: &[Cell]) -> Result<(), SelectionError> {
    if !args.record {
        return Ok(());
    }
    let listed = |cell: &&Cell| config.fragments.iter().any(|fragment| is_of(cell, fragment));
    let rows: Vec<&Cell> = cells.iter().filter(listed).collect();
    let kernels = args.kernels.iter().map(|name| ("kernel", name));
    let lanes = args.lanes.iter().map(|name| ("lane", name));
    let without = kernels.chain(lanes).find(|(what, name)| {
        let has = |cell: &&Cell| {
            name.as_str()
                == if *what == "kernel" {
                    cell.kernel.name
                } else {
                    &cell.lane
                }
        };
        !rows.iter().any(has)
    });
    let lack = match without {
        Some((what, name)) => format!("{what} `{name}` has none"),
        None if rows.is_empty() => "there is none".to_owned(),
        None => return Ok(()),
    };
    Err(SelectionError::Unlisted { lack })
}

/// Whether a cell belongs to the row of a listed twin.
fn is_of(cell: &Cell, fragment: &Fragment) -> bool {
    cell.control.is_none()
        && (cell.kernel.name, cell.twin.name, &cell.lane) == (&*fragment.kernel, &*fragment.twin, &fragment.lane)
}

impl Manifest {
    /// Whether it has cells of the row that `fragment` lists.
    pub fn has(&self, fragment: &Fragment) -> bool {
        self.cells.iter().any(|cell| is_of(cell, fragment))
    }

    /// Leaves the cells of `rows`, and the controls of their lanes.
    pub fn keep(&mut self, rows: &[Row<'_>]) {
        self.cells.retain(|cell| {
            rows.iter().any(|row| match cell.control {
                Some(_) => cell.lane == row.fragment.lane,
                None => is_of(cell, row.fragment),
            })
        });
    }
}
