//! Reports as files. Each is the old one or the new one and never a part.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::args::OutArgs;
use isobit_gate::report::Report;

use crate::{html, json, junit, markdown};

/// Where the reports go, from the root of the workspace.
pub const FOLDER: &str = "target/isobit";

/// A file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("write `{path}`")]
pub struct FileError {
    /// The file, or the folder that it would go to.
    pub path: Utf8PathBuf,
    /// The system's words.
    pub source: io::Error,
}

/// Where each report goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The model itself.
    pub json: Utf8PathBuf,
    /// The page for a pull request.
    pub markdown: Utf8PathBuf,
    /// For systems that collect test results; absent where nobody asked.
    pub junit: Option<Utf8PathBuf>,
    /// For a browser; absent where nobody asked.
    pub html: Option<Utf8PathBuf>,
}

impl Files {
    /// What `args` asks for, in a workspace at `root`.
    pub fn new(args: &OutArgs, root: &Utf8Path) -> Self {
        let default = |name| root.join(FOLDER).join(name);
        Self {
            json: args.json_out.clone().unwrap_or_else(|| default("report.json")),
            markdown: args.md_out.clone().unwrap_or_else(|| default("report.md")),
            junit: args.junit_out.clone(),
            html: args.html_out.clone(),
        }
    }

    /// Makes the folders and finds out whether files can be written there, before hours are spent on what goes into them.
    ///
    /// # Errors
    /// If one cannot be made or written to.
    pub fn prepare(&self) -> Result<(), FileError> {
        let optional = [&self.junit, &self.html].into_iter().flatten();
        for path in [&self.json, &self.markdown].into_iter().chain(optional) {
            let folder = parent(path);
            let usable = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
            usable.map_err(|source| FileError {
                path: path.clone(),
                source,
            })?;
        }
        Ok(())
    }

    /// Writes all of them.
    ///
    /// # Errors
    /// On the first that cannot be written; those before it are whole.
    pub fn write(&self, report: &Report, exit_code: u8) -> Result<(), FileError> {
        write_whole(&self.json, |file| json::write(report, json::Style::Pretty, file))?;
        let text = markdown::render(report, exit_code);
        write_whole(&self.markdown, |file| file.write_all(text.as_bytes()))?;
        if let Some(path) = &self.junit {
            write_whole(path, |file| {
                let text = junit::render(report, exit_code).map_err(io::Error::other)?;
                file.write_all(text.as_bytes())
            })?;
        }
        if let Some(path) = &self.html {
            write_whole(path, |file| {
                let text = html::render(report, exit_code).map_err(io::Error::other)?;
                file.write_all(text.as_bytes())
            })?;
        }
        Ok(())
    }
}

/// Writes a file of which nobody ever sees a part.
///
/// # Errors
/// Those of `write` and of the file system.
pub fn write_whole(
    path: &Utf8Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<(), FileError> {
    let whole = || -> io::Result<()> {
        let file = tempfile::NamedTempFile::new_in(parent(path))?;
        let mut buffered = BufWriter::new(file.as_file());
        write(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        #[cfg(unix)]
        {
            // A temporary file is private; a report is for whoever collects it.
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
        }
        file.persist(path)?;
        Ok(())
    };
    whole().map_err(|source| FileError {
        path: path.to_owned(),
        source,
    })
}

fn parent(path: &Utf8Path) -> &Utf8Path {
    match path.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    }
}
