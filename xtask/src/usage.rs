//! How a command line that cannot be parsed ends: clap's message, and the documented exit code in place of clap's own.

use std::process::ExitCode;

use crate::failure;

/// Prints help, version or the usage error; only the last is a failure.
pub fn exit(error: &clap::Error) -> ExitCode {
    // A closed pipe leaves nobody to tell.
    drop(error.print());
    if error.use_stderr() {
        ExitCode::from(failure::USAGE)
    } else {
        ExitCode::SUCCESS
    }
}
