//! The rules of this repository that no compiler checks. Each test lists every offender, not only the first.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use camino::{Utf8Path, Utf8PathBuf};

/// Lines that a source file may have.
const LONGEST: usize = 500;
/// The crates with one folder for each kernel or control.
const KERNEL_CRATES: [&str; 4] = ["colour", "quality", "imaging", "controls"];
/// What every such folder holds.
const KERNEL_FILES: [&str; 3] = ["mod.rs", "reference.rs", "twin.rs"];
/// Its shaders: one for all twins, or one for each.
const SHADERS: [&[&str]; 2] = [&["twin.wgsl"], &["exact.wgsl", "native.wgsl"]];

fn root() -> &'static Utf8Path {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn walk(folder: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            walk(entry.path(), found);
        } else {
            found.push(entry.path().to_owned());
        }
    }
}

/// Every file with that extension under `crates/` and `xtask/`, path from the root and text.
fn files(extension: &str) -> Vec<(Utf8PathBuf, String)> {
    let mut paths = Vec::new();
    for folder in ["crates", "xtask"] {
        walk(&root().join(folder), &mut paths);
    }
    paths.retain(|path| path.extension() == Some(extension));
    paths.sort();
    assert!(!paths.is_empty(), "no file with extension `{extension}` was found");
    let read = |path: Utf8PathBuf| {
        let text = fs_err::read_to_string(&path).unwrap();
        (path.strip_prefix(root()).unwrap().to_owned(), text)
    };
    paths.into_iter().map(read).collect()
}

/// The sources of workers in JavaScript, path from the root and text.
fn scripts() -> Vec<(Utf8PathBuf, String)> {
    let mut paths = Vec::new();
    for folder in ["ci/dawn", "ci/dawn/test"] {
        let entries = root().join(folder).read_dir_utf8().unwrap();
        paths.extend(entries.map(|entry| entry.unwrap().path().to_owned()));
    }
    paths.retain(|path| path.extension() == Some("mjs"));
    paths.sort();
    assert!(!paths.is_empty(), "no script was found");
    let read = |path: Utf8PathBuf| (path.clone(), fs_err::read_to_string(&path).unwrap());
    paths.into_iter().map(read).collect()
}

fn none(rule: &str, offenders: Vec<String>) {
    assert!(offenders.is_empty(), "{rule}:\n  {}", offenders.join("\n  "));
}

