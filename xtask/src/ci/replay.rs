//! Runs the commands of the software lanes as they stand in the workflow, on one kernel and the smallest pictures: what a
//! runner will be told has been told to this machine before.

use anyhow::{Context as _, Result};

use super::FOLDER;
use super::render::QUICK;
use super::workflow::Workflow;
use crate::failure::{DIFFERENT, Failure};
use crate::proc::{Proc, complaint};
use crate::workspace::Workspace;

/// The jobs, in the order in which they need each other.
const JOBS: [&str; 3] = [QUICK, "software", "software-merge"];
/// Where they write.
const OUTPUTS: &str = "target/isobit/ci";
/// What a matrix is narrowed to; enough cells for every shard.
const SELECTION: &str = "--kernels psnr --fixtures tiny_7x5 --depths 8,10";
/// The command that calls this one.
const CALLER: &str = "cargo xtask test";

/// Runs them; returns the exit code.
pub fn check(workspace: &Workspace) -> Result<u8> {
    let proc = Proc::new(&workspace.root)?;
    if !Proc::has("bash") {
        return Err(Failure::error(
            format!(
                "cannot run the commands of `{FOLDER}/ci.yml`: there is no `bash`, which runs them on every runner"
            ),
            "install `bash` with your package manager",
        ));
    }
    let outputs = workspace.root.join(OUTPUTS);
    // A runner starts with nothing: what an earlier call wrote must not stand in for what this one should.
    if outputs.exists() {
        fs_err::remove_dir_all(&outputs)?;
    }
    let page = tempfile::NamedTempFile::new()?;
    let workflow = Workflow::read(&workspace.root, "ci.yml")?;
    for name in JOBS {
        let job = workflow
            .jobs
            .get(name)
            .with_context(|| format!("`{FOLDER}/ci.yml` has no job `{name}`"))?;
        for line in job.lines() {
            let Some(line) = narrowed(&line) else { continue };
            let command = proc
                .cmd("bash")
                .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", line.as_str()]);
            let output = proc.output(command.env("GITHUB_STEP_SUMMARY", page.path()))?;
            if !output.status.success() {
                anstream::eprint!("{}", String::from_utf8_lossy(&output.stdout));
                anstream::eprintln!("job `{name}` fails here too: {}\n  {line}", complaint(&output));
                return Ok(DIFFERENT);
            }
        }
    }
    let shown = fs_err::metadata(page.path())?.len();
    anstream::println!(
        "jobs `{}` run here; {shown} bytes for the pages of their runs",
        JOBS.join("`, `")
    );
    Ok(0)
}

/// The line on a part of the matrix; none where it would call this very check.
fn narrowed(line: &str) -> Option<String> {
    if line == CALLER {
        return None;
    }
    let runs = line.starts_with("cargo xtask parity ") && !line.starts_with("cargo xtask parity merge ");
    Some(if runs {
        format!("{line} {SELECTION}")
    } else {
        line.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_runs_are_narrowed_and_the_caller_is_left_out() {
        assert_eq!(narrowed("cargo xtask test"), None);
        let run = narrowed("cargo xtask parity --matrix --shard 1/3").unwrap();
        assert!(
            run.starts_with("cargo xtask parity --matrix --shard 1/3 --kernels "),
            "{run}"
        );
        let merge = "cargo xtask parity merge a-*.json";
        assert_eq!(narrowed(merge).as_deref(), Some(merge));
    }
}
