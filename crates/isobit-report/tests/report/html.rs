//! The page for a browser: what it shows, that it needs nothing else, and that nothing in it is mark-up by accident.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use isobit_gate::report::{Report, ShardReport, Status};
use isobit_gate::shard::Shard;
use isobit_report::html;

use crate::reports::*;

fn page(report: &Report, code: u8) -> String {
    html::render(report, code).unwrap()
}

/// Without the style, which a snapshot would only repeat.
fn body(report: &Report, code: u8) -> String {
    let page = page(report, code);
    let (_, body) = page.split_once("</style>\n").unwrap();
    body.to_owned()
}

#[test]
fn all_is_well() {
    insta::assert_snapshot!(body(&green(), 0));
}

#[test]
fn a_failure_at_the_border() {
    let mut report = border_failure();
    let skipped = find(&mut report, "psnr/exact yuv420-8 odd lavapipe");
    skipped.status = Status::Skip;
    skipped.reason = Some("a single sample has no border".to_owned());
    insta::assert_snapshot!(body(&report, 1));
}

#[test]
fn a_page_asks_for_nothing_from_elsewhere() {
    let page = page(&border_failure(), 1);
    for asset in ["http:", "https:", "src=", "<script", "<link", "url(", "@import"] {
        assert!(!page.contains(asset), "`{asset}`");
    }
}

#[test]
fn a_red_slot_leads_to_what_explains_it() {
    let page = page(&border_failure(), 1);
    assert!(page.contains("<details id=\"finding-1\" class=\"finding\" open>"));
    assert!(page.contains("<a href=\"#finding-1\">1&#x2f;2 FAIL</a>"));
    assert_eq!(page.matches("href=").count(), 1);
}

#[test]
fn a_page_with_many_findings_shows_the_first_of_them() {
    let mut report = green();
    for cell in report.cells.iter_mut().filter(|cell| !cell.control) {
        cell.status = Status::Fail;
        cell.checks = vec![border(1000, 9)];
    }
    let cells = report.cells.clone();
    for kernel in 0..2 {
        report
            .cells
            .extend(cells.iter().filter(|cell| !cell.control).cloned().map(|mut cell| {
                cell.kernel = format!("kernel_{kernel}");
                cell
            }));
    }
    let page = page(&report, 1);
    assert_eq!(page.matches("class=\"finding\"").count(), 200);
    assert_eq!(page.matches("class=\"finding\" open>").count(), 20);
    assert!(page.contains("more findings in the JSON report."));
    assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
}

#[test]
fn the_words_of_others_are_no_mark_up() {
    let mut report = border_failure();
    let hostile = "<img onerror=x>&\"'\u{1b}[2J";
    report.faults.push(hostile.to_owned());
    let lane = &mut report.lanes[0];
    lane.error = Some(hostile.to_owned());
    lane.probes[0].finding = hostile.to_owned();
    if let Some(adapter) = &mut lane.adapter {
        adapter.name = hostile.to_owned();
        adapter.driver = hostile.to_owned();
    }
    report.hosts[0].cpu = hostile.to_owned();
    let cell = report.cells.last_mut().unwrap();
    cell.fixture = hostile.to_owned();
    cell.status = Status::Error;
    cell.reason = Some(hostile.to_owned());
    let page = page(&report, 2);
    assert!(!page.contains("<img"), "mark-up");
    assert!(!page.contains('\u{1b}'), "a control character");
    let shown = page.matches("&lt;img onerror=x&gt;&amp;").count();
    assert!(shown >= 6, "{shown}: {page}");
}

#[test]
fn a_shard_says_that_it_is_one() {
    let mut report = green();
    report.shard = Some(ShardReport {
        part: Shard { index: 2, count: 3 },
        total: 1000,
        names: String::new(),
        places: Vec::new(),
        expectations: Vec::new(),
    });
    report.hosts.push(report.hosts[0].clone());
    let page = page(&report, 0);
    assert!(page.contains("<p>shard 2&#x2f;3: 106 cells, "));
    assert!(page.contains("<dt>shard</dt><dd>2&#x2f;3</dd>"));
    let terminal = isobit_report::markdown::render(&report, 0);
    assert!(terminal.contains("shard 2/3 of manifest 3f9a5c1e7b2d") && terminal.contains("2 cores; linux x86_64"));
}
