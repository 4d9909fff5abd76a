//! The report as a person reads it at the end of a run: lanes, matrix, what is red and why, and the verdict last.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use camino::Utf8Path;
use isobit::format::Depth;
use isobit_gate::report::{Host, LaneReport, Report, Status};

use crate::accuracy::Accuracy;
use crate::detail::findings;
use crate::groups::{self, distinct, listed};
use crate::matrix::Matrix;
use crate::number::counted;
use crate::paint::Paint;
use crate::table::{self, indent, paragraph};
use crate::verdict::{Word, elements, sentence};
use crate::{accuracy, controls, margin, text};

/// Red cells, and groups of them, that are shown in full.
const DETAILS: usize = 10;
/// Lines are kept within this on a wider terminal, so that reports look alike everywhere.
const WIDEST: usize = 100;
/// Below this a table cannot be laid out; a narrower terminal wraps the lines itself.
const NARROWEST: usize = 48;

/// What a renderer has to know beside the report.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether colour is wanted.
    pub colour: bool,
    /// The code with which the run will end.
    pub exit_code: u8,
    /// Where the whole report is, as a path to print.
    pub json: Option<&'a str>,
}

/// The report as text, each line ended.
pub fn render(report: &Report, options: &Options<'_>) -> String {
    let width = options.width.clamp(NARROWEST, WIDEST);
    let paint = Paint { colour: options.colour };
    let mut out = String::new();
    out += &paint.faint(&indent(&paragraph(&provenance(report), width), 0));
    out += &section(paint, "Lanes", &lanes(report, width));
    out += &section(paint, "Probes", &probes(report, width));
    out += &section(paint, "Matrix", &matrix(report, width, paint));
    out += &section(paint, "Largest errors against what is allowed", &margins(report, width));
    let accuracies = accuracy::accuracies(report);
    out += &section(
        paint,
        "How many pairs are how many ULP apart",
        &distances(&accuracies, width),
    );
    out += &section(paint, "Colour differences of pixels", &colours(&accuracies, width));
    out += &section(paint, "Skipped and expected", &benign(report, width));
    let red = findings(report);
    if !red.is_empty() {
        let _ = write!(out, "\n{}\n", paint.heading("What is wrong"));
        for red in red.iter().take(DETAILS).map(|finding| finding.detail(report, width)) {
            let _ = write!(
                out,
                "\n{}  {}\n{}  {}\n",
                paint.state(red.word),
                paint.heading(&red.title),
                red.body,
                paint.heading(&format!("hint: {}", red.command))
            );
        }
        if red.len() > DETAILS {
            let _ = write!(out, "\nand {} more not shown", red.len() - DETAILS);
            out += &options
                .json
                .map_or("\n".to_owned(), |path| format!("; all are in `{path}`\n"));
        }
    }
    let word = Word::new(report, options.exit_code);
    let _ = write!(
        out,
        "\n{}  {}\n",
        paint.verdict(word),
        sentence(report, options.exit_code)
    );
    out
}

fn section(paint: Paint, title: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!("\n{}\n{body}", paint.heading(title))
}

pub(crate) fn provenance(report: &Report) -> String {
    let commit = report.commit.as_deref().unwrap_or("outside a repository");
    let shard = report.shard.as_ref();
    format!(
        "isobit {}, commit {commit}, {}, {}manifest {}",
        report.isobit_version,
        hosts(report),
        shard
            .map(|shard| format!("shard {} of ", shard.part))
            .unwrap_or_default(),
        report.manifest.get(..12).unwrap_or(&report.manifest),
    )
}

/// The machines that ran.
pub(crate) fn hosts(report: &Report) -> String {
    let host = |host: &Host| {
        let cores = counted(host.cores as u64, "core");
        format!("{} {}, {}, {cores}", host.os, host.arch, text::clean(&host.cpu))
    };
    let hosts: Vec<_> = report.hosts.iter().map(host).collect();
    hosts.join("; ")
}

