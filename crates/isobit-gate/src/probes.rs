//! What a lane's arithmetic and memory do, found out before any kernel runs. Data and sums only: the caller executes.
//!
//! Most findings are no faults: a driver may fuse, flush or rewrite, and a report that names it explains why a native twin
//! differs there. A probe is *broken* where no kernel's result could be trusted.

use isobit::execution::{Execution, ExecutionError, Readback};
use isobit::frame::Input;
use isobit::plan::Plan;

use crate::report::ProbeReport;

mod arithmetic;
mod machine;

/// Runs every probe through `execute` and returns what each found, in a fixed order.
pub fn run(execute: &mut dyn FnMut(&Plan, &Input) -> Result<Execution, ExecutionError>) -> Vec<ProbeReport> {
    let mut reports = Vec::new();
    // Memory and control flow first: where they fail, findings about arithmetic mean nothing.
    for set in [machine::set(), arithmetic::set()] {
        let found = match execute(&set.plan, &set.input) {
            Ok(execution) => sound(&execution).and_then(|readback| (set.judge)(readback)),
            Err(error) => Err(error.to_string()),
        };
        reports.extend(found.unwrap_or_else(|reason| broken(set.names, &reason)));
    }
    reports
}

/// Probes that share one plan.
struct Set {
    plan: Plan,
    input: Input,
    /// The names of its probes, in the order in which they are reported.
    names: &'static [&'static str],
    /// What the read-back of the only frame shows, or why it shows nothing.
    judge: fn(&Readback) -> Result<Vec<ProbeReport>, String>,
}

/// The read-back of the only frame, unless the memory around or behind it is at fault.
fn sound(execution: &Execution) -> Result<&Readback, String> {
    if let Some(fault) = execution.faults.first() {
        return Err(format!(
            "{} elements of buffer `{}` are at fault from {} on: {:?}",
            fault.count, fault.buffer, fault.first, fault.kind
        ));
    }
    match &execution.frames[..] {
        [readback] => Ok(readback),
        frames => Err(format!("{} frames came back instead of one", frames.len())),
    }
}

fn broken(names: &[&str], reason: &str) -> Vec<ProbeReport> {
    let report = |name: &&str| ProbeReport {
        name: (*name).to_owned(),
        finding: reason.to_owned(),
        broken: true,
    };
    names.iter().map(report).collect()
}

#[cfg(test)]
mod tests;
