//! The renderers over reports built by hand: snapshots, and what must hold for every report.

mod hints;
mod html;
mod junit;
mod markdown;
mod reports;
mod terminal;
