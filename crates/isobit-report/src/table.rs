//! Tables of plain text: columns without a frame, as wide as they need to be and no wider than asked.

use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};

/// Where the content of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At its left edge.
    Left,
    /// At its right edge, for numbers.
    Right,
}

/// A table of columns two spaces apart, with headings and no rows.
pub fn columns<const N: usize>(width: usize, headings: [(&str, Align); N]) -> Table {
    let mut table = bare(width);
    table.set_header(headings.map(|(heading, _)| heading));
    for (column, (_, align)) in table.column_iter_mut().zip(headings) {
        column.set_padding((0, 2));
        column.set_cell_alignment(match align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        });
    }
    table
}

/// An empty table whose columns are divided by a line, with another below the header.
pub fn ruled(width: usize) -> Table {
    let mut table = bare(width);
    table
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_style(TableComponent::VerticalLines, '│')
        .set_style(TableComponent::HeaderLines, '─')
        .set_style(TableComponent::MiddleHeaderIntersections, '┼');
    table
}

/// A table of left-aligned columns, as many as there are headings.
pub fn grid(width: usize, headings: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = bare(width);
    table.set_header(headings);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    print(&table)
}

/// Names and what they stand for, the latter wrapped beside the former.
pub fn pairs(width: usize, rows: &[(String, String)]) -> String {
    let mut table = bare(width);
    for (name, value) in rows {
        table.add_row([name, value]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    print(&table)
}

/// `text` wrapped at `width`, its own lines kept.
pub fn paragraph(text: &str, width: usize) -> String {
    let mut wrapped = String::new();
    for line in crate::text::lines(text) {
        let mut table = bare(width);
        table.add_row([line]);
        for column in table.column_iter_mut() {
            column.set_padding((0, 0));
        }
        wrapped += &print(&table);
    }
    wrapped
}

/// The text of `table`, without white space at the ends of lines, each line ended.
pub fn print(table: &Table) -> String {
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// `text` with every line moved to the right.
pub fn indent(text: &str, by: usize) -> String {
    text.lines()
        .map(|line| {
            if line.is_empty() {
                "\n".to_owned()
            } else {
                format!("{:by$}{line}\n", "")
            }
        })
        .collect()
}

fn bare(width: usize) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .force_no_tty()
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width.max(20)).unwrap_or(u16::MAX));
    table
}
