//! The only module that starts processes: the rest of the driver asks here, and gets errors that name the command.

mod logged;

use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use xshell::{Cmd, Shell};

#[cfg(not(unix))]
use crate::failure;
use crate::failure::Failure;
pub use logged::Ended;

/// Starts processes in one folder.
pub struct Proc {
    shell: Shell,
}

impl Proc {
    /// Processes start in `folder`.
    pub fn new(folder: &Utf8Path) -> Result<Self> {
        let shell = Shell::new().context("cannot find the current folder")?;
        shell.change_dir(folder);
        Ok(Self { shell })
    }

    /// A command that is not yet started.
    pub fn cmd(&self, program: impl AsRef<OsStr>) -> Cmd<'_> {
        self.shell.cmd(program.as_ref()).quiet()
    }

    /// Whether the program can be found.
    pub fn has(program: &str) -> bool {
        which::which(program).is_ok()
    }

    /// Standard output of a command that has to succeed; its errors pass through to the person.
    pub fn read(&self, command: Cmd<'_>) -> Result<String> {
        let name = command.to_string();
        let output = self.output(command)?;
        if !output.status.success() {
            bail!("`{name}` failed: {}", complaint(&output));
        }
        String::from_utf8(output.stdout).with_context(|| format!("`{name}` printed something that is not UTF-8"))
    }

    /// Everything that a command printed and how it ended, success or not.
    pub fn output(&self, command: Cmd<'_>) -> Result<Output> {
        let name = command.to_string();
        command
            .quiet()
            .ignore_status()
            .output()
            .with_context(|| format!("cannot run `{name}`"))
    }

    /// Runs a command on the person's own terminal; returns whether it succeeded.
    pub fn run(&self, command: Cmd<'_>) -> Result<bool> {
        let name = command.to_string();
        let status = Command::from(command)
            .status()
            .with_context(|| format!("cannot run `{name}`"))?;
        Ok(status.success())
    }

    /// Runs a command on the person's own terminal; returns its exit code, absent where a signal ended it.
    pub fn code(&self, command: Cmd<'_>) -> Result<Option<i32>> {
        let name = command.to_string();
        let status = Command::from(command)
            .status()
            .with_context(|| format!("cannot run `{name}`"))?;
        Ok(status.code())
    }

    /// Replaces this process by the command where the system can; elsewhere runs it and passes its exit code on.
    pub fn exec(&self, program: &Utf8Path, args: &[OsString]) -> Result<ExitCode> {
        self.exec_with(program, args, &[])
    }

    /// The same with variables set.
    pub fn exec_with(&self, program: &Utf8Path, args: &[OsString], set: &[(&str, &str)]) -> Result<ExitCode> {
        let mut command = Command::new(program);
        command.args(args).envs(set.iter().copied());
        become_(&mut command).with_context(|| format!("cannot run `{program}`"))
    }

    /// Builds packages in release form. Prints cargo's progress only when something has to be compiled.
    ///
    /// Returns the executables by name.
    pub fn cargo_build(&self, packages: &[&str]) -> Result<Vec<(String, Utf8PathBuf)>> {
        let mut command = self
            .cmd("cargo")
            .args(["build", "--release", "--message-format=json-render-diagnostics"]);
        for package in packages {
            command = command.args(["--package", package]);
        }
        let mut command = Command::from(command);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let mut child = command.spawn().context("cannot run `cargo build`")?;
        let stderr = child.stderr.take();
        let progress = std::thread::spawn(move || {
            let lines = stderr.into_iter().flat_map(|pipe| BufReader::new(pipe).lines());
            lines
                .map_while(Result::ok)
                .filter(|line| !line.contains("Finished"))
                .for_each(|line| anstream::eprintln!("{line}"));
        });
        let stdout = child.stdout.take();
        let lines = stdout.into_iter().flat_map(|pipe| BufReader::new(pipe).lines());
        let executables = lines
            .map_while(Result::ok)
            .filter_map(|line| executable(&line))
            .collect();
        let status = child.wait().context("cannot wait for `cargo build`")?;
        drop(progress.join());
        if !status.success() {
            let packages = packages.join(" -p ");
            return Err(Failure::error(
                format!("cannot build `{}`", packages.replace(" -p ", "`, `")),
                format!("cargo build --release -p {packages}"),
            ));
        }
        Ok(executables)
    }

    /// Runs a command with its output discarded and watches the memory of it and of its descendants.
    pub fn watch(&self, program: &Utf8Path, args: &[OsString]) -> Result<Watched> {
        let start = Instant::now();
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot run `{program}`"))?;
        let mut peak = None;
        let status = loop {
            if let Some(status) = child
                .try_wait()
                .with_context(|| format!("cannot wait for `{program}`"))?
            {
                break status;
            }
            peak = peak.max(memory::of_tree(child.id()));
            std::thread::sleep(Duration::from_millis(25));
        };
        Ok(Watched {
            code: status.code(),
            wall: start.elapsed(),
            peak_bytes: peak,
        })
    }
}

