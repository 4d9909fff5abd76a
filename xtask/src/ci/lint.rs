//! Lints the workflows, offline, with the linters that `ci/linters.txt` pins.

use anyhow::Result;

use super::FOLDER;
use crate::failure::DIFFERENT;
use crate::proc::Proc;
use crate::tools;
use crate::workspace::Workspace;

/// Runs both linters; returns the exit code.
pub fn check(workspace: &Workspace) -> Result<u8> {
    let linters = tools::linters(workspace)?;
    let proc = Proc::new(&workspace.root)?;
    // Without the checkers of other languages, which a machine may have or not: steps hold single commands.
    let syntax = proc
        .cmd(&linters.actionlint)
        .args(["-no-color", "-shellcheck=", "-pyflakes="]);
    let mut files: Vec<String> = Vec::new();
    for entry in workspace.root.join(FOLDER).read_dir_utf8()? {
        files.push(format!("{FOLDER}/{}", entry?.file_name()));
    }
    files.sort();
    let security = proc
        .cmd(&linters.zizmor)
        .args(["--offline", "--no-progress", "--no-config", "--quiet", FOLDER]);
    let clean = [proc.run(syntax.args(files))?, proc.run(security)?];
    Ok(if clean == [true; 2] { 0 } else { DIFFERENT })
}
