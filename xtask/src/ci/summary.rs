//! `ci summary`: shows a Markdown report on the page of a run. What is too long for that page is cut, and says so.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use camino::Utf8PathBuf;

/// The file that the page is made from, as GitHub names it to each step.
const PAGE: &str = "GITHUB_STEP_SUMMARY";
/// What GitHub takes from one step, in bytes.
const LIMIT: usize = 1 << 20;
/// What ends a report that was cut.
const CUT: &str =
    "\n\nThe report is longer than this page may be; the whole of it is among the artifacts of this run.\n";

/// Show a Markdown report on the page of a run
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The report
    report: Utf8PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    show(&fs_err::read_to_string(&args.report)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds a text to the page, or prints it where there is none.
pub fn show(text: &str) -> Result<()> {
    let text = fitting(text, LIMIT);
    let Some(page) = std::env::var_os(PAGE).filter(|page| !page.is_empty()) else {
        anstream::print!("{text}");
        return Ok(());
    };
    let mut page = fs_err::OpenOptions::new().append(true).create(true).open(page)?;
    page.write_all(text.as_bytes())
        .with_context(|| format!("cannot write the file that `{PAGE}` names"))
}

/// `text`, cut behind the last line that leaves room to say so.
fn fitting(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        if kept.len() + line.len() + CUT.len() > limit {
            break;
        }
        kept.push_str(line);
    }
    kept + CUT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_is_too_long_is_cut_at_a_line() {
        let text: String = (0..100).map(|n| format!("| row {n} | ü |\n")).collect();
        assert_eq!(fitting(&text, text.len()), text);
        let limit = text.len() - 1;
        let cut = fitting(&text, limit);
        assert!(cut.len() <= limit && cut.ends_with(CUT), "{cut}");
        assert!(text.starts_with(cut.strip_suffix(CUT).unwrap()));
        assert!(cut.strip_suffix(CUT).unwrap().ends_with("|\n"));
    }
}
