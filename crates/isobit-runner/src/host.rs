//! What is known of the machine and of the workspace's commit, for the report.

use std::process::Command;

use camino::Utf8Path;
use isobit_gate::report::Host;

/// The machine that runs this.
pub fn host() -> Host {
    Host {
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        cpu: cpu().unwrap_or_else(|| "unknown".to_owned()),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

#[cfg(target_os = "linux")]
fn cpu() -> Option<String> {
    let text = fs_err::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(target_os = "macos")]
fn cpu() -> Option<String> {
    stdout(Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]))
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn cpu() -> Option<String> {
    std::env::var("PROCESSOR_IDENTIFIER").ok()
}

/// The commit of the repository around `root`, `-dirty` appended where tracked files differ from it.
pub fn commit(root: &Utf8Path) -> Option<String> {
    let git = |args: &[&str]| stdout(Command::new("git").arg("-C").arg(root).args(args));
    let commit = git(&["rev-parse", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() {
        commit
    } else {
        format!("{commit}-dirty")
    })
}

fn stdout(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = output
        .status
        .success()
        .then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim().to_owned())
}
