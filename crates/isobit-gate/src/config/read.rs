//! TOML files with precise complaints: path, line, column, and the nearest name that would have been valid.

use std::fs;
use std::io::ErrorKind;

use camino::Utf8Path;
use serde::de::DeserializeOwned;

use super::ConfigError;
use crate::names;

/// Reads the file at `path` below `root`.
pub(crate) fn file<T: DeserializeOwned>(root: &Utf8Path, path: &str) -> Result<T, ConfigError> {
    let text = fs::read_to_string(root.join(path)).map_err(|source| ConfigError::Read {
        path: path.into(),
        source,
    })?;
    parse(path.into(), &text)
}

/// The same for a file that may be absent.
pub(crate) fn optional<T: DeserializeOwned + Default>(root: &Utf8Path, path: &str) -> Result<T, ConfigError> {
    match file(root, path) {
        Err(ConfigError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(T::default()),
        result => result,
    }
}

/// Reads every `<kernel>.<lane>.toml` in the folder at `path` below `root`, sorted by name, and tells `place` both.
///
/// A folder that does not exist holds no file: version control keeps no empty folders.
pub(crate) fn folder<T: DeserializeOwned>(
    root: &Utf8Path,
    path: &str,
    place: impl Fn(&mut T, String, String),
) -> Result<Vec<T>, ConfigError> {
    let failed = |source| ConfigError::Read {
        path: path.into(),
        source,
    };
    let entries = match root.join(path).read_dir_utf8() {
        Ok(entries) => entries,
        Err(source) if source.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(failed(source)),
    };
    let mut files = entries
        .map(|entry| entry.map(|entry| entry.file_name().to_owned()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    // Hidden files belong to editors and to version control.
    files.retain(|name| !name.starts_with('.'));
    files.sort();
    files
        .iter()
        .map(|name| {
            let below_root = Utf8Path::new(path).join(name);
            // The name of a kernel may hold a point, where a number among its options does.
            let parts: Vec<_> = name.rsplitn(3, '.').collect();
            let ["toml", lane, kernel] = parts[..] else {
                return Err(ConfigError::FileName { path: below_root });
            };
            if kernel.is_empty() || lane.is_empty() {
                return Err(ConfigError::FileName { path: below_root });
            }
            let mut value = file(root, below_root.as_str())?;
            place(&mut value, kernel.to_owned(), lane.to_owned());
            Ok(value)
        })
        .collect()
}

/// Reads `text`, which stands in the file `path`.
pub(crate) fn parse<T: DeserializeOwned>(path: &Utf8Path, text: &str) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or(text);
        let message = error.message().trim().replace('\n', ", ");
        let (message, hint) = unknown(&message).unwrap_or((message, None));
        ConfigError::Form {
            path: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before.chars().rev().take_while(|&c| c != '\n').count() + 1,
            message,
            hint,
        }
    })
}

/// Splits a complaint about an unknown name from the list of valid ones, and turns the list into a hint.
fn unknown(message: &str) -> Option<(String, Option<String>)> {
    let (complaint, expected) = message
        .split_once(", expected ")
        .filter(|(c, _)| c.contains("unknown "))?;
    let quoted = |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let name = quoted(complaint).pop()?;
    let known = quoted(expected);
    let known = || known.iter().map(String::as_str);
    let hint = match names::nearest(&name, known()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("the valid names are {}", names::list(known())),
    };
    Some((complaint.to_owned(), Some(hint)))
}
