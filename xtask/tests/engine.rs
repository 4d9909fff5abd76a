//! What `.ci/docker` makes of machines: one that cannot run containers is told from a gate that is red. Stand-ins take the
//! place of the engine, of the package manager and of cargo.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

/// The script under test.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/docker");
/// The programs that it finds on every machine.
const TOOLS: [&str; 8] = ["bash", "cat", "dirname", "grep", "mkdir", "sleep", "tail", "tar"];

/// An engine that answers once its daemon runs, and runs containers.
const DOCKER: &str = r#"
case "$1" in
version) [ -e "$DIR/up" ] ;;
import) cat >/dev/null ;;
esac
"#;
/// A daemon that starts.
const DOCKERD: &str = r#"
trap 'echo ended >>"$DIR/said"; exit' TERM
: >"$DIR/up"
while :; do sleep 0.1; done
"#;
const NOTHING: &str = ":";

/// Runs the script with `programs` installed; its exit code, its standard error, and what its stand-ins said.
fn machine(programs: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("bin");
    fs_err::create_dir(&bin).unwrap();
    for tool in TOOLS {
        symlink(which::which(tool).unwrap(), bin.join(tool)).unwrap();
    }
    for (program, script) in programs {
        let path = bin.join(program);
        fs_err::write(&path, format!("#!{}\n{script}", bin.join("bash").display())).unwrap();
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let output = Command::new(SCRIPT)
        .args(["--kernels", "psnr"])
        .env("PATH", &bin)
        .env("DIR", dir.path())
        .env("CARGO_TARGET_DIR", dir.path().join("target"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    let said = fs_err::read_to_string(dir.path().join("said")).unwrap_or_default();
    (output.status.code(), errors, said)
}

/// A machine on which all goes well, but for `changed`.
fn but(changed: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let well = [
        ("cargo", r#"echo "cargo $*" >>"$DIR/said""#),
        ("docker", DOCKER),
        ("docker-init", NOTHING),
        ("dockerd", DOCKERD),
        ("mmdebstrap", NOTHING),
    ];
    let kept = well
        .into_iter()
        .filter(|(name, _)| changed.iter().all(|(other, _)| other != name));
    let programs: Vec<_> = kept.chain(changed.iter().copied()).collect();
    machine(&programs)
}

#[test]
fn an_engine_is_started_used_and_ended() {
    let parity = "cargo xtask parity --env docker --base auto --kernels psnr\nended\n".to_owned();
    assert_eq!(but(&[]), (Some(0), String::new(), parity));
}

#[test]
fn an_engine_that_cannot_be_tried_out_is_used_all_the_same() {
    let machine = machine(&[
        ("cargo", r#"echo "cargo $*" >>"$DIR/said""#),
        ("docker", "[ \"$1\" = version ]"),
    ]);
    let parity = "cargo xtask parity --env docker --base auto --kernels psnr\n".to_owned();
    assert_eq!(machine, (Some(0), String::new(), parity));
}

#[test]
fn a_machine_without_an_engine_is_no_fault_of_the_gate() {
    let refused = |changed: &[(&str, &str)], reason: &str| {
        let (code, errors, said) = but(changed);
        assert_eq!(code, Some(69), "{errors}");
        assert_eq!(
            errors,
            format!("containers were not run, because this machine {reason}")
        );
        assert!(!said.contains("cargo"), "{said}");
    };
    let (code, errors, _) = machine(&[("apt-get", "echo 'E: are you root?' >&2; exit 100")]);
    assert_eq!(code, Some(69), "{errors}");
    assert!(
        errors.ends_with("cannot install an engine: E: are you root?"),
        "{errors}"
    );
    refused(
        &[("dockerd", "echo 'level=info'; echo 'no iptables'; echo; exit 1")],
        "cannot start an engine: no iptables",
    );
    refused(&[("dockerd", "exit 1")], "cannot start an engine: it says nothing");
    let confined = r#"
case "$1" in
version) [ -e "$DIR/up" ] ;;
import) cat >/dev/null ;;
run) echo 'runc: operation not permitted' >&2; exit 125 ;;
esac
"#;
    refused(
        &[("docker", confined)],
        "has an engine that cannot run a container: runc: operation not permitted",
    );
}

#[test]
fn what_is_red_in_containers_is_red() {
    let (code, errors, said) = but(&[("cargo", "echo 'error: no space is left' >&2; exit 2")]);
    assert_eq!((code, errors.as_str()), (Some(2), "error: no space is left"));
    assert_eq!(said, "ended\n", "the engine is ended all the same");
}