/// Prints the report to standard output, as wide as the terminal; `json` is where the whole of it will be.
///
/// # Errors
/// Those of standard output.
pub fn print(report: &Report, exit_code: u8, json: &Utf8Path) -> io::Result<()> {
    let options = Options {
        width: terminal_size::terminal_size().map_or(100, |(width, _)| width.0.into()),
        colour: true,
        exit_code,
        json: Some(json.as_str()),
    };
    // Colour is taken out again where standard output is no terminal or does not want it.
    let mut out = anstream::stdout().lock();
    out.write_all(render(report, &options).as_bytes())?;
    out.flush()
}

fn lanes(report: &Report, width: usize) -> String {
    let controls = controls::by_lane(report);
    let mut out = String::new();
    for (lane, controls) in report.lanes.iter().zip(&controls) {
        let mut rows = vec![(format!("  {}", lane.name), adapter(lane))];
        let mut row = |name: &str, value: String| rows.push((format!("    {name}"), value));
        if let Some(facts) = &lane.adapter {
            row(
                "driver",
                text::clean(&format!("{} {}", facts.driver, facts.driver_info)),
            );
            if !facts.compiler.is_empty() {
                row("compiler", text::clean(&facts.compiler));
            }
        }
        let place = lane.image.as_ref().map(|image| &image.name).or(lane.icd.as_ref());
        row(
            "environment",
            place.map_or(lane.environment.clone(), |place| {
                format!("{}, {}", lane.environment, text::clean(place))
            }),
        );
        if let Some(image) = &lane.image {
            row("packages", text::clean(&image.packages.join(" ")));
        }
        let cells = || {
            report
                .cells
                .iter()
                .filter(|cell| !cell.control && cell.lane == lane.name)
        };
        let compared = counted(cells().map(elements).sum(), "element");
        row(
            "compared",
            format!("{} in {}", compared, counted(cells().count() as u64, "cell")),
        );
        row("controls", controls.summary());
        if lane.restarts > 0 {
            row(
                "restarts",
                format!(
                    "its worker ended and was started again {}",
                    counted(u64::from(lane.restarts), "time")
                ),
            );
        }
        if let Some(reason) = &lane.left_out {
            row("SKIP", text::lines(reason).collect::<Vec<_>>().join("; "));
        }
        if let Some(error) = &lane.error {
            row("ERROR", text::lines(error).collect::<Vec<_>>().join("; "));
        }
        out += &table::pairs(width, &rows);
    }
    out
}

fn adapter(lane: &LaneReport) -> String {
    lane.adapter.as_ref().map_or("no adapter".to_owned(), |facts| {
        format!("{}, {} through {}", text::clean(&facts.name), facts.kind, facts.backend)
    })
}

fn probes(report: &Report, width: usize) -> String {
    let mut names: Vec<&str> = Vec::new();
    for probe in report.lanes.iter().flat_map(|lane| &lane.probes) {
        if !names.contains(&probe.name.as_str()) {
            names.push(&probe.name);
        }
    }
    if names.is_empty() {
        return String::new();
    }
    let lanes: Vec<&LaneReport> = report.lanes.iter().filter(|lane| !lane.probes.is_empty()).collect();
    let heading = std::iter::once("  probe").chain(lanes.iter().map(|lane| lane.name.as_str()));
    let rows = names.iter().map(|name| {
        let findings = lanes.iter().map(|lane| {
            let probe = lane.probes.iter().find(|probe| probe.name == *name);
            probe.map_or("–".to_owned(), |probe| {
                let mark = if probe.broken { "BROKEN: " } else { "" };
                format!("{mark}{}", text::clean(&probe.finding))
            })
        });
        std::iter::once(format!("  {name}")).chain(findings).collect()
    });
    table::grid(width, heading.map(str::to_owned).collect(), rows)
}

/// The matrix, in as many tables as the lanes need to stay within `width`.
fn matrix(report: &Report, width: usize, paint: Paint) -> String {
    let matrix = Matrix::new(report);
    if matrix.rows.is_empty() {
        return String::new();
    }
    let columns: Vec<Column> = (0..matrix.lanes.len()).map(|lane| Column::new(&matrix, lane)).collect();
    let names = matrix
        .rows
        .iter()
        .map(|row| row.name.chars().count())
        .max()
        .unwrap_or(0);
    let used = names + "yuv420".len() + 6;
    let mut out = String::new();
    let mut rest = columns.as_slice();
    while !rest.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        let mut taken = 1;
        let mut room = width.saturating_sub(used + rest[0].width() + 3);
        while taken < rest.len() && rest[taken].width() + 3 <= room {
            room -= rest[taken].width() + 3;
            taken += 1;
        }
        let (now, later) = rest.split_at(taken);
        for line in one_table(&matrix, now, width).lines() {
            out += &paint.matrix_line(line);
            out.push('\n');
        }
        rest = later;
    }
    let legend = "n ✓: all n cells agree; k/n: k of n are OK, and the gravest state of the others; –: not defined";
    out + &paint.faint(&indent(&paragraph(legend, width - 2), 2))
}

