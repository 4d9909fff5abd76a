//! What `ISOBIT_TESTS` demands of tests, and how a process sees one software driver alone.

use std::env;
use std::process::Command;

use isobit_gate::args::Driver;

/// What the tests demand: `software`, `hardware` or `none`.
pub const DEMAND: &str = "ISOBIT_TESTS";

/// What must be there.
pub enum Demand {
    /// These software drivers, of which there is one at least.
    Software(Vec<Driver>),
    /// A GPU.
    Hardware,
    /// Nothing: only the CPU's side runs.
    None,
}

impl Demand {
    /// What the environment says; software where it says nothing.
    pub fn of_environment() -> Self {
        match env::var(DEMAND).as_deref() {
            Err(_) | Ok("software") => {
                let drivers = Driver::of_tests().unwrap_or_else(|error| panic!("{error}"));
                assert!(
                    !drivers.is_empty(),
                    "no software driver was provided\nhint: cargo xtask test"
                );
                Self::Software(drivers)
            }
            Ok("hardware") => Self::Hardware,
            Ok("none") => Self::None,
            Ok(other) => {
                panic!("unknown demand `{other}` in `{DEMAND}`\nhint: {DEMAND}=software|hardware|none cargo test")
            }
        }
    }
}

/// The program, seeing this driver and no other. The loader reads its environment once, hence a process for each driver.
pub fn seeing<'a>(program: &'a mut Command, driver: &Driver) -> &'a mut Command {
    program
        .env("VK_DRIVER_FILES", &driver.icd)
        .env("VK_ICD_FILENAMES", &driver.icd)
        .env("LD_LIBRARY_PATH", env::join_paths(&driver.libraries).unwrap())
        .env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR"))
}
