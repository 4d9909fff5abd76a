//! Renderers over the one model, [`isobit_gate::report::Report`]: terminal, Markdown, HTML, JUnit and JSON.
//!
//! Nothing is judged here. A renderer groups, counts and explains what the model says; the verdict's word follows the exit
//! code that it is given, so that what is printed and what is returned to the shell cannot differ.
//!
//! * [`terminal`]: what a person reads at the end of a run;
//! * [`markdown`]: the same, short enough for a pull-request comment;
//! * [`html`]: the same for a browser, with all that is red;
//! * [`junit`]: for systems that collect test results;
//! * [`json`]: the model itself.
//!
//! [`files`] writes them, and [`merge`] does so for the joined reports of shards.

mod accuracy;
mod controls;
mod detail;
pub mod files;
mod groups;
mod hint;
pub mod html;
pub mod json;
pub mod junit;
mod margin;
pub mod markdown;
mod matrix;
pub mod merge;
pub mod number;
mod paint;
mod rerun;
mod stage;
mod table;
pub mod terminal;
mod text;
mod verdict;

pub use verdict::{Totals, Word, sentence};
