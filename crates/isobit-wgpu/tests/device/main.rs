//! Plans on real drivers: what comes back, which faults are found, and how errors end.
//!
//! Each test runs once for each driver that `ISOBIT_TEST_DRIVERS` lists, in a process of its own, because the loader reads
//! its environment only once.

#![expect(clippy::unwrap_used, reason = "a test whose footing is gone stops where it stands")]

mod errors;
mod faults;
mod harness;
mod probes;
mod values;
