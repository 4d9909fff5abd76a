//! What the command line refuses, and a clip that turns out to be broken. The latter needs the software drivers, which
//! `cargo xtask test` provides.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends at the first thing that is not as it should be"
)]

use std::process::{Command, Output};

use isobit_gate::args::Driver;

const PARITY: &str = env!("CARGO_BIN_EXE_parity");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn driver(name: &str) -> Driver {
    Driver::of_tests()
        .unwrap()
        .into_iter()
        .find(|driver| driver.name == name)
        .unwrap()
}

fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    format!("{}\n{out}\n{err}", output.status)
}

#[test]
fn a_wrong_command_line_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let short = folder.path().join("short.y4m");
    std::fs::write(&short, "YUV4MPEG2 W4 H4 F25:1\nFRAME\n1234").unwrap();
    let other = folder.path().join("other.y4m");
    std::fs::write(&other, "YUV4MPEG2 W2 H2 F25:1\nFRAME\n123456").unwrap();
    let [short, other] = [short, other].map(|path| path.to_str().unwrap().to_owned());
    let cases: &[(&[&str], &str)] = &[
        (&["--kernels", "psnrr"], "did you mean `psnr`"),
        (&["--lanes", "lavapip"], "did you mean `lavapipe`"),
        (&["--depths", "9"], "unknown depth `9`"),
        (&["--fixtures", "scenes"], "did you mean `scene`"),
        (&["--frobnicate"], "unexpected argument"),
        (&["--grid", "16k"], "the valid names are `8k`"),
        (&["--kernels", "psnr", "--option", "radius=1"], "no option `radius`"),
        (&["--kernels", "psnr", "--option", "radius"], "with `=` between"),
        (&["--option", "radius=1"], "--kernels"),
        (&["--record"], "without `--matrix` the quick set runs"),
        (&["--matrix", "--stale"], "--record"),
        (
            &["--matrix", "--record", "--fixtures", "scene"],
            "`--fixtures` cuts cells out of them\nhint: choose rows by kernel and lane alone",
        ),
        (&["--clip", "/nowhere/a.y4m"], "/nowhere/a.y4m"),
        (
            &["--kernels", "psnr", "--clip", &short],
            "compares a reference with a distorted clip\nhint: name both, the reference first: --clip REFERENCE DISTORTED",
        ),
        (&["--clip", &short, &other], "4x4"),
    ];
    for (args, expected) in cases {
        let mut command = Command::new(PARITY);
        command.args(["run", "--root", ROOT]).args(*args);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(64), "{args:?}: {}", text(&output));
        assert!(text(&output).contains(expected), "{args:?}: {}", text(&output));
    }
}

#[test]
fn a_truncated_clip_is_an_error_that_names_the_frame() {
    let folder = tempfile::tempdir().unwrap();
    let short = folder.path().join("short.y4m");
    std::fs::write(&short, "YUV4MPEG2 W4 H4 F25:1\nFRAME\n1234").unwrap();
    let short = short.to_str().unwrap();
    let json = folder.path().join("report.json");
    let mut command = Command::new(PARITY);
    command.args(["run", "--root", ROOT, "--lanes=lavapipe", "--clip", short, short]);
    command
        .args(["--json-out", json.to_str().unwrap(), "--md-out"])
        .arg(folder.path().join("report.md"));
    command.args(["--driver", &serde_json::to_string(&driver("lavapipe")).unwrap()]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("short.y4m"), "{}", text(&output));
}
