//! `parity merge`: reads the reports of shards, and prints and writes the one report that they add up to.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::args::MergeArgs;
use isobit_gate::merge::{self, MergeError};
use isobit_gate::{exit, summary};

use crate::files::{FileError, Files};
use crate::terminal;

/// Why there is no merged report.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A report cannot be read.
    #[error("read `{path}`: {source}\nhint: name the files that `--json-out` wrote")]
    Read {
        /// Its path.
        path: Utf8PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// The reports are not those of all shards of one run.
    #[error(transparent)]
    Merge(#[from] Box<MergeError>),
    /// The merged report cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// Standard output is closed.
    #[error("print the report: {0}")]
    Print(io::Error),
}

impl Failure {
    /// The exit code: a path that leads nowhere is a fault of the command line; shards that do not add up were not judged.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Read { .. } => exit::USAGE,
            Self::Merge(_) | Self::Write(_) | Self::Print(_) => exit::UNTRUSTED,
        }
    }
}

/// Does what `args` asks for, in a workspace at `root`; returns the exit code of the merged report.
///
/// # Errors
/// If the reports are not those of all shards of one run, or if a file cannot be read or written.
pub fn run(args: &MergeArgs, root: &Utf8Path) -> Result<u8, Failure> {
    let read = |path: &Utf8PathBuf| {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| Failure::Read {
            path: path.clone(),
            source,
        })?;
        Ok(merge::read(path.as_str(), &text).map_err(Box::new)?)
    };
    let reports = args.reports.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let report = merge::merge(&reports).map_err(Box::new)?;
    let code = summary::exit_code(&report);
    let files = Files::new(&args.out, root);
    files.prepare()?;
    terminal::print(&report, code, &files.json).map_err(Failure::Print)?;
    files.write(&report, code)?;
    Ok(code)
}
