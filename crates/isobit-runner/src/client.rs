//! The controller's end of a worker: starts it confined to one driver, bounds every wait, and turns each way in which it
//! can die into a reason.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use isobit::execution::{AdapterFacts, Execution, ExecutionError, Phases, Readback};
use isobit::frame::Input;
use isobit::plan::Plan;
use isobit_gate::args::Driver;
use isobit_gate::config::Lane;
use isobit_wgpu::validate::Checker;

use crate::container::{self, Ending, Running};
use crate::wire::{self, Answer, Request};
use crate::worker;

/// How long a worker may take beyond the time that the device was given, before it is killed.
const GRACE: Duration = Duration::from_secs(5);

/// How long a driver may take to open its device.
const OPEN_LIMIT: Duration = Duration::from_secs(60);

/// Why a worker did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// It could not be started.
    #[error("the worker could not be started: {0}")]
    Start(io::Error),
    /// It ran, and says why it failed.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
    /// It died.
    #[error("the worker died: {how}{}", if last_words.is_empty() { String::new() } else { format!("; it had printed: {last_words}") })]
    Died {
        /// Signal or exit code.
        how: String,
        /// The last lines that it printed.
        last_words: String,
    },
    /// It was killed because it answered nothing.
    #[error("the worker gave no answer within {seconds} s and was killed")]
    Hung {
        /// How long it was waited for.
        seconds: u64,
    },
    /// Its answer is not one.
    #[error("the worker answered nonsense: {0}")]
    Protocol(String),
}

impl WorkerError {
    /// Whether the worker lives and can be asked for something else.
    pub const fn worker_usable(&self) -> bool {
        matches!(self, Self::Execution(error) if error.device_usable())
    }
}

/// An answer and its blobs.
type Answered = (Answer, Vec<Vec<u8>>);

/// A running worker.
pub struct Worker {
    child: Child,
    /// What `child` is only the client of, where the worker is in a container.
    container: Option<Running>,
    /// Written by a thread of its own: a worker that no longer reads must not hold up the controller.
    requests: Sender<Vec<u8>>,
    answers: Receiver<io::Result<Option<Answered>>>,
    stderr: Option<JoinHandle<String>>,
    /// The static checks of plans, which a worker that is another program leaves to this end.
    checker: Option<Checker>,
    /// A folder that only this worker's driver uses.
    _private: tempfile::TempDir,
}

