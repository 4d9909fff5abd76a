//! How much of its tolerance each twin uses: the largest errors over all cells, beside what is allowed.

use comfy_table::Table;
use isobit::compare::Comparison;
use isobit_gate::report::{Check, Report, Status};

use crate::number;
use crate::table::{self, Align};

/// The largest errors of one metric under one rule on one lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    /// `kernel/twin`.
    pub name: String,
    /// The metric and its rule.
    pub rule: String,
    /// Name of the lane.
    pub lane: String,
    /// The largest absolute difference.
    pub max_abs: f64,
    /// The largest difference relative to the reference.
    pub max_rel: f64,
    /// The largest distance in representable numbers.
    pub max_ulp: u64,
    /// The largest error in the rule's own unit.
    pub max_measure: Option<f64>,
}

impl Margin {
    fn add(&mut self, comparison: &Comparison) {
        self.max_abs = larger(self.max_abs, comparison.max_abs);
        self.max_rel = larger(self.max_rel, comparison.max_rel);
        self.max_ulp = self.max_ulp.max(comparison.max_ulp);
        self.max_measure = match (self.max_measure, comparison.max_measure) {
            (Some(a), Some(b)) => Some(larger(a, b)),
            (a, b) => a.or(b),
        };
    }
}

/// Whether a check allows any difference at all.
pub fn tolerant(check: &Check) -> bool {
    !check.tolerance.starts_with("exact")
}

/// The margins of everything that was compared under a tolerance above zero, in order of the manifest.
pub fn margins(report: &Report) -> Vec<Margin> {
    let mut margins: Vec<Margin> = Vec::new();
    let measured = report
        .cells
        .iter()
        .filter(|cell| !cell.control && cell.status != Status::Error);
    for cell in measured {
        for check in cell.checks.iter().filter(|check| tolerant(check)) {
            let name = format!("{}/{}", cell.kernel, cell.twin);
            let rule = format!("{}: {}", check.metric, check.tolerance);
            let known = margins
                .iter_mut()
                .find(|m| m.name == name && m.rule == rule && m.lane == cell.lane);
            match known {
                Some(margin) => margin.add(&check.comparison),
                None => margins.push(Margin {
                    name,
                    rule,
                    lane: cell.lane.clone(),
                    max_abs: check.comparison.max_abs,
                    max_rel: check.comparison.max_rel,
                    max_ulp: check.comparison.max_ulp,
                    max_measure: check.comparison.max_measure,
                }),
            }
        }
    }
    margins
}

/// `margins` as a table, what repeats from row to row printed once.
pub fn table(margins: &[Margin], width: usize) -> Table {
    use Align::{Left, Right};
    let headings = [
        ("twin", Left),
        ("allowed", Left),
        ("lane", Left),
        ("max abs", Right),
        ("max rel", Right),
        ("max ULP", Right),
        ("own unit", Right),
    ];
    let mut table = table::columns(width, headings);
    let mut ordered: Vec<&Margin> = margins.iter().collect();
    let place = |margin: &Margin| {
        let first = |same: &dyn Fn(&Margin) -> bool| margins.iter().position(same);
        (
            first(&|m| m.name == margin.name),
            first(&|m| m.name == margin.name && m.rule == margin.rule),
        )
    };
    ordered.sort_by_key(|margin| place(margin));
    let mut previous: Option<&Margin> = None;
    for margin in ordered {
        let same_name = previous.is_some_and(|p| p.name == margin.name);
        let same_rule = same_name && previous.is_some_and(|p| p.rule == margin.rule);
        table.add_row([
            if same_name { String::new() } else { margin.name.clone() },
            if same_rule { String::new() } else { margin.rule.clone() },
            margin.lane.clone(),
            number::measure(margin.max_abs),
            number::measure(margin.max_rel),
            number::ulp(margin.max_ulp),
            margin.max_measure.map_or("–".to_owned(), number::measure),
        ]);
        previous = Some(margin);
    }
    table
}

/// The larger of two errors, of which NaN is the largest.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}
