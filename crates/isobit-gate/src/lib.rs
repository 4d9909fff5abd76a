//! Cells, manifest, tolerances, expectations, records and verdicts. Names no kernel and no GPU library.
//!
//! The order in which a run meets the modules:
//!
//! * [`args`] and [`config`]: what was asked for, and what `ci/` declares;
//! * [`variants`]: the kernels with options set;
//! * [`cell`] and [`manifest`]: the list of expected cells, written down before anything runs;
//! * [`resolve`]: the rules that a cell is held to, and where they come from;
//! * [`verdict`]: one cell judged, through [`isobit::compare`] alone;
//! * [`expectations`] and [`summary`]: known deviations, and the whole [`report`] checked against the manifest;
//! * [`shard`] and [`merge`]: a manifest cut into parts of about the same cost, and their reports joined again;
//! * [`provenance`]: what a report is bound to besides its manifest;
//! * [`exit`]: what the process says to its caller;
//! * [`probes`]: what a lane's arithmetic and memory do, found out before any kernel runs;
//! * [`record`] and [`check`]: what is known without a device about twins that are listed as exact;
//! * [`cost`]: how long twins take, as `parity bench` measures it.

pub mod args;
pub mod cell;
pub mod check;
pub mod config;
pub mod cost;
pub mod exit;
pub mod expectations;
pub mod manifest;
pub mod merge;
pub mod names;
pub mod probes;
pub mod provenance;
pub mod record;
pub mod report;
pub mod resolve;
pub mod shard;
pub mod summary;
#[cfg(test)]
mod toy;
pub mod variants;
pub mod verdict;
