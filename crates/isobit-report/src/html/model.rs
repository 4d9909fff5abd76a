//! What the page shows, in the form and order in which the template writes it down.

use std::collections::HashMap;

use isobit::format::{Depth, Layout};
use isobit_gate::report::{CellReport, LaneReport, Report, Status};
use serde::Serialize;

use crate::detail::{Finding, findings};
use crate::groups::{self, distinct, listed};
use crate::matrix::{Matrix, Row, Slot};
use crate::number::{count, counted, duration};
use crate::text::clean;
use crate::verdict::{Totals, Word, elements, sentence};
use crate::{accuracy, controls, margin, table, terminal};

/// Columns of text in blocks.
const WIDTH: usize = 110;
/// Findings that are shown; explaining one looks at all cells.
const FINDINGS: usize = 200;
/// Findings that are open when the page is; with more, the page would hide what follows.
const OPEN: usize = 20;
/// Groups of skipped and expected cells that are shown.
const GROUPS: usize = 40;

/// The whole page.
#[derive(Serialize)]
pub(super) struct Page {
    style: &'static str,
    word: &'static str,
    tone: &'static str,
    sentence: String,
    states: Vec<State>,
    lanes: Vec<Lane>,
    findings: Vec<Red>,
    more: String,
    benign: Vec<Benign>,
    tables: Vec<Block>,
    facts: Vec<[String; 2]>,
}

/// A share of the cells.
#[derive(Serialize)]
struct State {
    word: &'static str,
    tone: &'static str,
    cells: u64,
    text: String,
}

#[derive(Serialize)]
struct Lane {
    name: String,
    adapter: String,
    error: String,
    left_out: String,
    facts: Vec<[String; 2]>,
    alive: bool,
    controls: String,
    probes: Vec<Probe>,
    layouts: Vec<Columns>,
    rows: Vec<Twins>,
}

#[derive(Serialize)]
struct Probe {
    name: String,
    finding: String,
    broken: bool,
}

/// The columns of one layout.
#[derive(Serialize)]
struct Columns {
    name: String,
    depths: Vec<String>,
}

/// A row of a matrix.
#[derive(Serialize)]
struct Twins {
    name: String,
    slots: Vec<Square>,
}

/// A slot of a matrix; without text where there is no cell.
#[derive(Default, Serialize)]
struct Square {
    text: String,
    tone: &'static str,
    title: String,
    /// The finding that explains it, from 1; 0 for none.
    finding: usize,
}

/// Something red.
#[derive(Serialize)]
struct Red {
    word: &'static str,
    tone: &'static str,
    title: String,
    body: String,
    command: String,
    open: bool,
}

/// Cells that are skipped or expected, for one reason.
#[derive(Serialize)]
struct Benign {
    word: &'static str,
    cells: String,
    twins: String,
    lanes: String,
    reason: String,
}

/// A table of plain text.
#[derive(Serialize)]
struct Block {
    title: &'static str,
    text: String,
}

impl Page {
    pub(super) fn new(report: &Report, exit_code: u8, style: &'static str) -> Self {
        let all = findings(report);
        let shown = &all[..all.len().min(FINDINGS)];
        let word = Word::new(report, exit_code);
        Self {
            style,
            word: word.name(),
            tone: match word {
                Word::Ok => "ok",
                Word::Stale | Word::Interrupted => "warn",
                Word::Fail | Word::Error => "bad",
            },
            sentence: sentence(report, exit_code),
            states: states(&Totals::new(report)),
            lanes: lanes(report, shown),
            findings: shown
                .iter()
                .enumerate()
                .map(|(index, finding)| red(report, finding, index < OPEN))
                .collect(),
            more: match all.len() - shown.len() {
                0 => String::new(),
                more => counted(more as u64, "more finding"),
            },
            benign: benign(report),
            tables: tables(report),
            facts: facts(report),
        }
    }
}

