//! The report as JSON: the model itself, nothing added and nothing left out.

use std::io::{self, Write};

use isobit_gate::report::Report;

/// How the text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Indented, one field a line.
    Pretty,
    /// On one line.
    Compact,
}

/// Writes `report` and a line end to `out`.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, style: Style, mut out: impl Write) -> io::Result<()> {
    match style {
        Style::Pretty => serde_json::to_writer_pretty(&mut out, report)?,
        Style::Compact => serde_json::to_writer(&mut out, report)?,
    }
    out.write_all(b"\n")?;
    out.flush()
}
