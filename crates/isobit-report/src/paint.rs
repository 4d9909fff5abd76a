//! Colour for a terminal; nothing at all where the caller wants none.

use owo_colors::{OwoColorize, Style};

use crate::verdict::Word;

/// Adds colour, or leaves text as it is.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// Whether colour is wanted.
    pub colour: bool,
}

impl Paint {
    /// A heading.
    pub fn heading(self, text: &str) -> String {
        self.apply(text, Style::new().bold())
    }

    /// What matters less.
    pub fn faint(self, text: &str) -> String {
        self.apply(text, Style::new().dimmed())
    }

    /// The state of a cell, as [`crate::matrix::word`] writes it.
    pub fn state(self, word: &str) -> String {
        self.apply(word, state_style(word))
    }

    /// The word of a verdict.
    pub fn verdict(self, word: Word) -> String {
        let style = match word {
            Word::Ok => Style::new().green().bold(),
            Word::Interrupted | Word::Stale => Style::new().yellow().bold(),
            Word::Fail | Word::Error => Style::new().red().bold(),
        };
        self.apply(word.name(), style)
    }

    /// A line of the matrix: every state in it, to the right of the first rule.
    ///
    /// Applied after the table is laid out, so that escape sequences take no part in the widths.
    pub fn matrix_line(self, line: &str) -> String {
        if !self.colour {
            return line.to_owned();
        }
        let Some((names, slots)) = line.split_once('│') else {
            return line.to_owned();
        };
        let words: Vec<String> = slots.split(' ').map(|word| self.state(word)).collect();
        format!("{names}│{}", words.join(" "))
    }

    fn apply(self, text: &str, style: Style) -> String {
        if self.colour {
            text.style(style).to_string()
        } else {
            text.to_owned()
        }
    }
}

fn state_style(word: &str) -> Style {
    match word {
        "✓" => Style::new().green(),
        "FAIL" | "ERROR" | "XPASS" => Style::new().red().bold(),
        "skip" | "xfail" => Style::new().yellow(),
        "–" => Style::new().dimmed(),
        _ => Style::new(),
    }
}
