//! Input clips: deterministic fixtures, and readers for the user's own files.
//!
//! A [`Fixture`] is a clip whose every sample is an integer formula of seed, frame, plane, column and row (one is a
//! photograph, stored in the crate), so any machine makes the same bytes. The bytes of every fixture in every format are
//! pinned by SHA-256 in `pins.json`, and those of the golden clips by a table from an independent implementation.
//!
//! [`clip`] reads Y4M, PNG and raw planar files, frame by frame.
//!
//! # Changing a fixture
//!
//! A fixture that is added, changed or removed makes the test `pins` fail. `cargo run --release -p isobit-fixtures
//! --example pin` lists how the pins differ and writes those that are new; it replaces or drops an existing pin only when
//! called with `-- --replace`, because results recorded from the old bytes are then no longer comparable.

mod catalogue;
pub mod clip;
mod fixture;
mod float;
mod formula;
mod paint;
pub mod pins;
mod points;
mod sizes;
pub mod stars;

pub use fixture::{Fixture, all, named};
pub use pins::pinned;
