//! Generated files: written whole, or compared with what is on disk. Every `--check` ends here.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use similar::TextDiff;

use crate::failure;

/// Lines of difference shown for one file.
const DIFF_LINES: usize = 24;

/// A file as it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// Path from the root of the workspace.
    pub path: Utf8PathBuf,
    /// The whole text.
    pub text: String,
}

/// What to do with rendered files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Make the disk agree.
    Write,
    /// Report where it does not.
    Check,
}

impl Mode {
    /// What `--check` asks for.
    pub const fn of(check: bool) -> Self {
        if check { Self::Check } else { Self::Write }
    }
}

/// The generated files of one folder.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'a> {
    /// The folder, from the root; every file directly inside it is generated.
    pub path: &'a Utf8Path,
    /// The command that renders it.
    pub command: &'a str,
}

/// What was done, or found.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Written or removed: paths from the root. Empty where nothing had to change.
    Written(Vec<Utf8PathBuf>),
    /// The disk agrees.
    Fresh,
    /// The disk does not agree: what a person needs to see, the hint included.
    Stale(String),
}

/// Applies `mode` to the files of a folder.
///
/// # Errors
///
/// Returns an error where a file can be neither read nor written.
pub fn apply(root: &Utf8Path, folder: Folder<'_>, files: &[Rendered], mode: Mode) -> Result<Outcome> {
    let extra = extra(root, folder.path, files)?;
    let mut changed = Vec::new();
    let mut report = String::new();
    for file in files {
        let found = read(&root.join(&file.path))?;
        if found.as_deref() == Some(&file.text) {
            continue;
        }
        match (mode, found) {
            (Mode::Write, _) => write(&root.join(&file.path), &file.text)?,
            (Mode::Check, None) => report.push_str(&format!("missing: {}\n", file.path)),
            (Mode::Check, Some(found)) => {
                report.push_str(&format!("differs: {}\n{}", file.path, diff(&found, &file.text)))
            }
        }
        changed.push(file.path.clone());
    }
    for path in extra {
        match mode {
            Mode::Write => fs_err::remove_file(root.join(&path))?,
            Mode::Check => report.push_str(&format!("extra: {path}\n")),
        }
        changed.push(path);
    }
    Ok(match mode {
        Mode::Write => Outcome::Written(changed),
        Mode::Check if report.is_empty() => Outcome::Fresh,
        Mode::Check => Outcome::Stale(format!("{report}hint: {}\n", folder.command)),
    })
}

/// Renders what `apply` makes of each mode, tells the person about it under `name`, and returns the exit code.
///
/// # Errors
///
/// Returns an error where `apply` does.
pub fn run(name: &str, mode: Mode, apply: impl FnOnce(Mode) -> Result<Outcome>) -> Result<u8> {
    match apply(mode)? {
        Outcome::Stale(report) => {
            anstream::eprint!("{report}");
            return Ok(failure::STALE);
        }
        Outcome::Written(paths) if !paths.is_empty() => {
            for path in &paths {
                anstream::println!("{name}: wrote {path}");
            }
        }
        Outcome::Fresh | Outcome::Written(_) => anstream::println!("{name}: fresh"),
    }
    Ok(0)
}

/// Writes a file so that it is there whole or not at all.
///
/// # Errors
///
/// Returns an error where the folder cannot be made or the file cannot be written.
pub fn write(path: &Utf8Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    fs_err::create_dir_all(folder)?;
    let file = tempfile::Builder::new()
        .prefix(".partial-")
        .tempfile_in(folder)
        .with_context(|| format!("cannot write into `{folder}`"))?;
    fs_err::write(file.path(), text)?;
    share(file.path())?;
    file.persist(path)
        .map_err(|error| error.error)
        .with_context(|| format!("cannot write `{path}`"))?;
    Ok(())
}

/// Temporary files are private to their owner; what replaces a tracked file is not.
#[cfg(unix)]
fn share(path: &std::path::Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o644))?;
    Ok(())
}

#[cfg(not(unix))]
fn share(_: &std::path::Path) -> Result<()> {
    Ok(())
}

