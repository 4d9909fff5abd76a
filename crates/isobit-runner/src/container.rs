//! Workers in containers: how one is started, and how it is ended although the process at hand is only the engine's client.

use std::cell::OnceCell;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use isobit_gate::args::{Container, Driver};
use isobit_gate::config::Lane;

/// Where the images keep what drivers compile.
const CACHE: &str = "/var/cache/isobit";

/// How long the engine may take to remove a container; it stays behind where that is not enough.
const REMOVAL: Duration = Duration::from_secs(10);

/// A container that a worker was started in.
pub struct Running {
    engine: String,
    name: String,
    /// The worker's process, once it was looked for.
    worker: OnceCell<Option<u32>>,
}

/// The command that starts a worker of `lane` in a container that reaches neither network nor files of this machine.
pub fn command(container: &Container, driver: &Driver, lane: &Lane) -> (Command, Running) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("isobit-{}-{count}", std::process::id());
    let mut command = Command::new(&container.engine);
    command
        .args(["run", "--rm", "--interactive", "--pull=never", "--network=none"])
        .args(["--read-only", "--tmpfs=/tmp", "--cap-drop=all"])
        .args(["--security-opt=no-new-privileges", "--label=isobit.worker"])
        // What a worker answers are outputs of gigabytes, of which an engine would keep a copy on its disk.
        .arg("--log-driver=none")
        .arg(format!("--name={name}"))
        .arg(format!("--volume={}:{CACHE}", container.cache));
    let confined = [
        ("VK_DRIVER_FILES", driver.icd.as_str()),
        ("VK_ICD_FILENAMES", driver.icd.as_str()),
        ("VK_LOADER_LAYERS_DISABLE", "~implicit~"),
    ];
    let declared = lane
        .environment
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in confined.into_iter().chain(declared) {
        command.arg(format!("--env={name}={value}"));
    }
    command.arg(&container.runner).args(["parity", "worker"]);
    let engine = container.engine.clone();
    let running = Running {
        engine,
        name,
        worker: OnceCell::new(),
    };
    (command, running)
}

impl Running {
    /// The process of the worker, which is the only child of the container's first; `None` where the engine runs on another
    /// machine.
    pub fn worker(&self) -> Option<u32> {
        *self.worker.get_or_init(|| {
            let question = ["inspect", "--format", "{{.State.Pid}}", &self.name];
            let answer = Command::new(&self.engine)
                .args(question)
                .stdin(Stdio::null())
                .output()
                .ok()?;
            let first: u32 = String::from_utf8(answer.stdout).ok()?.trim().parse().ok()?;
            let children = std::fs::read_to_string(format!("/proc/{first}/task/{first}/children")).ok()?;
            children.split_whitespace().next()?.parse().ok()
        })
    }

    /// Removes the container, whatever runs in it. Killing the engine's client alone would leave it running.
    pub fn remove(&self) {
        let removal = Command::new(&self.engine)
            .args(["rm", "--force", &self.name])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        // Without its engine there is no container either; one that ended by itself is gone already.
        if let Ok(removal) = removal {
            wait(removal);
        }
    }
}

