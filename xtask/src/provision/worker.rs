//! Workers that are Node programs: whether this machine can start them, and their packages, installed once for each lock file.

use anyhow::Result;
use camino::Utf8Path;
use isobit_gate::config::Program;

use crate::drift;
use crate::failure::Failure;
use crate::proc::Proc;

/// The oldest Node that workers are written for; that of Debian bookworm.
const OLDEST: u32 = 18;
/// The lock file that packages are installed from.
const LOCK: &str = "package-lock.json";
/// The folder of a package that npm fills.
const MODULES: &str = "node_modules";
/// The copy of the lock file that says what that folder was filled from. npm clears the folder first, and the copy with it.
const MARK: &str = ".isobit-lock.json";
/// What repairs a machine that cannot start a worker.
const HINT: &str = "install Node.js 18 or newer with npm (Debian: `apt-get install nodejs npm`)";

/// Makes `program` of the workspace at `root` ready to be started; the inner error is why this machine cannot run it.
///
/// # Errors
///
/// Returns an error where npm does not install what the lock file names.
pub fn provide(proc: &Proc, root: &Utf8Path, program: &Program) -> Result<std::result::Result<(), String>> {
    let folder = root.join(&program.package);
    let lock = fs_err::read_to_string(folder.join(LOCK))?;
    let mark = folder.join(MODULES).join(MARK);
    let installed = fs_err::read_to_string(&mark).is_ok_and(|found| found == lock);
    let machine = Machine {
        node: version(proc)?,
        npm: Proc::has("npm"),
    };
    if let Some(reason) = machine.lacks(installed) {
        return Ok(Err(format!("{reason}\nhint: {HINT}")));
    }
    if !installed {
        install(proc, &folder, &program.package)?;
        drift::write(&mark, &lock)?;
    }
    Ok(Ok(()))
}

/// What `node --version` prints; absent where there is no Node that starts.
fn version(proc: &Proc) -> Result<Option<String>> {
    if !Proc::has("node") {
        return Ok(None);
    }
    let output = proc.output(proc.cmd("node").arg("--version"))?;
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(output.status.success().then_some(printed))
}

/// No program of a package runs while it is installed: what workers need is in their files.
fn install(proc: &Proc, folder: &Utf8Path, name: &Utf8Path) -> Result<()> {
    anstream::eprintln!("{name}: installing what `{name}/{LOCK}` names");
    let command = proc
        .cmd("npm")
        .args(["ci", "--prefix", folder.as_str(), "--ignore-scripts", "--no-audit"])
        .args(["--no-fund", "--no-update-notifier"]);
    let output = proc.output(command)?;
    if output.status.success() {
        return Ok(());
    }
    let said = complaint(&String::from_utf8_lossy(&output.stderr)).unwrap_or_else(|| output.status.to_string());
    Err(Failure::error(
        format!("cannot install the packages that `{name}/{LOCK}` names: {said}"),
        "check the network or npm's `registry`, or name the other lanes: cargo xtask parity --lanes lavapipe,swiftshader",
    ))
}

/// What npm said first that is a sentence; codes and the path of its log surround it.
fn complaint(stderr: &str) -> Option<String> {
    let errors = stderr.lines().filter_map(|line| {
        line.strip_prefix("npm error ")
            .or_else(|| line.strip_prefix("npm ERR! "))
    });
    let code = |line: &str| {
        ["code ", "errno ", "syscall "]
            .iter()
            .any(|word| line.starts_with(word))
    };
    errors
        .map(str::trim)
        .find(|line| !line.is_empty() && !code(line))
        .map(str::to_owned)
}

/// What there is of Node on a machine.
struct Machine {
    /// The version of Node; absent where there is none that starts.
    node: Option<String>,
    /// Whether there is an npm.
    npm: bool,
}

impl Machine {
    /// What it lacks to start a worker whose packages are `installed` or not.
    fn lacks(&self, installed: bool) -> Option<String> {
        let Some(version) = self.node.as_deref() else {
            return Some("this machine has no working `node` to run the lane's worker".to_owned());
        };
        if major(version).is_none_or(|major| major < OLDEST) {
            return Some(format!(
                "`node` is {version}, and the lane's worker needs {OLDEST} or newer"
            ));
        }
        (!installed && !self.npm)
            .then(|| "this machine has no `npm` to install the packages of the lane's worker".to_owned())
    }
}

/// The first number of a version such as `v18.20.4`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacks(node: Option<&str>, npm: bool, installed: bool) -> Option<String> {
        let node = node.map(str::to_owned);
        Machine { node, npm }.lacks(installed)
    }

    #[test]
    fn a_machine_is_told_what_it_lacks_and_npm_is_needed_once() {
        assert_eq!(lacks(Some("v18.20.4"), true, false), None);
        assert_eq!(lacks(Some("v22.1.0"), false, true), None);
        let said = |node, npm| lacks(node, npm, false).unwrap();
        assert!(said(None, true).contains("no working `node`"));
        assert!(said(Some("v16.20.2"), true).contains("`node` is v16.20.2"));
        assert!(said(Some("20"), true).contains("18 or newer"));
        assert!(said(Some("v18.20.4"), false).contains("no `npm`"));
    }

    #[test]
    fn of_npms_errors_the_sentence_is_shown() {
        let newer = "npm warn x\nnpm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND\n\
                     npm error network request to the registry failed\nnpm error A complete log is elsewhere\n";
        assert_eq!(complaint(newer).unwrap(), "network request to the registry failed");
        assert_eq!(
            complaint("npm ERR! code E404\nnpm ERR! 404 Not Found\n").unwrap(),
            "404 Not Found"
        );
        assert_eq!(complaint("killed\n"), None);
    }

    #[test]
    fn packages_that_are_installed_from_this_lock_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        fs_err::create_dir_all(root.join("p").join(MODULES)).unwrap();
        // npm would refuse this lock file: it is not even JSON.
        fs_err::write(root.join("p").join(LOCK), "same").unwrap();
        fs_err::write(root.join("p").join(MODULES).join(MARK), "same").unwrap();
        let program = Program {
            package: "p".into(),
            main: "main.mjs".into(),
        };
        let provided = provide(&Proc::new(root).unwrap(), root, &program).unwrap();
        match provided {
            Ok(()) => assert!(Proc::has("node")),
            Err(reason) => assert!(reason.contains("`node`") && reason.contains("\nhint: "), "{reason}"),
        }
    }
}