/// Files in the folder that nothing renders.
fn extra(root: &Utf8Path, folder: &Utf8Path, files: &[Rendered]) -> Result<Vec<Utf8PathBuf>> {
    let path = root.join(folder);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut extra = Vec::new();
    for entry in path
        .read_dir_utf8()
        .with_context(|| format!("cannot list `{folder}`"))?
    {
        let entry = entry.with_context(|| format!("cannot list `{folder}`"))?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_file() && !files.iter().any(|file| file.path == path) {
            extra.push(path);
        }
    }
    extra.sort();
    Ok(extra)
}

fn read(path: &Utf8Path) -> Result<Option<String>> {
    match fs_err::read(path) {
        // Bytes that are not UTF-8 cannot be what was rendered; the replacement character shows where.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A short unified difference; says how much it leaves out.
fn diff(found: &str, wanted: &str) -> String {
    let diff = TextDiff::from_lines(found, wanted);
    let text = diff.unified_diff().context_radius(1).to_string();
    let mut short = String::new();
    for line in text.lines().take(DIFF_LINES) {
        short.push_str(&format!("    {line}\n"));
    }
    let rest = text.lines().count().saturating_sub(DIFF_LINES);
    if rest > 0 {
        // Writing to a string cannot fail.
        _ = writeln!(short, "    … {rest} more lines");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(name: &str, text: &str) -> Rendered {
        Rendered {
            path: Utf8Path::new("docs").join(name),
            text: text.to_owned(),
        }
    }

    fn folder() -> Folder<'static> {
        Folder {
            path: Utf8Path::new("docs"),
            command: "cargo xtask docs",
        }
    }

    fn temporary() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        (dir, root)
    }

    #[test]
    fn what_is_written_is_fresh_and_a_second_write_changes_nothing() {
        let (_dir, root) = temporary();
        let files = [rendered("a.md", "one\n"), rendered("b.md", "two\n")];
        let Outcome::Written(first) = apply(&root, folder(), &files, Mode::Write).unwrap() else {
            panic!("a write reports what it wrote");
        };
        assert_eq!(first.len(), 2);
        assert_eq!(apply(&root, folder(), &files, Mode::Check).unwrap(), Outcome::Fresh);
        assert_eq!(
            apply(&root, folder(), &files, Mode::Write).unwrap(),
            Outcome::Written(Vec::new())
        );
    }

    #[test]
    fn missing_extra_and_differing_files_are_listed_with_one_hint() {
        let (_dir, root) = temporary();
        fs_err::create_dir(root.join("docs")).unwrap();
        fs_err::write(root.join("docs/stray.md"), "x").unwrap();
        fs_err::write(root.join("docs/b.md"), "first\nold\nlast\n").unwrap();
        let files = [rendered("a.md", "one\n"), rendered("b.md", "first\nnew\nlast\n")];
        let Outcome::Stale(report) = apply(&root, folder(), &files, Mode::Check).unwrap() else {
            panic!("three files are stale");
        };
        insta::assert_snapshot!(report);
        assert!(!root.join("docs/a.md").exists(), "a check writes nothing");
    }

    #[test]
    fn a_write_removes_what_nothing_renders() {
        let (_dir, root) = temporary();
        fs_err::create_dir_all(root.join("docs/kept")).unwrap();
        fs_err::write(root.join("docs/stray.md"), "x").unwrap();
        apply(&root, folder(), &[rendered("a.md", "one\n")], Mode::Write).unwrap();
        assert!(!root.join("docs/stray.md").exists());
        assert!(root.join("docs/kept").exists(), "folders are not ours");
    }

    #[test]
    fn a_long_difference_is_cut_and_says_so() {
        let old: String = (0..100).map(|n| format!("{n}\n")).collect();
        let new: String = (0..100).map(|n| format!("{}\n", n + 1000)).collect();
        let text = diff(&old, &new);
        assert_eq!(text.lines().count(), DIFF_LINES + 1);
        assert!(text.ends_with(" more lines\n"), "{text}");
    }
}
