//! What a person reads when a command cannot go on: one sentence, the command that repairs it, and an exit code.

use std::fmt;
use std::process::ExitCode;

pub use isobit_gate::exit::{DIFFERENT, STALE, UNTRUSTED, USAGE};

/// An error whose cause and repair are known.
#[derive(Debug)]
pub struct Failure {
    /// One lowercase sentence.
    pub message: String,
    /// What to do about it, with the exact command.
    pub hint: String,
    /// The exit code.
    pub code: u8,
}

impl Failure {
    /// An error of the machine or of a file.
    pub fn error(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
        Self::coded(UNTRUSTED, message, hint)
    }

    /// An error of the command line.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
        Self::coded(USAGE, message, hint)
    }

    fn coded(code: u8, message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Self {
            message: message.into(),
            hint: hint.into(),
            code,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhint: {}", self.message, self.hint)
    }
}

impl std::error::Error for Failure {}

/// What helps where a disk is full.
const MORE_SPACE: &str = "free some space, or set `CARGO_TARGET_DIR` to a larger disk, and run the command again";

/// A program that was called found the disk full; `what` is the clause that it left undone.
pub fn disk_full(what: &str) -> anyhow::Error {
    Failure::error(format!("{what}: no space is left on the disk"), MORE_SPACE)
}

/// Prints `error` and returns its exit code.
pub fn exit(error: &anyhow::Error) -> ExitCode {
    anstream::eprintln!("error: {}", describe(error));
    ExitCode::from(code(error))
}

/// The whole chain in one sentence; a full disk, wherever it was met, comes with its own hint.
pub fn describe(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    let full = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::StorageFull);
    if full && !text.contains("\nhint: ") {
        return format!("{text}\nhint: {MORE_SPACE}");
    }
    text
}

fn code(error: &anyhow::Error) -> u8 {
    error
        .chain()
        .find_map(|cause| cause.downcast_ref::<Failure>())
        .map_or(UNTRUSTED, |failure| failure.code)
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn the_hint_ends_the_message_and_the_code_survives_context() {
        let error = Err::<(), _>(Failure::usage("unknown lane `x`", "cargo xtask doctor"))
            .context("cannot run")
            .unwrap_err();
        assert_eq!(
            describe(&error),
            "cannot run: unknown lane `x`\nhint: cargo xtask doctor"
        );
        assert_eq!(code(&error), USAGE);
    }

    #[test]
    fn a_full_disk_is_named_with_a_way_out() {
        let cause = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let error = Err::<(), _>(cause).context("cannot write `a`").unwrap_err();
        assert!(describe(&error).contains("\nhint: free some space"));
        assert_eq!(code(&error), UNTRUSTED);
    }
}