impl Worker {
    /// Starts a worker for `lane` of the workspace at `root` that sees `driver` and no other. Without a driver it sees what
    /// the system offers.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(root: &Utf8Path, lane: &Lane, driver: Option<&Driver>, cache: &Utf8Path) -> Result<Self, WorkerError> {
        let private = tempfile::tempdir().map_err(WorkerError::Start)?;
        let contained = driver.and_then(|driver| Some((driver, driver.container.as_ref()?)));
        let (mut command, container) = match contained {
            Some((driver, container)) => {
                let (command, running) = container::command(container, driver, lane);
                (command, Some(running))
            }
            None => {
                let mut command = program(root, lane).map_err(WorkerError::Start)?;
                confine(&mut command, driver);
                command
                    .env("XDG_RUNTIME_DIR", private.path())
                    .env("MESA_SHADER_CACHE_DIR", cache)
                    .envs(&lane.environment);
                (command, None)
            }
        };
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Ctrl-C is the controller's to handle: a worker that dies of it would look like a crash.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(WorkerError::Start)?;
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(WorkerError::Start(io::Error::other("its standard streams are missing")));
        };
        let (requests, outgoing) = mpsc::channel::<Vec<u8>>();
        thread::spawn(move || {
            // A failed write means that the worker died, and the end of its answers tells that.
            while outgoing.recv().is_ok_and(|request| stdin.write_all(&request).is_ok()) {}
        });
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            let mut from = BufReader::with_capacity(1 << 20, stdout);
            loop {
                let message = wire::receive(&mut from);
                let last = !matches!(message, Ok(Some(_)));
                if sender.send(message).is_err() || last {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            container,
            requests,
            answers,
            stderr: Some(thread::spawn(move || worker::tail(stderr))),
            checker: lane.worker.as_ref().map(|_| Checker::default()),
            _private: private,
        })
    }

    /// Opens the adapter of `lane`, and checks that it is the one the lane asks for.
    ///
    /// # Errors
    /// If there is no such adapter, or the worker dies or hangs over it.
    pub fn open(&mut self, lane: &Lane) -> Result<AdapterFacts, WorkerError> {
        self.open_within(lane, OPEN_LIMIT)
    }

    /// The same for a driver that has `limit` to do it.
    pub(crate) fn open_within(&mut self, lane: &Lane, limit: Duration) -> Result<AdapterFacts, WorkerError> {
        let request = Request::Open {
            adapter: lane.adapter.clone(),
        };
        match self.ask(&request, &[], limit)? {
            (Answer::Opened { adapter }, _) => match lane.adapter.refusal(&adapter) {
                None => Ok(*adapter),
                Some(refusal) => Err(ExecutionError::NoAdapter {
                    found: vec![format!("`{}`: {refusal}", adapter.name)],
                }
                .into()),
            },
            (other, _) => Err(self.nonsense(&other)),
        }
    }

    /// Runs `plan` on `input`, each wait on the device bounded by `limit`.
    ///
    /// # Errors
    /// If the plan does not run to its end, or the worker dies or hangs over it.
    pub fn run(&mut self, plan: &Plan, input: &Input, limit: Duration) -> Result<Execution, WorkerError> {
        if let Some(checker) = &mut self.checker {
            checker.plan(plan, input.shape(), input.clips().len())?;
        }
        let request = Request::Run {
            plan: Box::new(plan.clone()),
            shape: input.shape().clone(),
            clips: input.clips().len(),
            frames: input.frames(),
            limit_ms: limit.as_millis() as u64,
        };
        match self.ask(&request, &wire::input_blobs(input), limit)? {
            (
                Answer::Ran {
                    buffers,
                    frames,
                    faults,
                    timing,
                },
                blobs,
            ) => {
                if frames != input.frames() {
                    return Err(WorkerError::Protocol(format!(
                        "{frames} frames where {} were asked for",
                        input.frames()
                    )));
                }
                Ok(Execution {
                    frames: wire::readbacks(&buffers, frames, blobs).map_err(WorkerError::Protocol)?,
                    faults,
                    timing,
                })
            }
            (other, _) => Err(self.nonsense(&other)),
        }
    }

    /// The time that each of `plans` takes on the device for the last frame of `input`, measured over `rounds` turns.
    ///
    /// # Errors
    /// As [`Worker::run`].
    pub fn time(
        &mut self,
        plans: &[Plan],
        input: &Input,
        rounds: usize,
        limit: Duration,
    ) -> Result<Vec<Duration>, WorkerError> {
        let request = Request::Time {
            plans: plans.to_vec(),
            shape: input.shape().clone(),
            clips: input.clips().len(),
            frames: input.frames(),
            rounds,
            limit_ms: limit.as_millis() as u64,
        };
        match self.ask(&request, &wire::input_blobs(input), limit)? {
            (Answer::Timed { nanoseconds }, _) if nanoseconds.len() == plans.len() => {
                Ok(nanoseconds.into_iter().map(Duration::from_nanos).collect())
            }
            (other, _) => Err(self.nonsense(&other)),
        }
    }

    /// What `plan` leaves of each frame of `input`, and the time of each of `rounds` runs from upload to read-back, all of them
    /// within `limit`.
    ///
    /// # Errors
    /// As [`Worker::run`].
    pub fn phases(
        &mut self,
        plan: &Plan,
        input: &Input,
        rounds: usize,
        limit: Duration,
    ) -> Result<(Vec<Readback>, Vec<Phases>), WorkerError> {
        let request = Request::Phases {
            plan: Box::new(plan.clone()),
            shape: input.shape().clone(),
            clips: input.clips().len(),
            frames: input.frames(),
            rounds,
            limit_ms: limit.as_millis() as u64,
        };
        match self.ask(&request, &wire::input_blobs(input), limit)? {
            (Answer::Phased { buffers, rounds }, blobs) if !rounds.is_empty() => {
                let left = wire::readbacks(&buffers, input.frames(), blobs).map_err(WorkerError::Protocol)?;
                Ok((left, rounds))
            }
            (other, _) => Err(self.nonsense(&other)),
        }
    }

    /// Memory that the process holds, in bytes; `None` where the system does not tell.
    pub fn resident_bytes(&self) -> Option<u64> {
        // The second number is the resident size in pages, which are 4 KiB or more: the bound is a lower one.
        let statm = std::fs::read_to_string(format!("/proc/{}/statm", self.process()?)).ok()?;
        statm.split(' ').nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
    }

    fn ask(&mut self, request: &Request, blobs: &[&[u8]], limit: Duration) -> Result<Answered, WorkerError> {
        let mut message = Vec::new();
        wire::send(&mut message, request, blobs).map_err(|error| WorkerError::Protocol(error.to_string()))?;
        // Where the thread that writes has ended, so have the answers.
        let _ = self.requests.send(message);
        match self.answers.recv_timeout(limit + GRACE) {
            Ok(Ok(Some((Answer::Failed { error }, _)))) => Err(error.into()),
            Ok(Ok(Some(answer))) => Ok(answer),
            Ok(Err(error)) if error.kind() != io::ErrorKind::UnexpectedEof => {
                self.kill();
                Err(WorkerError::Protocol(error.to_string()))
            }
            Ok(Ok(None) | Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.obituary()),
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                Err(WorkerError::Hung {
                    seconds: (limit + GRACE).as_secs(),
                })
            }
        }
    }

    fn nonsense(&mut self, answer: &Answer) -> WorkerError {
        self.kill();
        WorkerError::Protocol(format!("{answer:?}").chars().take(80).collect())
    }

    fn obituary(&mut self) -> WorkerError {
        let how = match self.wait_briefly() {
            Some(status) => self.describe(status),
            None => {
                self.kill();
                "it closed its stream of answers".to_owned()
            }
        };
        let last_words = self.stderr.take().and_then(|thread| thread.join().ok());
        WorkerError::Died {
            how,
            last_words: last_words.unwrap_or_default(),
        }
    }

    /// A worker that closed its streams is about to end, but may still be writing a core file.
    fn wait_briefly(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    fn kill(&mut self) {
        // It may have ended by itself; either way it is reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(container) = self.container.take() {
            container.remove();
        }
    }

    /// The process of the worker itself, where this machine can see it.
    fn process(&self) -> Option<u32> {
        match &self.container {
            Some(container) => container.worker(),
            None => Some(self.child.id()),
        }
    }

    fn describe(&self, status: ExitStatus) -> String {
        let ending = self.container.as_ref().zip(status.code());
        match ending.and_then(|(_, code)| container::meaning(code)) {
            Some(Ending::Engine) => "the container engine did not start it".to_owned(),
            Some(Ending::NotStarted) => "its container could not start it".to_owned(),
            Some(Ending::Signal(signal)) => name_signal(signal),
            None => describe(status),
        }
    }
}

