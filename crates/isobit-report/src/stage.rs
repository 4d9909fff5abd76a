//! Where the intermediate results of a red cell part, in words.

use isobit_gate::report::StageFinding;

use crate::number::{count, counted};

/// One sentence.
pub fn words(finding: &StageFinding) -> String {
    match finding {
        StageFinding::Differs(found) => format!(
            "the first that differs is `{}` (buffer `{}`) of frame {}: {} of {}, first at ({}, {}), where the reference has {} \
             ({}) and the twin {} ({})",
            found.label,
            found.buffer,
            found.frame,
            count(found.mismatches),
            counted(found.elements, "element"),
            found.x,
            found.y,
            found.reference,
            found.reference.hex(),
            found.twin,
            found.twin.hex(),
        ),
        StageFinding::Equal { frame } => {
            format!("all of frame {frame} are equal, so what differs is formed behind them")
        }
        StageFinding::Failed { reason } => format!("the stages could not be compared: {reason}"),
    }
}
