//! Driver manifests of the Vulkan loader: read where installed, written for what is unpacked.

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// A driver manifest on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icd {
    /// The manifest.
    pub path: Utf8PathBuf,
    /// The driver's library, made absolute where the manifest gives a path; a bare name is searched by the loader.
    pub library: Utf8PathBuf,
    /// The Vulkan version that the manifest states.
    pub api_version: String,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    file_format_version: String,
    #[serde(rename = "ICD")]
    icd: Section,
}

#[derive(Serialize, Deserialize)]
struct Section {
    library_path: Utf8PathBuf,
    api_version: String,
}

impl Icd {
    /// Reads a manifest. A library path with a separator is relative to the manifest's folder.
    pub fn read(path: &Utf8Path) -> Result<Self> {
        let text = fs_err::read_to_string(path)?;
        let manifest: Manifest =
            serde_json::from_str(&text).with_context(|| format!("`{path}` is not a driver manifest"))?;
        let library = manifest.icd.library_path;
        let folder = path.parent().unwrap_or(Utf8Path::new("."));
        let library = match library.components().count() {
            0 | 1 => library,
            _ => folder.join(library.strip_prefix("./").unwrap_or(&library)),
        };
        Ok(Self {
            path: path.to_owned(),
            library,
            api_version: manifest.icd.api_version,
        })
    }

    /// The text of a manifest for an absolute library path.
    pub fn render(library: &Utf8Path, api_version: &str) -> Result<String> {
        let manifest = Manifest {
            file_format_version: "1.0.0".to_owned(),
            icd: Section {
                library_path: library.to_owned(),
                api_version: api_version.to_owned(),
            },
        };
        Ok(serde_json::to_string_pretty(&manifest)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(library: &str) -> Icd {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().join("lvp_icd.json")).unwrap();
        fs_err::write(&path, Icd::render(Utf8Path::new(library), "1.3.2").unwrap()).unwrap();
        let mut icd = Icd::read(&path).unwrap();
        icd.library = icd
            .library
            .strip_prefix(path.parent().unwrap())
            .map_or(icd.library.clone(), |rest| Utf8Path::new("FOLDER").join(rest));
        icd
    }

    #[test]
    fn the_three_forms_of_a_library_path() {
        assert_eq!(read("/usr/lib/libvulkan_lvp.so").library, "/usr/lib/libvulkan_lvp.so");
        assert_eq!(read("./libvk_swiftshader.so").library, "FOLDER/libvk_swiftshader.so");
        assert_eq!(read("libvulkan_lvp.so").library, "libvulkan_lvp.so");
        assert_eq!(read("libvulkan_lvp.so").api_version, "1.3.2");
    }

    #[test]
    fn a_damaged_manifest_names_its_path() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs_err::write(file.path(), "{").unwrap();
        let error = Icd::read(Utf8Path::from_path(file.path()).unwrap()).unwrap_err();
        assert!(error.to_string().ends_with("is not a driver manifest"));
    }
}