/// How a watched command ended.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// Its exit code; absent where a signal ended it.
    pub code: Option<i32>,
    /// From start to end.
    pub wall: Duration,
    /// The largest sum of resident memory of it and its descendants; absent where the system does not tell.
    pub peak_bytes: Option<u64>,
}

/// What a failed command said about itself: its last line that calls itself an error, or else its last line.
pub fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    last_error(&text).map_or_else(|| output.status.to_string(), str::to_owned)
}

/// The last line that calls itself an error, or else the last line.
pub fn last_error(text: &str) -> Option<&str> {
    let error = |line: &&str| line.starts_with("error: ") || line.starts_with("E: ");
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().rfind(error).or_else(|| lines().next_back())?;
    Some(line.trim_start_matches("error: ").trim_start_matches("E: "))
}

#[derive(Deserialize)]
struct Message {
    executable: Option<Utf8PathBuf>,
}

/// The executable that a line of cargo's JSON messages announces.
fn executable(line: &str) -> Option<(String, Utf8PathBuf)> {
    let path = serde_json::from_str::<Message>(line).ok()?.executable?;
    Some((path.file_stem()?.to_owned(), path))
}

#[cfg(unix)]
fn become_(command: &mut Command) -> std::io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn become_(command: &mut Command) -> std::io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(failure::UNTRUSTED)))
}

/// Resident memory of a process and its descendants, read from `/proc`.
mod memory {
    use std::collections::HashMap;

    /// Bytes; absent where there is no `/proc` or the process has ended.
    pub fn of_tree(root: u32) -> Option<u64> {
        let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
        for entry in fs_err::read_dir("/proc").ok()?.filter_map(Result::ok) {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            if let Some(parent) = parent(&fs_err::read_to_string(entry.path().join("stat")).unwrap_or_default()) {
                children.entry(parent).or_default().push(pid);
            }
        }
        let mut open = vec![root];
        let mut total = None;
        while let Some(pid) = open.pop() {
            let status = fs_err::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            if let Some(bytes) = resident(&status) {
                total = Some(total.unwrap_or(0) + bytes);
            }
            open.extend(children.get(&pid).into_iter().flatten());
        }
        total
    }

    /// The parent in a `stat` line; the command in parentheses may itself hold spaces and parentheses.
    pub fn parent(stat: &str) -> Option<u32> {
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    }

    /// `VmRSS` in a `status` file, in bytes.
    pub fn resident(status: &str) -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim()
            .strip_suffix("kB")?
            .trim()
            .parse::<u64>()
            .ok()
            .map(|kib| kib * 1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_is_found_behind_any_command_name() {
        assert_eq!(memory::parent("42 (a) b (c)) S 7 42 42 0"), Some(7));
        assert_eq!(memory::parent("42 truncated"), None);
    }

    #[test]
    fn resident_memory_is_in_bytes() {
        assert_eq!(memory::resident("Name:\tx\nVmRSS:\t    2048 kB\n"), Some(2 << 20));
        assert_eq!(memory::resident("Name:\tkthreadd\n"), None);
    }

    #[test]
    fn a_complaint_is_the_error_and_not_the_hint_behind_it() {
        assert_eq!(last_error("error: no device\nhint: do this\n"), Some("no device"));
        assert_eq!(last_error("W: old\nE: first\nE: no package\n"), Some("no package"));
        assert_eq!(
            last_error("dpkg-deb: error: no space\n\n"),
            Some("dpkg-deb: error: no space")
        );
        assert_eq!(last_error("\n"), None);
    }

    #[test]
    fn executables_are_read_from_cargos_messages() {
        let line = r#"{"reason":"compiler-artifact","executable":"/t/release/parity","fresh":true}"#;
        assert_eq!(
            executable(line),
            Some(("parity".to_owned(), "/t/release/parity".into()))
        );
        assert_eq!(executable(r#"{"reason":"compiler-artifact","executable":null}"#), None);
        assert_eq!(executable("not json"), None);
    }
}
