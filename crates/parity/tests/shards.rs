//! A run cut in three and joined again is the run. Needs the software drivers, which `cargo xtask test` provides.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends at the first thing that is not as it should be"
)]

use std::path::Path;
use std::process::{Command, Output};

use isobit_gate::args::Driver;
use isobit_gate::merge::{read, timeless};
use isobit_gate::report::Report;

const PARITY: &str = env!("CARGO_BIN_EXE_parity");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Scores and planes, integer and float.
const SELECTION: [&str; 6] = [
    "--kernels=psnr,srgb_to_linear",
    "--fixtures=padded,tiny_1x1,codes,float_specials",
    "--depths=8,f32",
    "--layouts=yuv420,yuv444,rgb",
    "--lanes=lavapipe,swiftshader",
    "--matrix",
];

/// Calls the program so that every report goes into `folder`, the JSON one as `name`.
fn call(folder: &Path, name: &str, args: &[&str]) -> Output {
    let mut command = Command::new(PARITY);
    command.args(args).args(["--root", ROOT]);
    for (option, extension) in [
        ("--json-out", "json"),
        ("--md-out", "md"),
        ("--junit-out", "xml"),
        ("--html-out", "html"),
    ] {
        command.arg(option).arg(folder.join(name).with_extension(extension));
    }
    command.output().unwrap()
}

fn run(folder: &Path, name: &str, shard: Option<&str>) -> Report {
    let drivers = Driver::of_tests()
        .unwrap()
        .into_iter()
        .map(|driver| serde_json::to_string(&driver).unwrap());
    let drivers: Vec<String> = drivers.map(|json| format!("--driver={json}")).collect();
    let mut args = vec!["run"];
    args.extend(SELECTION);
    args.extend(shard);
    args.extend(drivers.iter().map(String::as_str));
    let output = call(folder, name, &args);
    assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output));
    report(folder, name)
}

fn report(folder: &Path, name: &str) -> Report {
    let text = std::fs::read_to_string(folder.join(name).with_extension("json")).unwrap();
    read(name, &text).unwrap().report
}

fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    format!("{}\n{out}\n{err}", output.status)
}

#[test]
fn merged_shards_equal_the_undivided_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let whole = run(folder, "whole", None);
    for index in 1..=3 {
        let shard = run(folder, &format!("shard-{index}"), Some(&format!("--shard={index}/3")));
        let real = |report: &Report| report.cells.iter().filter(|cell| !cell.control).count();
        assert!((1..real(&whole)).contains(&real(&shard)), "shard {index} is the whole");
    }
    let paths = [3, 1, 2].map(|index| folder.join(format!("shard-{index}.json")));
    let paths = paths.each_ref().map(|path| path.to_str().unwrap());

    let output = call(folder, "merged", &["merge", paths[0], paths[1], paths[2]]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let merged = report(folder, "merged");
    assert_eq!(timeless(&merged), timeless(&whole));
    for extension in ["md", "xml", "html"] {
        let size = std::fs::metadata(folder.join("merged").with_extension(extension))
            .unwrap()
            .len();
        assert!(size > 1000, "`merged.{extension}` has {size} bytes");
    }

    let output = call(folder, "missing", &["merge", paths[0], paths[1]]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(
        text(&output).contains("error: shard `2/3` is missing\nhint: "),
        "{}",
        text(&output)
    );
    assert!(!folder.join("missing.json").exists());
}

#[test]
fn a_report_that_is_not_there_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = call(folder.path(), "merged", &["merge", "/nowhere/1.json"]);
    assert_eq!(output.status.code(), Some(64), "{}", text(&output));
    let broken = folder.path().join("broken.json");
    std::fs::write(&broken, "{").unwrap();
    let output = call(folder.path(), "merged", &["merge", broken.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}