fn states(totals: &Totals) -> Vec<State> {
    let all = [
        (Status::Error, totals.error),
        (Status::Fail, totals.fail),
        (Status::Xpass, totals.xpass),
        (Status::Xfail, totals.xfail),
        (Status::Skip, totals.skip),
        (Status::Ok, totals.ok),
    ];
    let occurring = all.into_iter().filter(|(_, cells)| *cells > 0);
    let state = |(status, cells): (Status, u64)| State {
        word: status.name(),
        tone: tone(status),
        cells,
        text: count(cells),
    };
    occurring.map(state).collect()
}

const fn tone(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Skip | Status::Xfail => "mild",
        Status::Xpass | Status::Fail | Status::Error => "bad",
    }
}

/// What a slot of a matrix is found by: lane, `kernel/twin`, layout and depth.
type Place = (String, String, Layout, Depth);

fn place(cell: &CellReport) -> Place {
    let name = format!("{}/{}", cell.kernel, cell.twin);
    (cell.lane.clone(), name, cell.format.layout, cell.format.depth)
}

/// The first finding of each slot that has one, from 1.
fn explained(shown: &[Finding<'_>]) -> HashMap<Place, usize> {
    let mut explained = HashMap::new();
    for (index, finding) in shown.iter().enumerate() {
        let cells = match finding {
            Finding::Fault(_) => &[][..],
            Finding::Cell(cell) => &[*cell][..],
            Finding::Lost(group) => &group.cells[..],
        };
        for cell in cells {
            explained.entry(place(cell)).or_insert(index + 1);
        }
    }
    explained
}

fn lanes(report: &Report, shown: &[Finding<'_>]) -> Vec<Lane> {
    let matrix = Matrix::new(report);
    let explained = explained(shown);
    let lanes = report.lanes.iter().zip(controls::by_lane(report)).enumerate();
    let lane = |(index, (lane, controls)): (usize, (&LaneReport, controls::LaneControls<'_>))| {
        let (layouts, rows) = self::matrix(&matrix, index, &explained);
        let text = |text: Option<&String>| text.map(|text| clean(text)).unwrap_or_default();
        Lane {
            name: lane.name.clone(),
            adapter: text(lane.adapter.as_ref().map(|facts| &facts.name)),
            error: text(lane.error.as_ref()),
            left_out: text(lane.left_out.as_ref()),
            facts: lane_facts(report, lane),
            alive: controls.left_out || (controls.alive == controls.total && controls.total > 0),
            controls: controls.summary(),
            probes: lane
                .probes
                .iter()
                .map(|probe| Probe {
                    name: probe.name.clone(),
                    finding: clean(&probe.finding),
                    broken: probe.broken,
                })
                .collect(),
            layouts,
            rows,
        }
    };
    lanes.map(lane).collect()
}

fn lane_facts(report: &Report, lane: &LaneReport) -> Vec<[String; 2]> {
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: String| facts.push([name.to_owned(), clean(&value)]);
    if let Some(adapter) = &lane.adapter {
        fact("driver", format!("{} {}", adapter.driver, adapter.driver_info));
        fact("compiler", adapter.compiler.clone());
    }
    let icd = lane.icd.as_ref().map(|icd| format!(", {icd}"));
    fact("environment", lane.environment.clone() + &icd.unwrap_or_default());
    let cells = || {
        report
            .cells
            .iter()
            .filter(|cell| !cell.control && cell.lane == lane.name)
    };
    let compared = counted(cells().map(elements).sum(), "element");
    let ms = cells().map(|cell| cell.timing.total_ms()).sum();
    let cells = counted(cells().count() as u64, "cell");
    fact("compared", format!("{cells}, {compared}, {} in all", duration(ms)));
    if lane.restarts > 0 {
        fact("restarts", count(lane.restarts.into()));
    }
    facts
}

/// The columns and rows of one lane's matrix. A kernel's layouts are rows of the model, and stand side by side here.
fn matrix(matrix: &Matrix, lane: usize, explained: &HashMap<Place, usize>) -> (Vec<Columns>, Vec<Twins>) {
    let of_lane = |row: &&Row| row.slots.keys().any(|(known, _)| *known == lane);
    let mut formats: Vec<(Layout, Depth)> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for row in matrix.rows.iter().filter(of_lane) {
        let depths = row.slots.keys().filter(|(known, _)| *known == lane);
        formats.extend(depths.map(|(_, depth)| (row.layout, *depth)));
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    formats.sort();
    formats.dedup();
    let mut layouts: Vec<Columns> = Vec::new();
    for (layout, depth) in &formats {
        let (name, depth) = (layout.to_string(), depth.to_string());
        match layouts.last_mut().filter(|columns| columns.name == name) {
            Some(columns) => columns.depths.push(depth),
            None => layouts.push(Columns {
                name,
                depths: vec![depth],
            }),
        }
    }
    let slot = |name: &str, layout: Layout, depth: Depth| {
        let row = matrix
            .rows
            .iter()
            .find(|row| row.name == name && row.layout == layout)?;
        let slot = row.slots.get(&(lane, depth))?;
        let place = (matrix.lanes[lane].clone(), name.to_owned(), layout, depth);
        let finding = explained.get(&place).copied().unwrap_or_default();
        let title = format!("{name} {layout}-{depth}");
        Some(square(*slot, title, finding))
    };
    let rows = names.iter().map(|name| Twins {
        name: (*name).to_owned(),
        slots: formats
            .iter()
            .map(|&(layout, depth)| slot(name, layout, depth).unwrap_or_default())
            .collect(),
    });
    (layouts, rows.collect())
}

fn square(slot: Slot, title: String, finding: usize) -> Square {
    Square {
        text: slot.text(),
        tone: tone(slot.worst),
        title: format!("{title}: {} of {} OK", slot.ok, counted(slot.total, "cell")),
        finding,
    }
}

fn red(report: &Report, finding: &Finding<'_>, open: bool) -> Red {
    let detail = finding.detail(report, WIDTH);
    Red {
        word: detail.word,
        tone: "bad",
        title: detail.title,
        body: unindented(&detail.body),
        command: clean(&detail.command),
        open,
    }
}

/// A terminal needs the margin that a page has anyway.
fn unindented(text: &str) -> String {
    let lines = text.lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

fn benign(report: &Report) -> Vec<Benign> {
    let states = [Status::Xfail, Status::Skip].into_iter();
    let groups = states.flat_map(|status| {
        let groups = groups::by_reason(report, status, false);
        groups.into_iter().map(move |group| (status, group))
    });
    let benign = groups.map(|(status, group)| Benign {
        word: status.name(),
        cells: counted(group.cells.len() as u64, "cell"),
        twins: listed(
            &distinct(&group.cells, |cell| format!("{}/{}", cell.kernel, cell.twin)),
            8,
        ),
        lanes: listed(&distinct(&group.cells, |cell| cell.lane.clone()), 8),
        reason: clean(group.reason),
    });
    benign.take(GROUPS).collect()
}

fn tables(report: &Report) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut block = |title, table| {
        blocks.push(Block {
            title,
            text: table::print(&table),
        });
    };
    let margins = margin::margins(report);
    if !margins.is_empty() {
        block("Largest errors against what is allowed", margin::table(&margins, WIDTH));
    }
    let accuracies = accuracy::accuracies(report);
    if !accuracies.is_empty() {
        block(
            "How many pairs are how many ULP apart",
            accuracy::distances(&accuracies, WIDTH),
        );
    }
    if let Some(colours) = accuracy::colours(&accuracies, WIDTH) {
        block("Colour differences of pixels", colours);
    }
    blocks
}

fn facts(report: &Report) -> Vec<[String; 2]> {
    let mut facts = vec![
        ["isobit".to_owned(), report.isobit_version.clone()],
        [
            "commit".to_owned(),
            report
                .commit
                .clone()
                .unwrap_or_else(|| "outside a repository".to_owned()),
        ],
        ["host".to_owned(), terminal::hosts(report)],
        ["manifest".to_owned(), report.manifest.clone()],
        ["configuration".to_owned(), report.configuration.clone()],
    ];
    if let Some(shard) = &report.shard {
        facts.push(["shard".to_owned(), shard.part.to_string()]);
    }
    facts
}
