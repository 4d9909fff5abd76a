//! The report for a pull-request comment: the verdict first, then the matrix, what is red folded away, and the lanes.

use std::fmt::Write as _;

use isobit_gate::report::{LaneReport, Report, Status};

use crate::detail::findings;
use crate::groups::{self, distinct, listed};
use crate::matrix::{Matrix, Row};
use crate::number::counted;
use crate::text::{block, code, html};
use crate::verdict::{Word, sentence};
use crate::{accuracy, controls, margin, table, terminal};

/// The longest page, in bytes: a comment may have 65,536 characters.
const LONGEST: usize = 60_000;
/// What details may fill, so that a page stays readable.
const DETAILS: usize = 16_000;
/// Rows of the matrix that are shown.
const ROWS: usize = 120;
/// Columns of text in code blocks.
const WIDTH: usize = 96;

/// The report as a page of GitHub's Markdown, below [`LONGEST`] bytes.
pub fn render(report: &Report, exit_code: u8) -> String {
    let word = Word::new(report, exit_code);
    let mut page = format!(
        "### Isobit: {}\n\n{}\n",
        word.name(),
        html(&sentence(report, exit_code))
    );
    page += &matrix(report);
    page += &benign(report);
    page += &lanes(report);
    let margins = margin::margins(report);
    if !margins.is_empty() {
        let text = table::print(&margin::table(&margins, WIDTH));
        fold(&mut page, "Largest errors against what is allowed", &block(&text));
    }
    let accuracies = accuracy::accuracies(report);
    if !accuracies.is_empty() {
        let mut text = table::print(&accuracy::distances(&accuracies, WIDTH));
        if let Some(colours) = accuracy::colours(&accuracies, WIDTH) {
            text += "\n";
            text += &table::print(&colours);
        }
        fold(
            &mut page,
            "How many pairs are how many ULP apart, and colour differences",
            &block(&text),
        );
    }
    details(&mut page, report);
    let _ = write!(page, "\n<sub>{}</sub>\n", html(&terminal::provenance(report)));
    page
}

fn matrix(report: &Report) -> String {
    let matrix = Matrix::new(report);
    if matrix.rows.is_empty() {
        return String::new();
    }
    let mut out = "\n| twin | layout |".to_owned();
    for lane in &matrix.lanes {
        let _ = write!(out, " {} |", code(lane));
    }
    out += "\n|---|---|";
    out += &"---|".repeat(matrix.lanes.len());
    out.push('\n');
    for row in matrix.rows.iter().take(ROWS) {
        let _ = write!(out, "| {} | {} |", code(&row.name), row.layout);
        for lane in 0..matrix.lanes.len() {
            let _ = write!(out, " {} |", slots(&matrix, row, lane));
        }
        out.push('\n');
    }
    if matrix.rows.len() > ROWS {
        let _ = write!(out, "\n{} more rows are not shown.\n", matrix.rows.len() - ROWS);
    }
    out
}

/// `8: 12 ✓ · 10: 11/12 **FAIL**`.
fn slots(matrix: &Matrix, row: &Row, lane: usize) -> String {
    let slot = |&depth| {
        let slot = row.slots.get(&(lane, depth))?;
        let text = slot.text();
        let text = match slot.worst {
            Status::Xpass | Status::Fail | Status::Error => match text.split_once(' ') {
                Some((number, word)) => format!("{number} **{word}**"),
                None => text,
            },
            Status::Ok | Status::Skip | Status::Xfail => text,
        };
        Some(format!("{depth}: {text}"))
    };
    let slots: Vec<String> = matrix.depths.iter().filter_map(slot).collect();
    if slots.is_empty() {
        "–".to_owned()
    } else {
        slots.join(" · ")
    }
}

fn benign(report: &Report) -> String {
    let mut out = String::new();
    for (status, word) in [(Status::Skip, "SKIP"), (Status::Xfail, "XFAIL")] {
        for group in groups::by_reason(report, status, false).iter().take(20) {
            let twins = distinct(&group.cells, |cell| format!("{}/{}", cell.kernel, cell.twin));
            let lanes = distinct(&group.cells, |cell| cell.lane.clone());
            let _ = write!(
                out,
                "\n* {word}, {} of {} on {}: {}",
                counted(group.cells.len() as u64, "cell"),
                code(&listed(&twins, 4)),
                code(&listed(&lanes, 4)),
                code(group.reason)
            );
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn lanes(report: &Report) -> String {
    if report.lanes.is_empty() {
        return String::new();
    }
    let mut out = "\n| lane | adapter | driver | environment | controls |\n|---|---|---|---|---|\n".to_owned();
    for (lane, controls) in report.lanes.iter().zip(controls::by_lane(report)) {
        let (adapter, driver) = match (&lane.adapter, lane.error.as_ref(), &lane.left_out) {
            (Some(facts), ..) => (
                code(&facts.name),
                code(&format!("{} {}", facts.driver, facts.driver_info)),
            ),
            (None, Some(error), _) => (format!("**ERROR** {}", code(&first_line(error))), String::new()),
            (None, None, Some(reason)) => (format!("SKIP {}", code(&first_line(reason))), String::new()),
            (None, None, None) => ("**ERROR** no adapter".to_owned(), String::new()),
        };
        let _ = writeln!(
            out,
            "| {} | {adapter} | {driver} | {} | {}{} |",
            code(&lane.name),
            code(lane.image.as_ref().map_or(&lane.environment, |image| &image.name)),
            controls.summary(),
            broken(lane)
        );
    }
    for (lane, image) in report
        .lanes
        .iter()
        .filter_map(|lane| Some((lane, lane.image.as_ref()?)))
    {
        let packages: Vec<_> = image.packages.iter().map(|package| code(package)).collect();
        let _ = write!(
            out,
            "\nThe container of {} is {} `{}`, with {}.\n",
            code(&lane.name),
            lane.environment,
            image.id,
            packages.join(" ")
        );
    }
    out
}

fn broken(lane: &LaneReport) -> String {
    let broken: Vec<&str> = lane
        .probes
        .iter()
        .filter(|p| p.broken)
        .map(|p| p.name.as_str())
        .collect();
    if broken.is_empty() {
        String::new()
    } else {
        format!("; **broken probe** {}", code(&broken.join(", ")))
    }
}

/// Appends as many paragraphs as there is room for, and the number of the others.
fn details(page: &mut String, report: &Report) {
    let end = (page.len() + DETAILS).min(LONGEST);
    let findings = findings(report);
    for (index, finding) in findings.iter().enumerate() {
        let detail = finding.detail(report, WIDTH);
        let mut folded = String::new();
        fold(
            &mut folded,
            &format!("{}: {}", detail.word, detail.title),
            &block(&detail.plain()),
        );
        if page.len() + folded.len() > end {
            let more = counted((findings.len() - index) as u64, "more finding");
            let _ = write!(page, "\n{more} in the JSON report.\n");
            return;
        }
        page.push_str(&folded);
    }
}

fn fold(page: &mut String, title: &str, body: &str) {
    let _ = write!(
        page,
        "\n<details><summary>{}</summary>\n\n{body}\n</details>\n",
        html(title)
    );
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
