//! What a person sees on the command line: help, refusals and exit codes. Runs the real program.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::process::{Command, Output};

fn xtask(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(args)
        .env("COLUMNS", "100")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = xtask(args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The complaint of a command line that cannot be used.
fn refused(args: &[&str]) -> String {
    let output = xtask(args);
    assert_eq!(output.status.code(), Some(64), "{args:?}: {output:?}");
    assert!(
        output.stdout.is_empty(),
        "{args:?}: a refusal belongs to standard error"
    );
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn help() {
    for command in [
        "",
        "build",
        "provision",
        "doctor",
        "parity",
        "parity merge",
        "exact",
        "gate",
        "docs",
        "ci",
        "ci summary",
        "ci verdict",
        "test",
        "bench",
        "bench matrix",
    ] {
        let mut args: Vec<&str> = command.split_whitespace().collect();
        args.push("--help");
        let name = format!("help {command}").trim().replace(' ', "-");
        insta::assert_snapshot!(name, stdout(&args));
    }
}

#[test]
fn a_command_line_that_cannot_be_parsed_exits_with_64() {
    insta::assert_snapshot!("unknown-command", refused(&["partiy"]));
    insta::assert_snapshot!("unknown-option", refused(&["parity", "--kernel", "psnr"]));
    insta::assert_snapshot!("unknown-depth", refused(&["parity", "--depths", "9"]));
    insta::assert_snapshot!("unknown-driver", refused(&["provision", "llvmpipe"]));
    insta::assert_snapshot!("size-without-clip", refused(&["parity", "--size", "16x16"]));
    insta::assert_snapshot!("unknown-shard", refused(&["parity", "--shard", "4/3"]));
    insta::assert_snapshot!("merge-of-nothing", refused(&["parity", "merge"]));
    refused(&[]);
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let absent = refused(&["parity", "merge", "/nowhere/1.json"]);
    assert!(
        absent.starts_with("error: read `/nowhere/1.json`: ") && absent.contains("\nhint: "),
        "{absent}"
    );
    let output = xtask(&["parity", "merge", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("Cargo.toml` is no report: ") && said.contains("\nhint: "),
        "{said}"
    );
}

#[test]
fn names_that_do_not_exist_are_refused_before_anything_is_built() {
    let kernel = refused(&["parity", "--kernels", "pnsr"]);
    assert!(
        kernel.starts_with("error: unknown kernel `pnsr`\nhint: did you mean `psnr`?"),
        "{kernel}"
    );
    let lane = refused(&["parity", "--lanes", "lavapip"]);
    assert!(
        lane.starts_with("error: unknown lane `lavapip`\nhint: did you mean `lavapipe`?"),
        "{lane}"
    );
    let clip = refused(&["parity", "--clip", "/nowhere/ref.y4m"]);
    assert!(
        clip.starts_with("error: cannot read the clip `/nowhere/ref.y4m`") && clip.contains("\nhint: "),
        "{clip}"
    );
}
