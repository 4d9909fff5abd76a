//! What a report is bound to besides its manifest: the fixtures' bytes and the files that cells are judged by.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;

use camino::Utf8Path;
use isobit_fixtures::pins;
use sha2::{Digest, Sha256};

use crate::cell::Source;
use crate::config::{Config, ConfigError, DEVICES, EXPECTATIONS, FRAGMENTS, GATE, MATRIX};
use crate::manifest::Manifest;
use crate::shard::SHARDS;

/// For each fixture of `manifest` SHA-256 over its pins in all formats, in hexadecimal. Clips of the user have none.
pub fn fixtures(manifest: &Manifest) -> BTreeMap<String, String> {
    let names: BTreeSet<&str> = manifest
        .cells
        .iter()
        .filter(|cell| matches!(cell.source, Source::Fixture(_)))
        .map(|cell| cell.source.name())
        .collect();
    let digest = |name: &str| {
        let mut hash = Sha256::new();
        for pin in pins::all().iter().filter(|pin| pin.fixture == name) {
            hash.update(format!("{}\t{}\t{}\n", pin.format, pin.one, pin.two));
        }
        format!("{:x}", hash.finalize())
    };
    names.into_iter().map(|name| (name.to_owned(), digest(name))).collect()
}

/// SHA-256 of what cells are judged by: the files under `ci/`, and the lanes that are held exact whatever those say.
pub fn configuration(config: &Config, hold_exact: &[String]) -> String {
    let mut hash = Sha256::new();
    hash.update(&config.digest);
    for lane in hold_exact.iter().collect::<BTreeSet<_>>() {
        hash.update(format!("\thold-exact {lane}"));
    }
    format!("{:x}", hash.finalize())
}

/// SHA-256 of the files under `ci/` that a run reads, in hexadecimal. Line ends do not count: a checkout may change them.
pub(crate) fn files(root: &Utf8Path) -> Result<String, ConfigError> {
    let failed = |path: &str| {
        let path = path.to_owned();
        move |source| ConfigError::Read {
            path: path.into(),
            source,
        }
    };
    let mut paths: BTreeSet<String> = [MATRIX, GATE, DEVICES, EXPECTATIONS, SHARDS].map(str::to_owned).into();
    match root.join(FRAGMENTS).read_dir_utf8() {
        Ok(entries) => {
            for entry in entries {
                let entry = entry.map_err(failed(FRAGMENTS))?;
                paths.insert(format!("{FRAGMENTS}/{}", entry.file_name()));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(FRAGMENTS)(error)),
    }
    let mut hash = Sha256::new();
    for path in paths.iter().filter(|path| !path.contains("/.")) {
        let text = match fs::read_to_string(root.join(path)) {
            Ok(text) => text.replace("\r\n", "\n"),
            // The recorded costs may be absent; whoever reads the others has complained already.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(path)(error)),
        };
        hash.update(format!("{path}\t{}\n{text}", text.len()));
    }
    Ok(format!("{:x}", hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::RunArgs;
    use crate::toy;

    #[test]
    fn each_fixture_of_a_manifest_has_a_hash_of_its_own() {
        let args = RunArgs {
            matrix: true,
            ..RunArgs::default()
        };
        let manifest = Manifest::plan(&toy::REGISTRY, &toy::config(), &args, None).unwrap();
        let fixtures = fixtures(&manifest);
        assert!(fixtures.contains_key(toy::FIXTURE) && fixtures.contains_key("odd"));
        let distinct: BTreeSet<_> = fixtures.values().collect();
        assert_eq!(distinct.len(), fixtures.len());
    }

    #[test]
    fn the_configuration_is_what_judges() {
        let config = toy::config();
        let hold =
            |lanes: &[&str]| configuration(&config, &lanes.iter().map(|&lane| lane.to_owned()).collect::<Vec<_>>());
        assert_eq!(hold(&["one", "two"]), hold(&["two", "one"]));
        assert_ne!(hold(&["one"]), hold(&[]));
        let other = Config {
            digest: "other".to_owned(),
            ..config.clone()
        };
        assert_ne!(configuration(&other, &[]), hold(&[]));
    }

    #[test]
    fn the_files_hash_follows_every_file_but_not_its_line_ends() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(MATRIX, "a\nb\n");
        let first = files(root).unwrap();
        write(MATRIX, "a\r\nb\r\n");
        assert_eq!(files(root).unwrap(), first);
        let mut seen = BTreeSet::from([first]);
        for path in [GATE, SHARDS, "ci/exact_twins.d/psnr.one.toml"] {
            write(path, "x\n");
            assert!(seen.insert(files(root).unwrap()), "`{path}`");
        }
        write("ci/exact_twins.d/.swap", "x\n");
        write("ci/records.d/psnr.one.toml", "x\n");
        assert!(!seen.insert(files(root).unwrap()));
    }
}
