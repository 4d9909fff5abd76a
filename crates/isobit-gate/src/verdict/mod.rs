//! One cell judged. Numbers are compared by [`isobit::compare`] and nowhere else.

mod complete;
mod words;

use isobit::compare::{CompareError, Comparison, check_declared, colour_errors, compare};
use isobit::execution::BufferFault;
use isobit::kernel::{Control, KernelError, MetricKind};
use isobit::output::Output;
use isobit::tolerance::Rule;
use isobit::work::{Receipt, Work};

use crate::cell::Cell;
use crate::report::{CellReport, CellTiming, Check, Score, StageFinding, Status};
use crate::resolve::MetricRule;

/// The name of a control's twin that must differ.
pub const BROKEN: &str = "broken";

/// Judges `twin` against `reference`.
///
/// Never panics on what a twin returned: outputs that cannot be compared make the cell an ERROR.
pub fn judge(
    cell: &Cell,
    rules: &[MetricRule],
    reference: &[Output],
    twin: &[Output],
    faults: Vec<BufferFault>,
    receipt: Receipt,
) -> CellReport {
    let checks = match checks(cell, rules, reference, twin) {
        Ok(checks) => checks,
        Err(reason) => {
            return CellReport {
                faults,
                ..error(cell, reason)
            };
        }
    };
    let mut report = CellReport {
        checks,
        scores: scores(cell, reference, twin),
        faults,
        ..blank(cell, Status::Ok, None)
    };
    match cell.control {
        Some(control) if cell.twin.name == BROKEN => confirm(&mut report, control, cell, &receipt),
        _ => conclude(&mut report),
    }
    if cell.control.is_none_or(|_| cell.twin.name != BROKEN)
        && let Some((step, reason)) = receipt.fallen_back()
    {
        report.status = Status::Error;
        report.reason = Some(format!(
            "step `{step}` is declared to run on the device and fell back to the host: {reason}"
        ));
    }
    if !matches!(cell.twin.work, Work::Frame(_)) {
        report.receipt = receipt.steps;
    }
    report
}

/// Makes a cell an ERROR whose outputs agree although its intermediate results do not, or could not be compared: then they
/// are not what the twin says they are, and would mislead whoever looks for a fault.
pub fn judge_stages(report: &mut CellReport) {
    if report.status != Status::Ok {
        return;
    }
    let reason = match &report.stage {
        Some(StageFinding::Differs(found)) => format!(
            "the outputs agree, and stage `{}` (buffer `{}`) does not: {} of {} elements differ",
            found.label, found.buffer, found.mismatches, found.elements
        ),
        Some(StageFinding::Failed { reason }) => format!("the stages could not be compared: {reason}"),
        Some(StageFinding::Equal { .. }) | None => return,
    };
    report.status = Status::Error;
    report.reason = Some(reason);
}

/// A cell in which nothing trustworthy was compared.
pub fn error(cell: &Cell, reason: impl Into<String>) -> CellReport {
    blank(cell, Status::Error, Some(reason.into()))
}

/// A cell that is declared not to run; an ERROR where nothing is declared.
pub fn skip(cell: &Cell) -> CellReport {
    match &cell.skip {
        Some(reason) => blank(cell, Status::Skip, Some(reason.clone())),
        None => error(cell, "it was skipped without a declared reason"),
    }
}

/// A cell that is declared not to run, from what `reference` and `twin` said when they were asked for a result; `None` where
/// one has it. An ERROR unless both refuse for the reason that is declared.
pub fn refused(cell: &Cell, reference: Option<&str>, twin: Option<&str>) -> CellReport {
    let declared = cell.skip.clone().map(|reason| {
        let kernel = cell.kernel.name;
        KernelError::Unsupported { kernel, reason }.to_string()
    });
    for (side, said) in [("reference", reference), ("twin", twin)] {
        if said != declared.as_deref() {
            let found = said.map_or("has a result".to_owned(), |said| format!("says: {said}"));
            let declared = cell.skip.as_deref().unwrap_or_default();
            return error(
                cell,
                format!("it is declared not to run ({declared}), and the {side} {found}"),
            );
        }
    }
    skip(cell)
}

impl CellReport {
    /// Adds what was found in later frames of the same clip, whose frames are numbered from the clip's start.
    pub fn merge(&mut self, later: Self) {
        let broken = [&*self, &later].into_iter().find(|part| part.status == Status::Error);
        let error = broken.and_then(|part| part.reason.clone());
        let status = self.status.max(later.status);

        for check in later.checks {
            let same = |c: &&mut Check| {
                (&c.metric, &c.tolerance, &c.source) == (&check.metric, &check.tolerance, &check.source)
            };
            match self.checks.iter_mut().find(same) {
                Some(earlier) => earlier.comparison.merge(check.comparison),
                None => self.checks.push(check),
            }
        }
        self.scores.extend(later.scores);
        self.faults.extend(later.faults);
        self.stage = self.stage.take().or(later.stage);
        let (timing, more) = (&mut self.timing, later.timing);
        timing.reference_ms += more.reference_ms;
        timing.pipelines_ms += more.pipelines_ms;
        timing.device_ms += more.device_ms;
        timing.transfer_ms += more.transfer_ms;
        timing.compare_ms += more.compare_ms;

        self.status = status;
        if error.is_some() {
            self.reason = error;
        } else if matches!(status, Status::Ok | Status::Fail) {
            conclude(self);
        }
    }
}

