//! Cells, manifest, tolerances, expectations, records and verdicts. Names no kernel and no GPU library.

pub mod args;
pub mod report;
