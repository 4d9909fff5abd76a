//! Long commands whose output goes to a file, and that Ctrl-C ends together with this program, in that order: what they
//! leave behind can still be cleared.

use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use camino::Utf8Path;
use xshell::Cmd;

use super::Proc;

/// How long a command may take to end by itself: the terminal interrupts it too.
const GRACE: Duration = Duration::from_secs(5);

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// How a logged command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It did what it was asked.
    Well,
    /// It failed; its log says why.
    Badly,
    /// The person, or the system, ended it.
    Interrupted,
}

/// Whether a command runs that Ctrl-C has to end first.
static GUARDED: AtomicBool = AtomicBool::new(false);
/// Whether Ctrl-C was pressed meanwhile.
static STOP: AtomicBool = AtomicBool::new(false);

impl Proc {
    /// Runs a command with its output in the file `log`, which is made anew.
    pub fn logged(&self, command: Cmd<'_>, log: &Utf8Path) -> Result<Ended> {
        static HANDLER: OnceLock<Result<(), ctrlc::Error>> = OnceLock::new();
        let installed = HANDLER.get_or_init(|| ctrlc::set_handler(interrupt));
        if let Err(error) = installed {
            anyhow::bail!("cannot install the handler of Ctrl-C: {error}");
        }
        let name = command.to_string();
        let output = fs_err::File::create(log)?.into_file();
        let errors = output
            .try_clone()
            .with_context(|| format!("cannot open `{log}` twice"))?;
        GUARDED.store(true, Ordering::SeqCst);
        let ended = Command::from(command)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .with_context(|| format!("cannot run `{name}`"))
            .and_then(|child| wait(child).with_context(|| format!("cannot wait for `{name}`")));
        GUARDED.store(false, Ordering::SeqCst);
        ended
    }
}

fn interrupt() {
    if !GUARDED.load(Ordering::SeqCst) {
        std::process::exit(INTERRUPTED);
    }
    STOP.store(true, Ordering::SeqCst);
}

fn wait(mut child: Child) -> std::io::Result<Ended> {
    let mut deadline = None;
    loop {
        let stopped = STOP.load(Ordering::SeqCst);
        if let Some(status) = child.try_wait()? {
            let interrupted = stopped || matches!(status.code(), None | Some(INTERRUPTED));
            return Ok(match (status.success(), interrupted) {
                (true, false) => Ended::Well,
                (_, true) => Ended::Interrupted,
                (false, false) => Ended::Badly,
            });
        }
        if stopped && Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + GRACE) {
            child.kill()?;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn ended(script: &str) -> (Ended, String) {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let proc = Proc::new(folder).unwrap();
        let log = folder.join("log");
        let ended = proc.logged(proc.cmd("sh").args(["-c", script]), &log).unwrap();
        (ended, fs_err::read_to_string(log).unwrap())
    }

    #[test]
    fn both_streams_are_logged_and_the_end_is_told() {
        assert_eq!(ended("echo out; echo err >&2"), (Ended::Well, "out\nerr\n".to_owned()));
        assert_eq!(ended("exit 7").0, Ended::Badly);
        assert_eq!(ended("kill -TERM $$").0, Ended::Interrupted);
        assert_eq!(ended("exit 130").0, Ended::Interrupted);
    }
}