/// A lane in the matrix, laid out by itself: depths side by side, each as wide as its widest slot.
struct Column {
    lane: usize,
    depths: Vec<(Depth, usize)>,
    heading: String,
}

impl Column {
    fn new(matrix: &Matrix, lane: usize) -> Self {
        let wide = |depth: Depth| {
            let slots = matrix
                .rows
                .iter()
                .map(|row| matrix.text(row, lane, depth).chars().count());
            slots.max().unwrap_or(0).max(depth.name().len())
        };
        let depths: Vec<_> = matrix.depths.iter().map(|&depth| (depth, wide(depth))).collect();
        let heading = line(depths.iter().map(|(depth, wide)| (depth.name().to_owned(), *wide)));
        Self {
            lane,
            depths,
            heading: format!("{}\n{heading}", matrix.lanes[lane]),
        }
    }

    fn width(&self) -> usize {
        let widest = self.heading.lines().map(|line| line.chars().count()).max();
        widest.unwrap_or(0)
    }
}

fn one_table(matrix: &Matrix, columns: &[Column], width: usize) -> String {
    let mut table = table::ruled(width);
    let names = matrix
        .rows
        .iter()
        .map(|row| row.name.chars().count())
        .max()
        .unwrap_or(0);
    let mut previous = "";
    let title = |name: &str, layout: &str| format!("  {name:names$}  {layout:6}");
    table.set_header(
        [format!("\n{}", title("twin", "layout"))]
            .into_iter()
            .chain(columns.iter().map(|column| column.heading.clone())),
    );
    for row in &matrix.rows {
        let name = if row.name == previous { "" } else { &row.name };
        previous = &row.name;
        let slots = columns.iter().map(|column| {
            let slots = column.depths.iter();
            line(slots.map(|&(depth, wide)| (matrix.text(row, column.lane, depth), wide)))
        });
        table.add_row([title(name, row.layout.name())].into_iter().chain(slots));
    }
    table::print(&table)
}

/// Texts side by side, each right-aligned in its width.
fn line(texts: impl Iterator<Item = (String, usize)>) -> String {
    let texts: Vec<String> = texts.map(|(text, wide)| format!("{text:>wide$}")).collect();
    texts.join("  ")
}

fn margins(report: &Report, width: usize) -> String {
    let margins = margin::margins(report);
    if margins.is_empty() {
        return String::new();
    }
    indent(&table::print(&margin::table(&margins, width - 2)), 2)
}

fn distances(accuracies: &[Accuracy], width: usize) -> String {
    if accuracies.is_empty() {
        return String::new();
    }
    indent(&table::print(&accuracy::distances(accuracies, width - 2)), 2)
}

fn colours(accuracies: &[Accuracy], width: usize) -> String {
    let table = accuracy::colours(accuracies, width - 2);
    table.map_or(String::new(), |table| indent(&table::print(&table), 2))
}

fn benign(report: &Report, width: usize) -> String {
    let mut rows = Vec::new();
    for (status, word) in [(Status::Skip, "SKIP"), (Status::Xfail, "XFAIL")] {
        for group in groups::by_reason(report, status, false) {
            let twins = distinct(&group.cells, |cell| format!("{}/{}", cell.kernel, cell.twin));
            let lanes = distinct(&group.cells, |cell| cell.lane.clone());
            rows.push((
                format!("  {word}"),
                format!(
                    "{} of {} on {}: {}",
                    counted(group.cells.len() as u64, "cell"),
                    listed(&twins, 4),
                    listed(&lanes, 4),
                    text::lines(group.reason).collect::<Vec<_>>().join("; ")
                ),
            ));
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    table::pairs(width, &rows)
}