fn blank(cell: &Cell, status: Status, reason: Option<String>) -> CellReport {
    CellReport {
        kernel: cell.kernel.name.to_owned(),
        twin: cell.twin.name.to_owned(),
        control: cell.control.is_some(),
        format: cell.format,
        fixture: cell.source.name().to_owned(),
        lane: cell.lane.clone(),
        status,
        reason,
        checks: Vec::new(),
        scores: Vec::new(),
        faults: Vec::new(),
        receipt: Vec::new(),
        stage: None,
        timing: CellTiming::default(),
        ran_on: None,
    }
}

/// Compares every metric under each of its rules, or says why that is not possible.
fn checks(cell: &Cell, rules: &[MetricRule], reference: &[Output], twin: &[Output]) -> Result<Vec<Check>, String> {
    let metrics = cell.kernel.metrics;
    for (side, outputs) in [("reference", reference), ("twin", twin)] {
        check_declared(metrics, outputs).map_err(|error| format!("the {side}'s outputs are not complete: {error}"))?;
        complete::check(metrics, cell.source.frames(), outputs)
            .map_err(|reason| format!("the {side}'s outputs are not complete: {reason}"))?;
    }
    if let Some(metric) = metrics.iter().find(|m| !rules.iter().any(|r| r.metric.name == m.name)) {
        return Err(format!("metric `{}` has no rule to be judged by", metric.name));
    }
    if metrics.is_empty() {
        return Err("the kernel declares no metric".to_owned());
    }
    rules
        .iter()
        .enumerate()
        .map(|(index, rule)| {
            let compared = || -> Result<Comparison, CompareError> {
                let mut comparison = compare(rule.metric, reference, twin, &rule.rule)?;
                if reports_colour(rules, index) {
                    comparison.colour = colour_errors(rule.metric, reference, twin)?;
                }
                Ok(comparison)
            };
            let comparison = compared().map_err(|error| error.to_string())?;
            Ok(Check {
                metric: rule.metric.name.to_owned(),
                tolerance: rule.rule.to_string(),
                source: rule.source.clone(),
                comparison,
            })
        })
        .collect()
}

/// Whether the check under rule `index` is to tell colour differences that none of the metric's rules asks for: once for
/// each metric that has a tolerance.
fn reports_colour(rules: &[MetricRule], index: usize) -> bool {
    let metric = rules[index].metric.name;
    let of_metric = || rules.iter().enumerate().filter(|(_, rule)| rule.metric.name == metric);
    let first = of_metric().next().is_some_and(|(first, _)| first == index);
    let tolerant = of_metric().any(|(_, rule)| !rule.rule.is_exact());
    let asked = of_metric().any(|(_, rule)| matches!(rule.rule, Rule::DeltaEOk { .. } | Rule::DeltaE2000 { .. }));
    first && tolerant && !asked
}

/// OK or FAIL, by the comparisons and the faults that the report holds.
fn conclude(report: &mut CellReport) {
    let sound = report.faults.is_empty() && report.checks.iter().all(|check| check.comparison.mismatches == 0);
    report.status = if sound { Status::Ok } else { Status::Fail };
    report.reason = (!sound).then(|| words::failure(&report.checks, &report.faults));
}

/// OK where the broken twin differs for the reason that its control states, ERROR where the gate does not see it.
fn confirm(report: &mut CellReport, control: &Control, cell: &Cell, receipt: &Receipt) {
    let symptom = (control.symptom)(cell.format);
    let comparisons: Vec<Comparison> = report.checks.iter().map(|check| check.comparison.clone()).collect();
    (report.status, report.reason) = match symptom.confirm(&comparisons, &report.faults, receipt) {
        Ok(()) => (Status::Ok, Some(symptom.to_string())),
        Err(found) => (
            Status::Error,
            Some(format!("the gate is blind: expected {symptom}, but {found}")),
        ),
    };
}

/// The values of scalar metrics. Both sides are complete and of one shape, so they pair up in order.
fn scores(cell: &Cell, reference: &[Output], twin: &[Output]) -> Vec<Score> {
    let scalar = cell.kernel.metrics.iter().filter(|m| m.kind == MetricKind::Score);
    scalar
        .flat_map(|metric| {
            let of = move |outputs: &'_ [Output]| -> Vec<(usize, String)> {
                let outputs = outputs.iter().filter(|output| output.metric == metric.name);
                outputs.map(|o| (o.frame, words::digits(o.values.get(0)))).collect()
            };
            let pairs = of(reference).into_iter().zip(of(twin));
            pairs.map(|((frame, reference), (_, twin))| Score {
                metric: metric.name.to_owned(),
                frame,
                reference,
                twin,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;
