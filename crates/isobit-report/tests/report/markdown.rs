//! The page for a pull request, and the JSON beside it.

use crate::reports::*;
use isobit_gate::report::{Report, Status};
use isobit_report::{json, markdown};

#[test]
fn all_is_well() {
    insta::assert_snapshot!(markdown::render(&green(), 0));
}

#[test]
fn a_failure_at_the_border() {
    insta::assert_snapshot!(markdown::render(&border_failure(), 1));
}

#[test]
fn a_page_always_fits_a_comment() {
    let mut report = green();
    let mut cells = Vec::new();
    for kernel in 0..200 {
        for cell in report.cells.iter().filter(|cell| !cell.control) {
            let mut cell = cell.clone();
            cell.kernel = format!("kernel_{kernel}_{}", cell.kernel);
            cell.status = Status::Fail;
            cell.checks = vec![border(1_000_000, 999)];
            cells.push(cell);
        }
    }
    report.cells.extend(cells);
    let page = markdown::render(&report, 1);
    assert!(page.len() < 65_536, "{} bytes", page.len());
    assert!(page.contains("more rows are not shown"));
    assert!(page.contains("more findings in the JSON report"));
    assert_eq!(page.matches("<details>").count(), page.matches("</details>").count());
}

#[test]
fn a_drivers_words_are_no_mark_up() {
    let mut report = green();
    if let Some(adapter) = &mut report.lanes[0].adapter {
        adapter.name = "a|b`c`\n<img> @someone #1".to_owned();
    }
    let page = markdown::render(&report, 0);
    assert!(page.contains("| ``a\\|b`c` <img> @someone #1`` |"), "{page}");
}

#[test]
fn json_reads_back_as_it_was() {
    let report = border_failure();
    for style in [json::Style::Pretty, json::Style::Compact] {
        let mut bytes = Vec::new();
        json::write(&report, style, &mut bytes).unwrap();
        assert!(bytes.ends_with(b"}\n"));
        assert_eq!(serde_json::from_slice::<Report>(&bytes).unwrap(), report);
    }
}