impl Drop for Worker {
    /// All that a worker knew has been reported, so it is not waited for while its driver shuts down.
    fn drop(&mut self) {
        self.kill();
    }
}

/// The program that serves `lane`: this one, or the one that the lane declares.
fn program(root: &Utf8Path, lane: &Lane) -> io::Result<Command> {
    let Some(program) = &lane.worker else {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("worker");
        return Ok(command);
    };
    let main = root.join(&program.package).join(&program.main);
    let mut command = node(&["--no-warnings".as_ref(), main.as_std_path()]);
    command.env_remove("NODE_OPTIONS");
    Ok(command)
}

/// Node with its answers on a descriptor of their own: it cannot turn standard output, to which drivers print, elsewhere.
#[cfg(unix)]
fn node(arguments: &[&Path]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"exec node "$@" 3 3>&1 1>&2"#, "node"])
        .args(arguments);
    command
}

#[cfg(not(unix))]
fn node(arguments: &[&Path]) -> Command {
    let mut command = Command::new("node");
    command.args(arguments);
    command
}

/// Makes `driver` the only one that the Vulkan loader of `command` can see.
fn confine(command: &mut Command, driver: Option<&Driver>) {
    // Layers change what a driver is given; a lane is the driver alone.
    for variable in [
        "VK_INSTANCE_LAYERS",
        "VK_LOADER_LAYERS_ENABLE",
        "VK_ADD_DRIVER_FILES",
        "VK_LOADER_DRIVERS_SELECT",
        "VK_LOADER_DRIVERS_DISABLE",
        "MESA_VK_DEVICE_SELECT",
    ] {
        command.env_remove(variable);
    }
    command.env("VK_LOADER_LAYERS_DISABLE", "~implicit~");
    let Some(driver) = driver else { return };
    // Loaders before 1.3.207 know the older name only.
    command
        .env("VK_DRIVER_FILES", &driver.icd)
        .env("VK_ICD_FILENAMES", &driver.icd);
    if !driver.libraries.is_empty() {
        let mut folders: Vec<_> = driver
            .libraries
            .iter()
            .map(|folder| folder.clone().into_std_path_buf())
            .collect();
        if let Some(inherited) = std::env::var_os("LD_LIBRARY_PATH") {
            folders.extend(std::env::split_paths(&inherited));
        }
        // Folders with a colon in their name cannot be listed at all; the driver then fails to load and says so.
        let joined: OsString = std::env::join_paths(folders).unwrap_or_default();
        command.env("LD_LIBRARY_PATH", joined);
    }
}

#[cfg(unix)]
fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    status.signal().map_or_else(|| status.to_string(), name_signal)
}

#[cfg(not(unix))]
fn describe(status: ExitStatus) -> String {
    status.to_string()
}

fn name_signal(signal: i32) -> String {
    let meaning = match signal {
        4 => "illegal instruction",
        6 => "abort",
        7 => "bus error",
        8 => "arithmetic error",
        9 => "killed; the system does this when memory runs out",
        11 => "segmentation fault",
        15 => "terminated",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({meaning})")
}
