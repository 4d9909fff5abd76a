//! What containers do when something fails, shown with a stand-in for the engine, and whether the files under `docker/` say
//! what `ci/matrix.toml` says. Runs the real program.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::config::{Config, Lane};
use rustix::process::{Pid, Signal, kill_process_group};

const RUN: [&str; 5] = ["parity", "--env", "docker", "--lanes", "lavapipe@bookworm"];
/// An engine that answers, has the base, and has no other image.
const ANSWERS: &str = r#"
echo "$*" >>"$CALLS"
case "$1 $2" in
"version --format") echo 20.10 ;;
"image inspect")
    case "$3" in
    debian:*) echo '[{"Id":"sha256:1","Architecture":"amd64","Config":{}}]' ;;
    *) echo "Error: No such image: $3" >&2; exit 1 ;;
    esac ;;
"image rm") ;;
*) fail "$@" ;;
esac
"#;

/// A machine on which nothing is installed but an engine, perhaps.
struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    /// `fail` is the body of a shell function that does what is neither a question nor a removal.
    fn with(program: &str, fail: &str) -> Self {
        let machine = Self::bare();
        machine.install(program, &format!("fail() {{\n{fail}\n}}\n{ANSWERS}"));
        machine
    }

    fn bare() -> Self {
        let machine = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        fs_err::create_dir(machine.path("bin")).unwrap();
        fs_err::write(machine.path("calls"), "").unwrap();
        machine
    }

    fn install(&self, program: &str, script: &str) {
        let path = self.path("bin").join(program);
        fs_err::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn path(&self, below: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.dir.path()).unwrap().join(below)
    }

    fn start(&self, args: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        for variable in [
            "ISOBIT_ENGINE",
            "ISOBIT_APT_SOURCES",
            "ISOBIT_APT_CA",
            "ISOBIT_BUILD_ARGS",
        ] {
            command.env_remove(variable);
        }
        command
            .args(args)
            .env("PATH", self.path("bin"))
            .env("CALLS", self.path("calls"))
            .env("CARGO_TARGET_DIR", self.path("target"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap()
    }

    fn run(&self, args: &[&str]) -> Output {
        self.start(args).wait_with_output().unwrap()
    }

    fn calls(&self) -> String {
        fs_err::read_to_string(self.path("calls")).unwrap()
    }

    /// No image has the name of a whole one, and no folder of a build is left.
    fn is_clean(&self) {
        let calls = self.calls();
        assert!(
            calls.contains("image rm isobit/lavapipe:bookworm-unlabelled"),
            "{calls}"
        );
        assert!(!calls.contains("--tag isobit/lavapipe:bookworm "), "{calls}");
        let folder = self.path("target/isobit/containers");
        let left: Vec<_> = folder
            .read_dir_utf8()
            .unwrap()
            .map(|entry| entry.unwrap().path().to_owned())
            .collect();
        assert!(left.iter().all(|path| path.is_file()), "{left:?}");
    }
}

/// The complaint, which is one sentence and a hint, behind what was told of the progress.
fn complaint(output: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    let start = text.find("error: ").unwrap();
    let complaint = text[start..].trim_end().to_owned();
    let lines: Vec<_> = complaint.lines().collect();
    assert!(
        matches!(lines[..], [_, hint] if hint.starts_with("hint: ")),
        "{complaint}"
    );
    complaint
}

#[test]
fn a_machine_without_an_engine_is_told_how_to_get_one() {
    let machine = Machine::bare();
    assert_eq!(
        complaint(&machine.run(&RUN), 2),
        "error: neither `docker` nor `podman` is installed\nhint: apt-get install docker.io"
    );
}

#[test]
fn an_engine_that_is_not_running_is_told_with_the_command_that_starts_it() {
    let machine = Machine::bare();
    machine.install(
        "docker",
        "echo 'Cannot connect to the Docker daemon at unix:///d.sock.' >&2; exit 1",
    );
    let text = complaint(&machine.run(&RUN), 2);
    assert!(
        text.starts_with(
            "error: the container engine `docker` does not answer: Cannot connect to the Docker daemon at unix:///d.sock.\n\
             hint: sudo systemctl start docker"
        ),
        "{text}"
    );
}

#[test]
fn podman_serves_where_docker_does_not_answer() {
    let machine = Machine::with("podman", "echo broken >&2; exit 1");
    machine.install(
        "podman",
        &format!("[ \"$1\" = info ] && echo 4.3.1 && exit 0\nfail() {{ exit 1; }}\n{ANSWERS}"),
    );
    machine.install("docker", "exit 1");
    let text = complaint(&machine.run(&RUN), 2);
    assert!(
        text.contains("cannot build the image `isobit/lavapipe:bookworm`"),
        "{text}"
    );
    assert!(
        machine
            .calls()
            .contains("build --force-rm --file docker/lavapipe.Dockerfile")
    );
}

#[test]
fn an_image_that_does_not_build_leaves_none() {
    let machine = Machine::with(
        "docker",
        "echo \"E: Version '22.3.*' for 'mesa-vulkan-drivers' was not found\"; echo 'returned a non-zero code: 100'; exit 1",
    );
    let text = complaint(&machine.run(&RUN), 2);
    assert!(
        text.starts_with(
            "error: cannot build the image `isobit/lavapipe:bookworm`: Version '22.3.*' for 'mesa-vulkan-drivers' was \
             not found\nhint: less "
        ),
        "{text}"
    );
    machine.is_clean();
}

#[test]
fn a_full_disk_is_told_as_one() {
    let machine = Machine::with("docker", "echo 'write /x: no space left on device' >&2; exit 1");
    let text = complaint(&machine.run(&RUN), 2);
    assert_eq!(
        text,
        "error: cannot build the image `isobit/lavapipe:bookworm`: no space is left on the disk of the container \
         engine\nhint: docker system prune, and run the command again"
    );
    machine.is_clean();
}

#[test]
fn an_interrupted_build_is_waited_for_and_cleared() {
    let machine = Machine::with("docker", "echo 'waits' >>\"$CALLS\"; exec /bin/sleep 60");
    let child = machine.start(&RUN);
    let deadline = Instant::now() + Duration::from_secs(60);
    while !machine.calls().contains("waits") {
        assert!(Instant::now() < deadline, "the build did not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    // As a terminal does it: to the whole group.
    kill_process_group(Pid::from_child(&child), Signal::INT).unwrap();
    let text = complaint(&child.wait_with_output().unwrap(), 2);
    assert_eq!(
        text,
        "error: cannot build the image `isobit/lavapipe:bookworm`: interrupted\n\
         hint: run the command again: the steps that were finished are kept"
    );
    machine.is_clean();
}

#[test]
fn a_registry_out_of_reach_is_answered_with_a_base_of_ones_own() {
    let machine = Machine::with("docker", "echo 'Error response from daemon: no such host' >&2; exit 1");
    let base = [RUN.as_slice(), &["--base", "my/debian:12"]].concat();
    let text = complaint(&machine.run(&base), 2);
    assert!(
        text.starts_with("error: cannot pull the image `my/debian:12`: Error response from daemon"),
        "{text}"
    );
    assert!(text.ends_with("cargo xtask parity --env docker --base auto"), "{text}");
    let both = ["parity", "--env", "docker", "--base", "my/debian:12"];
    let text = complaint(&machine.run(&both), 64);
    assert!(
        text.starts_with("error: `--base my/debian:12` is one image for 2 releases"),
        "{text}"
    );
}

#[test]
fn bake_and_compose_say_what_the_matrix_says() {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let config = Config::load(root).unwrap();
    let read = |name: &str| fs_err::read_to_string(root.join("docker").join(name)).unwrap();
    let (bake, compose) = (read("docker-bake.hcl"), read("compose.yaml"));
    let contained: Vec<&Lane> = config
        .matrix
        .lanes
        .iter()
        .filter(|lane| lane.release.is_some())
        .collect();
    assert!(!contained.is_empty());
    for lane in &contained {
        let (driver, name) = lane.driver.as_deref().unwrap().split_once('@').unwrap();
        let release = config.matrix.release(name).unwrap();
        let version = release.versions.get(driver).map_or("*", String::as_str);
        let item = format!("{{ driver = \"{driver}\", release = \"{name}\", version = \"{version}\" }}");
        assert!(bake.contains(&item), "docker-bake.hcl lacks {item}");
        let image = &release.image;
        for line in [
            format!("  {driver}-{name}:\n    <<: [*driver, *{driver}]\n    image: isobit/{driver}:{name}\n"),
            format!("dockerfile: {driver}.Dockerfile\n      args: {{ BASE: \"{image}\", VERSION: \"{version}\" }}\n"),
        ] {
            assert!(compose.contains(&line), "compose.yaml lacks:\n{line}");
        }
    }
    assert_eq!(bake.matches("{ driver = ").count(), contained.len());
    assert_eq!(compose.matches("    image: ").count(), contained.len());
}
