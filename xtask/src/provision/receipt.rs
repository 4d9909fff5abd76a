//! Receipts: what a driver was taken from, and the proof that it loads, so that a warm run has nothing to do.

use std::fmt;
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::args::Driver;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::drift;

/// A file as it was when it was last read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// The file.
    pub path: Utf8PathBuf,
    /// Its length.
    pub bytes: u64,
    /// When it was last modified, in nanoseconds since 1970.
    pub modified_ns: u64,
    /// The SHA-256 of its content.
    pub sha256: String,
}

impl Stamp {
    /// Reads and hashes a file.
    pub fn take(path: &Utf8Path) -> Result<Self> {
        let (bytes, modified_ns) = facts(path)?;
        let content = fs_err::read(path)?;
        Ok(Self {
            path: path.to_owned(),
            bytes,
            modified_ns,
            sha256: hex(&Sha256::digest(&content)),
        })
    }

    /// Whether the file is still the same. Its content is read only where length or time have changed.
    pub fn holds(&self) -> bool {
        match facts(&self.path) {
            Ok(facts) if facts == (self.bytes, self.modified_ns) => true,
            Ok((bytes, _)) if bytes == self.bytes => Self::take(&self.path).is_ok_and(|now| now.sha256 == self.sha256),
            _ => false,
        }
    }
}

fn facts(path: &Utf8Path) -> Result<(u64, u64)> {
    let metadata = fs_err::metadata(path)?;
    let age = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((metadata.len(), u64::try_from(age.as_nanos()).unwrap_or(u64::MAX)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A package that files were taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its architecture, as the distribution names it.
    pub architecture: String,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// A driver that was provided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The adapter that opened through it; absent until it has been proved to load.
    pub adapter: Option<String>,
    /// What the runner is given.
    pub driver: Driver,
    /// The driver manifest.
    pub manifest: Stamp,
    /// The driver's library.
    pub library: Stamp,
    /// The Vulkan loader.
    pub loader: Stamp,
    /// The packages that were unpacked; none for what was installed already.
    #[serde(default)]
    pub packages: Vec<Package>,
}

impl Receipt {
    /// Reads a receipt. One that is missing, damaged or of another form counts as none: it is made anew.
    pub fn read(path: &Utf8Path) -> Option<Self> {
        toml::from_str(&fs_err::read_to_string(path).ok()?).ok()
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, path: &Utf8Path) -> Result<()> {
        drift::write(path, &toml::to_string(self).context("cannot render a receipt")?)
    }

    /// Whether every file is still the one that was recorded.
    pub fn holds(&self) -> bool {
        [&self.manifest, &self.library, &self.loader]
            .into_iter()
            .all(Stamp::holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt(folder: &Utf8Path) -> Receipt {
        let file = |name: &str| {
            let path = folder.join(name);
            fs_err::write(&path, name).unwrap();
            Stamp::take(&path).unwrap()
        };
        Receipt {
            adapter: None,
            driver: Driver {
                name: "lavapipe".to_owned(),
                environment: "user".to_owned(),
                icd: folder.join("icd.json"),
                libraries: vec![folder.to_owned()],
                container: None,
            },
            manifest: file("icd.json"),
            library: file("lib.so"),
            loader: file("libvulkan.so.1"),
            packages: vec![Package {
                name: "libvulkan1".to_owned(),
                version: "1.3.239.0-1".to_owned(),
                architecture: "amd64".to_owned(),
            }],
        }
    }

    #[test]
    fn receipts_round_trip_and_hold_until_a_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let receipt = receipt(folder);
        let path = folder.join("receipt.toml");
        receipt.write(&path).unwrap();
        assert_eq!(Receipt::read(&path), Some(receipt.clone()));
        assert!(receipt.holds());

        fs_err::write(folder.join("lib.so"), "other!").unwrap();
        assert!(!receipt.holds(), "another content of the same length");
        fs_err::remove_file(folder.join("lib.so")).unwrap();
        assert!(!receipt.holds(), "no file");
    }

    #[test]
    fn a_file_that_was_only_touched_still_holds() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().join("lib.so")).unwrap();
        fs_err::write(&path, "x").unwrap();
        let stamp = Stamp {
            modified_ns: 1,
            ..Stamp::take(&path).unwrap()
        };
        assert!(stamp.holds());
    }

    #[test]
    fn a_damaged_receipt_counts_as_none() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs_err::write(file.path(), "adapter = 7").unwrap();
        assert_eq!(Receipt::read(Utf8Path::from_path(file.path()).unwrap()), None);
    }
}