/// Lines of Rust and WGSL sources that hold one of the texts.
fn lines_with(texts: &[&str]) -> Vec<String> {
    let mut offenders = Vec::new();
    for (path, source) in files("rs").into_iter().chain(files("wgsl")) {
        for (number, line) in source.lines().enumerate() {
            if texts.iter().any(|text| line.contains(text)) {
                offenders.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    offenders
}

#[test]
fn every_source_file_begins_by_saying_what_it_is_for() {
    let silent = files("rs").into_iter().filter(|(_, text)| !text.starts_with("//! "));
    let mute = scripts().into_iter().filter(|(_, text)| !text.starts_with("// "));
    none(
        "the first line is `//! `, or `// ` of a script, and a sentence",
        silent.chain(mute).map(|(path, _)| path.to_string()).collect(),
    );
}

#[test]
fn no_source_file_is_too_long() {
    let long = files("rs").into_iter().chain(scripts());
    let long = long.map(|(path, text)| (path, text.lines().count()));
    let long = long.filter(|(_, lines)| *lines > LONGEST);
    none(
        "at most 500 lines; look for the seam",
        long.map(|(path, lines)| format!("{path}: {lines}")).collect(),
    );
}

#[test]
fn scripts_are_programs_and_nothing_else_is() {
    let listed = std::process::Command::new("git")
        .args(["ls-files", "--stage", "-z"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(listed.status.success(), "{listed:?}");
    let listed = String::from_utf8(listed.stdout).unwrap();
    // Each entry is mode, hash and stage, a tab, and the path.
    let files: Vec<(&str, &str)> = listed
        .split_terminator('\0')
        .filter_map(|entry| Some((entry.get(..6)?, entry.split_once('\t')?.1)))
        .collect();
    let is_script = |path: &str| fs_err::read(root().join(path)).is_ok_and(|bytes| bytes.starts_with(b"#!"));
    assert!(files.iter().any(|(_, path)| is_script(path)), "no script was found");
    let wrong = files
        .into_iter()
        .filter_map(|(mode, path)| match (mode, is_script(path)) {
            ("100644", true) => Some(format!("{path}: git update-index --chmod=+x {path}")),
            ("100755", false) => Some(format!("{path}: git update-index --chmod=-x {path}")),
            _ => None,
        });
    none("a file is executable if it begins with `#!`", wrong.collect());
}

#[test]
fn plans_are_kept_elsewhere_than_in_the_sources() {
    // Spelled in halves, or this file would be its own offender.
    none(
        "no reminders in the sources",
        lines_with(&[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:")]),
    );
}

#[test]
fn lints_are_expected_with_a_reason_and_no_test_is_ignored() {
    let bare = [
        concat!("#[al", "low("),
        concat!("#![al", "low("),
        concat!("#[ig", "nore"),
    ];
    none(
        "`#[expect(lint, reason = \"…\")]`, and no test that is not run",
        lines_with(&bare),
    );
}

#[test]
fn the_driver_starts_processes_in_one_place() {
    let starts = [
        concat!("Command::", "new("),
        concat!("process::", "Command"),
        concat!("cmd", "!("),
    ];
    let elsewhere = lines_with(&starts)
        .into_iter()
        .filter(|line| line.starts_with("xtask/src/"));
    let elsewhere = elsewhere.filter(|line| !line.starts_with("xtask/src/proc.rs"));
    none("only `xtask/src/proc.rs` starts processes", elsewhere.collect());
}

#[test]
fn a_kernels_folder_is_whole() {
    let mut folders = Vec::new();
    for name in KERNEL_CRATES {
        let source = root().join("crates").join(name).join("src");
        let entries = source.read_dir_utf8().into_iter().flatten().map(Result::unwrap);
        // A folder without twin and reference holds something that kernels share.
        folders.extend(entries.map(|entry| entry.path().to_owned()).filter(|folder| {
            folder.is_dir()
                && KERNEL_FILES
                    .iter()
                    .any(|file| *file != "mod.rs" && folder.join(file).exists())
        }));
    }
    assert!(!folders.is_empty(), "no kernel was found");
    let missing = folders.iter().flat_map(|folder| {
        let has = |file: &&str| folder.join(file).exists();
        let absent = KERNEL_FILES.into_iter().filter(move |file| !has(file));
        let shaderless = !SHADERS.iter().any(|files| files.iter().all(has)) && !composes(folder, &folders);
        let missing = absent.chain(shaderless.then_some("twin.wgsl, or exact.wgsl and native.wgsl"));
        missing.map(move |file| folder.strip_prefix(root()).unwrap().join(file).to_string())
    });
    none(
        "a kernel's folder holds reference, twin, shader and module",
        missing.collect(),
    );
}

/// Whether a twin puts the passes of other kernels together, so that no shader is its own or those that are have names of
/// their own.
fn composes(folder: &Utf8Path, folders: &[Utf8PathBuf]) -> bool {
    let twin = fs_err::read_to_string(folder.join("twin.rs")).unwrap_or_default();
    let others = folders.iter().filter(|other| *other != folder);
    let mut names = others.filter_map(|other| other.file_name());
    names.any(|name| twin.contains(&format!("{name}::append(")))
}

#[test]
fn every_manifest_states_the_licence_and_takes_the_workspaces_lints() {
    let mut manifests = Vec::new();
    walk(&root().join("crates"), &mut manifests);
    manifests.retain(|path| path.file_name() == Some("Cargo.toml"));
    manifests.push(root().join("xtask/Cargo.toml"));
    assert!(manifests.len() > 2, "no manifest was found");

    let inherits = |table: &toml::Table, path: [&str; 2]| {
        let value = path
            .iter()
            .try_fold(toml::Value::Table(table.clone()), |value, key| value.get(key).cloned());
        value.and_then(|value| value.get("workspace")?.as_bool()) == Some(true)
    };
    let mut offenders = Vec::new();
    for path in manifests {
        let table: toml::Table = fs_err::read_to_string(&path).unwrap().parse().unwrap();
        let lints = table.get("lints").and_then(|lints| lints.get("workspace")?.as_bool());
        if !inherits(&table, ["package", "license"]) {
            offenders.push(format!("{path}: license.workspace = true"));
        }
        if lints != Some(true) {
            offenders.push(format!("{path}: [lints] workspace = true"));
        }
    }
    none("manifests inherit licence and lints", offenders);

    let workspace: toml::Table = fs_err::read_to_string(root().join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(
        workspace["workspace"]["package"]["license"].as_str(),
        Some("MIT OR Apache-2.0")
    );
    for text in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(
            root().join(text).is_file(),
            "the text of the licence is missing: {text}"
        );
    }
}
