//! `doctor`: one line a check, and for each failure the command that repairs it. Gathers facts; [`checks`] judges them.

mod checks;

use std::process::ExitCode;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::config::Config;

use crate::container;
use crate::elf::{self, Glibc};
use crate::failure;
use crate::proc::Proc;
use crate::provision::host::Places;
use crate::provision::icd::Icd;
use crate::provision::library::{self, LOADER, Search};
use crate::provision::{self, Name};
use crate::workspace::Workspace;
use checks::{Check, Installed};

/// Check this machine: loader, drivers, libraries, rights, disk and tools
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(workspace: &Workspace, _: &Args) -> Result<ExitCode> {
    let checks = gather(workspace)?;
    for check in &checks {
        anstream::println!("{check}");
    }
    let broken = checks.iter().any(Check::is_broken);
    Ok(ExitCode::from(if broken { failure::UNTRUSTED } else { 0 }))
}

fn gather(workspace: &Workspace) -> Result<Vec<Check>> {
    let proc = Proc::new(&workspace.root)?;
    let target = workspace.target()?;
    let runner = target.join("release/parity");
    let state = target.join("isobit");
    let search = Search::here(&proc)?;
    let places = Places::here();
    let loader = search.find(LOADER);
    let can_unpack = provision::can_unpack();

    let mut checks = vec![checks::loader(loader.as_deref(), can_unpack)];
    let installed = installed(&proc, &search, &places)?;
    checks.extend(installed.iter().map(checks::icd));
    for name in Name::ALL {
        let found = places.candidates(name);
        let usable = |icd: &Icd| {
            installed
                .iter()
                .any(|one| one.manifest == icd.path && one.library.is_ok())
        };
        let host = found.iter().find(|icd| usable(icd)).map(|icd| icd.path.as_path());
        let user = provision::unpacked(&state, name);
        checks.push(checks::driver(
            name,
            host.filter(|_| loader.is_some()),
            user.as_deref(),
            can_unpack,
        ));
    }

    let mut libraries: Vec<Utf8PathBuf> = installed.iter().filter_map(|one| one.library.clone().ok()).collect();
    libraries.extend(loader);
    libraries.extend(Some(runner.clone()).filter(|path| path.is_file()));
    for name in Name::ALL {
        libraries.extend(provision::unpacked(&state, name));
    }
    checks.push(checks::glibc(system_glibc(&proc)?, &required(&libraries)));
    checks.push(checks::architecture(&machines(&libraries)));
    checks.push(checks::rights(is_secure(), elevated(&runner)));
    checks.push(checks::disk(free(&proc, &target)?, &target));
    checks.extend(tools());
    checks.extend(containers(workspace, &proc));
    Ok(checks)
}

/// The manifests of every driver on this machine, and whether their libraries load.
fn installed(proc: &Proc, search: &Search, places: &Places) -> Result<Vec<Installed>> {
    let mut manifests = places.manifests();
    manifests.extend(places.browsers());
    let mut found = Vec::new();
    for manifest in manifests {
        let library = match Icd::read(&manifest) {
            Ok(icd) => library::inspect(proc, search, &icd.library, &[])?,
            Err(error) => Err(format!("{error:#}")),
        };
        found.push(Installed { manifest, library });
    }
    Ok(found)
}

/// The version of the system's glibc; `None` for another libc.
fn system_glibc(proc: &Proc) -> Result<Option<Glibc>> {
    if !Proc::has("ldd") {
        return Ok(None);
    }
    let output = proc.output(proc.cmd("ldd").arg("--version"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(checks::parse_ldd_version(&text))
}

fn required(libraries: &[Utf8PathBuf]) -> Vec<(Utf8PathBuf, Glibc)> {
    let need = |path: &Utf8PathBuf| Some((path.clone(), elf::required_glibc(path).ok()??));
    libraries.iter().filter_map(need).collect()
}

fn machines(libraries: &[Utf8PathBuf]) -> Vec<(Utf8PathBuf, elf::Machine)> {
    let machine = |path: &Utf8PathBuf| Some((path.clone(), elf::machine(path).ok()?));
    libraries.iter().filter_map(machine).collect()
}

/// Whether the kernel started this process in secure mode, in which the loader ignores its variables. A shell that gained
/// rights hands the mode on.
fn is_secure() -> bool {
    fs_err::read("/proc/self/auxv").is_ok_and(|auxv| checks::parse_secure(&auxv))
}

/// Whether the runner's file gives rights that its caller does not have.
#[cfg(unix)]
fn elevated(runner: &Utf8Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs_err::metadata(runner).is_ok_and(|metadata| metadata.permissions().mode() & 0o6000 != 0)
}

#[cfg(not(unix))]
fn elevated(_: &Utf8Path) -> bool {
    false
}

/// Bytes free where the target folder is, or will be.
fn free(proc: &Proc, target: &Utf8Path) -> Result<Option<u64>> {
    let Some(existing) = target.ancestors().find(|folder| folder.is_dir()) else {
        return Ok(None);
    };
    if !Proc::has("df") {
        return Ok(None);
    }
    let output = proc.output(proc.cmd("df").args(["-Pk", existing.as_str()]).env("LC_ALL", "C"))?;
    Ok(checks::parse_df(&String::from_utf8_lossy(&output.stdout)))
}

fn tools() -> Vec<Check> {
    let mut found = Vec::new();
    for tool in checks::TOOLS {
        let present = which::which(tool.program).ok();
        found.push(checks::tool(
            tool,
            present
                .and_then(|path| Utf8PathBuf::from_path_buf(path).ok())
                .as_deref(),
        ));
    }
    found
}

/// The containers; a configuration that cannot be read is told by every other command.
fn containers(workspace: &Workspace, proc: &Proc) -> Vec<Check> {
    let stock = Config::load(&workspace.root)
        .map_err(anyhow::Error::from)
        .and_then(|config| container::stock(workspace, proc, &config));
    checks::containers(&stock.unwrap_or_else(|error| Err(error.to_string())))
}
