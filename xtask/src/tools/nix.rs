//! Nix for evaluations: that of the machine, or the distribution's, unpacked and never installed. Either way with a store of
//! its own, so that no daemon, no root and no network is needed.

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use xshell::Cmd;

use super::Tools;
use super::python::libraries;
use crate::failure::Failure;
use crate::proc::Proc;
use crate::provision::apt::Apt;
use crate::workspace::Workspace;

/// What an evaluation needs, and nothing of the machine's own settings.
const SETTINGS: &str = "experimental-features = nix-command flakes\n\
                        build-users-group =\n\
                        sandbox = false\n\
                        substitute = false\n\
                        flake-registry =\n\
                        warn-dirty = false\n";

/// How Nix is started.
pub struct Nix {
    program: Utf8PathBuf,
    /// The folder of its store, state and caches.
    state: Utf8PathBuf,
    /// Folders of its libraries; empty for an installed one.
    libraries: String,
}

impl Nix {
    /// A call of it, its arguments still to come.
    pub fn command<'a>(&self, proc: &'a Proc) -> Cmd<'a> {
        let mut command = proc
            .cmd(&self.program)
            .env("NIX_CONFIG", SETTINGS)
            .env("NIX_REMOTE", "local");
        for (variable, folder) in [
            ("NIX_STORE_DIR", "store"),
            ("NIX_STATE_DIR", "var"),
            ("NIX_LOG_DIR", "log"),
            ("NIX_CONF_DIR", "etc"),
            ("XDG_CONFIG_HOME", "etc"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command = command.env(variable, self.state.join(folder));
        }
        if !self.libraries.is_empty() {
            command = command.env("LD_LIBRARY_PATH", &self.libraries);
        }
        command
    }
}

/// A Nix that evaluates.
///
/// # Errors
///
/// Returns an error where there is none and no apt to take one from.
pub fn nix(workspace: &Workspace) -> Result<Nix> {
    let tools = Tools::open(workspace)?;
    let state = tools.folder.join("nix-state");
    let installed = which::which("nix")
        .ok()
        .and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
    if let Some(program) = installed {
        return Ok(Nix {
            program,
            state,
            libraries: String::new(),
        });
    }
    if !Apt::exists() {
        return Err(Failure::error(
            "the flake is checked by evaluating it, and this machine has neither Nix nor an apt to take it from",
            "install Nix, and run the command again",
        ));
    }
    let root = tools.folder("nix", "nix-bin", |folder| {
        anstream::eprintln!("flake: unpacking Nix from the distribution's packages (no root needed)");
        unpack(workspace, folder)
    })?;
    Ok(Nix {
        program: root.join("usr/bin/nix"),
        state,
        // Nix finds its own libraries by a path that holds only once they are installed.
        libraries: format!("{}:{}", root.join("usr/lib/nix"), libraries(&root)?),
    })
}

fn unpack(workspace: &Workspace, folder: &Utf8Path) -> Result<()> {
    let proc = Proc::new(&workspace.root)?;
    let apt = Apt::open(&proc, workspace.state()?.join("apt"))?;
    apt.update()?;
    let packages = apt.missing(&["nix-bin"])?;
    for archive in apt.fetch(&packages)? {
        apt.unpack(&archive, folder)?;
    }
    Ok(())
}
