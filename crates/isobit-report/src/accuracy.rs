//! How far twins with a tolerance are off: pairs by their distance in ULP, and the colour differences of pixels.

use comfy_table::Table;
use isobit::compare::{ColourErrors, UlpHistogram};
use isobit_gate::report::{CellReport, Check, Report, Status};

use crate::margin::tolerant;
use crate::number;
use crate::table::{self, Align};

/// Buckets of the histogram with a column of their own; what lies beyond them shares the last column.
const BUCKETS: usize = 5;

/// All pairs of one metric of a twin on one lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// `kernel/twin`.
    pub name: String,
    /// Name of the metric.
    pub metric: String,
    /// Name of the lane.
    pub lane: String,
    /// Pairs by their distance.
    pub ulps: UlpHistogram,
    /// The colour differences, where the metric is of colours.
    pub colour: Option<ColourErrors>,
}

impl Accuracy {
    fn add(&mut self, checks: &[&Check]) {
        // Each check of a metric has counted the same pairs.
        if let Some(check) = checks.first() {
            self.ulps.merge(&check.comparison.ulps);
        }
        let Some(colour) = checks.iter().find_map(|check| check.comparison.colour) else {
            return;
        };
        self.colour = Some(self.colour.map_or(colour, |earlier| earlier.merged(colour)));
    }
}

/// The accuracy of everything that was compared under a tolerance above zero: lanes within metrics, both in order of the
/// manifest.
pub fn accuracies(report: &Report) -> Vec<Accuracy> {
    let mut found: Vec<Accuracy> = Vec::new();
    let measured = |cell: &&CellReport| !cell.control && cell.status != Status::Error;
    for cell in report.cells.iter().filter(measured) {
        let mut metrics: Vec<&str> = Vec::new();
        for check in cell.checks.iter().filter(|check| tolerant(check)) {
            if !metrics.contains(&check.metric.as_str()) {
                metrics.push(&check.metric);
            }
        }
        for metric in metrics {
            let checks: Vec<&Check> = cell.checks.iter().filter(|check| check.metric == metric).collect();
            let name = format!("{}/{}", cell.kernel, cell.twin);
            let is_it = |a: &Accuracy| a.name == name && a.metric == metric && a.lane == cell.lane;
            let index = found.iter().position(is_it).unwrap_or_else(|| {
                // Behind the other lanes of the same metric.
                let last = found.iter().rposition(|a| a.name == name && a.metric == metric);
                let index = last.map_or(found.len(), |last| last + 1);
                let accuracy = Accuracy {
                    name: name.clone(),
                    metric: metric.to_owned(),
                    lane: cell.lane.clone(),
                    ulps: UlpHistogram::default(),
                    colour: None,
                };
                found.insert(index, accuracy);
                index
            });
            found[index].add(&checks);
        }
    }
    found
}

/// The share of pairs in each bucket of distances.
pub fn distances(accuracies: &[Accuracy], width: usize) -> Table {
    let bucket = |index: usize| match UlpHistogram::range(index) {
        (least, greatest) if least == greatest => least.to_string(),
        (least, greatest) => format!("{least}–{greatest}"),
    };
    let buckets: [String; BUCKETS] = std::array::from_fn(bucket);
    let beyond = format!("> {}", UlpHistogram::range(BUCKETS - 1).1);
    let mut headings = [("", Align::Right); 3 + BUCKETS + 1];
    headings[..3].copy_from_slice(&PLACE);
    for (heading, bucket) in headings[3..].iter_mut().zip(buckets.iter().chain([&beyond])) {
        heading.0 = bucket;
    }
    let mut table = table::columns(width, headings);
    rows(&mut table, accuracies.iter(), |accuracy| {
        let total = accuracy.ulps.total();
        let counts = accuracy.ulps.buckets();
        let (near, far) = counts.split_at(counts.len().min(BUCKETS));
        let near = (0..BUCKETS).map(|index| near.get(index).copied().unwrap_or(0));
        let share = |count: u64| match count {
            0 => "–".to_owned(),
            count => number::percent(count, total),
        };
        near.chain([far.iter().sum()]).map(share).collect()
    });
    table
}

/// The greatest and the mean colour differences; `None` where no metric is of colours.
pub fn colours(accuracies: &[Accuracy], width: usize) -> Option<Table> {
    use Align::Right;
    let [twin, metric, lane] = PLACE;
    let headings = [
        twin,
        metric,
        lane,
        ("max ΔE2000", Right),
        ("mean", Right),
        ("max ΔE-Oklab", Right),
        ("mean", Right),
    ];
    let mut table = table::columns(width, headings);
    let of_colours = accuracies.iter().filter(|accuracy| accuracy.colour.is_some());
    rows(&mut table, of_colours, |accuracy| {
        let colour = accuracy.colour.unwrap_or_default();
        let numbers = [
            colour.ciede2000.max,
            colour.ciede2000.mean,
            colour.ok.max,
            colour.ok.mean,
        ];
        numbers.map(number::measure).into()
    });
    (!table.is_empty()).then_some(table)
}

/// The columns that say what a row is about.
const PLACE: [(&str, Align); 3] = [("twin", Align::Left), ("metric", Align::Left), ("lane", Align::Left)];

/// A row each, what repeats from row to row printed once.
fn rows<'a>(
    table: &mut Table,
    accuracies: impl Iterator<Item = &'a Accuracy>,
    numbers: impl Fn(&Accuracy) -> Vec<String>,
) {
    let mut previous: Option<&Accuracy> = None;
    for accuracy in accuracies {
        let same_name = previous.is_some_and(|p| p.name == accuracy.name);
        let same_metric = same_name && previous.is_some_and(|p| p.metric == accuracy.metric);
        let unless = |same: bool, text: &String| if same { String::new() } else { text.clone() };
        let place = [
            unless(same_name, &accuracy.name),
            unless(same_metric, &accuracy.metric),
            accuracy.lane.clone(),
        ];
        table.add_row(place.into_iter().chain(numbers(accuracy)));
        previous = Some(accuracy);
    }
}