fn wait(mut removal: Child) {
    let deadline = Instant::now() + REMOVAL;
    while matches!(removal.try_wait(), Ok(None)) {
        if Instant::now() > deadline {
            // It is reaped by whoever reaps this process.
            let _ = removal.kill();
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// What the exit code of the engine's client says of the worker, where it says more than the number.
pub fn meaning(code: i32) -> Option<Ending> {
    match code {
        125 => Some(Ending::Engine),
        126 | 127 => Some(Ending::NotStarted),
        129..=192 => Some(Ending::Signal(code - 128)),
        _ => None,
    }
}

/// How a container ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The engine could not start it.
    Engine,
    /// It could not start the worker.
    NotStarted,
    /// A signal ended the worker.
    Signal(i32),
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use isobit::execution::{AdapterRequest, Backend};
    use isobit_gate::args::Image;

    use super::*;

    fn lane() -> Lane {
        Lane {
            name: "lavapipe@trixie".to_owned(),
            summary: String::new(),
            adapter: AdapterRequest {
                backend: Backend::Vulkan,
                kinds: Vec::new(),
                name: "*".to_owned(),
                driver: "*".to_owned(),
            },
            driver: None,
            environment: BTreeMap::from([("LVP_POISON_MEMORY".to_owned(), "true".to_owned())]),
            default: false,
            timeout_s: 1,
            worker: None,
            left_out: None,
            releases: Vec::new(),
            release: Some("trixie".to_owned()),
        }
    }

    fn driver(engine: &str) -> Driver {
        Driver {
            name: "lavapipe@trixie".to_owned(),
            environment: "podman".to_owned(),
            icd: "/usr/share/isobit/icd.json".into(),
            libraries: Vec::new(),
            container: Some(Container {
                engine: engine.to_owned(),
                image: Image {
                    name: "isobit/lavapipe:trixie".to_owned(),
                    id: "sha256:1".to_owned(),
                    packages: Vec::new(),
                },
                runner: "sha256:2".to_owned(),
                cache: "isobit-lavapipe-trixie".to_owned(),
            }),
        }
    }

    #[test]
    fn a_worker_in_a_container_sees_one_driver_and_no_network() {
        let driver = driver("podman");
        let container = driver.container.as_ref().unwrap();
        let (command, running) = super::command(container, &driver, &lane());
        let words: Vec<_> = command.get_args().filter_map(|word| word.to_str()).collect();
        assert_eq!(command.get_program(), "podman");
        assert_eq!(words[..2], ["run", "--rm"]);
        assert_eq!(words[words.len() - 3..], ["sha256:2", "parity", "worker"]);
        for expected in [
            "--network=none",
            "--read-only",
            "--cap-drop=all",
            "--log-driver=none",
            "--volume=isobit-lavapipe-trixie:/var/cache/isobit",
            "--env=VK_DRIVER_FILES=/usr/share/isobit/icd.json",
            "--env=LVP_POISON_MEMORY=true",
            &format!("--name={}", running.name),
        ] {
            assert!(words.contains(&expected), "{expected} in {words:?}");
        }
    }

    #[test]
    fn exit_codes_of_the_client_are_told_apart() {
        assert_eq!(meaning(125), Some(Ending::Engine));
        assert_eq!(meaning(127), Some(Ending::NotStarted));
        assert_eq!(meaning(139), Some(Ending::Signal(11)));
        assert_eq!(meaning(2), None, "the worker's own");
    }

    /// What comes of a worker whose engine runs `script`, and what the engine was asked to do.
    #[cfg(unix)]
    fn end_of(script: &str) -> (String, String) {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let folder = camino::Utf8Path::from_path(dir.path()).unwrap();
        let (engine, calls) = (folder.join("engine"), folder.join("calls"));
        let text = format!("#!/bin/sh\necho \"$1 $2 $3\" >>{calls}\n[ \"$1\" = run ] || exit 0\n{script}\n");
        std::fs::write(&engine, text).unwrap();
        std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut worker = crate::client::Worker::start(folder, &lane(), Some(&driver(engine.as_str())), folder).unwrap();
        let error = worker.open_within(&lane(), Duration::ZERO).unwrap_err();
        drop(worker);
        (error.to_string(), std::fs::read_to_string(calls).unwrap())
    }

    #[test]
    #[cfg(unix)]
    fn a_container_is_removed_however_its_worker_ends() {
        let ends = [
            (
                "echo 'no such image' >&2; exit 125",
                "the container engine did not start it; it had printed: no such image",
            ),
            ("exit 139", "signal 11 (segmentation fault)"),
            ("exec sleep 60", "gave no answer within 5 s and was killed"),
        ];
        for (script, expected) in ends {
            let (error, calls) = end_of(script);
            assert!(error.contains(expected), "{script}: {error}");
            let removal = format!("rm --force isobit-{}-", std::process::id());
            assert_eq!(calls.matches(&removal).count(), 1, "{script}: {calls}");
        }
    }
}
