//! Packages of a Debian or Ubuntu system without root: the system's sources and keys, and a state folder of our own.
//! Signatures and hashes are verified by apt itself; nothing is installed.

use std::process::Output;

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use xshell::Cmd;

use super::receipt::Package;
use crate::drift;
use crate::failure::{self, Failure};
use crate::proc::{Proc, complaint};

/// Settings of the system that are carried over: how mirrors are reached. Hooks, languages and indexes are not.
const CARRIED: [&str; 7] = [
    "Acquire::http",
    "Acquire::ftp",
    "Acquire::Proxy",
    "Acquire::Retries",
    "Acquire::ForceIPv",
    "Acquire::Check-",
    "APT::Architecture",
];

/// A package manager with a state of its own.
pub struct Apt<'a> {
    proc: &'a Proc,
    folder: Utf8PathBuf,
    /// Held as long as the state may change.
    _lock: fs_err::File,
}

impl<'a> Apt<'a> {
    /// Prepares the state folder. Partial downloads of an earlier call are kept and resumed.
    ///
    /// # Errors
    ///
    /// Returns an error where there is no apt or the folder cannot be written.
    pub fn open(proc: &'a Proc, folder: Utf8PathBuf) -> Result<Self> {
        for below in ["lists/partial", "archives/partial", "none"] {
            fs_err::create_dir_all(folder.join(below))?;
        }
        let lock = fs_err::File::create(folder.join(".lock"))?;
        lock.file().lock().context("cannot lock the folder of packages")?;
        let system = proc.read(proc.cmd("apt-config").arg("dump"))?;
        drift::write(&folder.join("apt.conf"), &configuration(&folder, &system))?;
        Ok(Self {
            proc,
            folder,
            _lock: lock,
        })
    }

    /// Whether this system has what is needed.
    pub fn exists() -> bool {
        ["apt-get", "apt-config", "apt-cache", "dpkg-deb"]
            .into_iter()
            .all(Proc::has)
    }

    /// Fetches the lists of packages that changed.
    pub fn update(&self) -> Result<()> {
        let output = self.proc.output(self.cmd("apt-get").args(["-qq", "update"]))?;
        self.succeeded(
            &output,
            "cannot fetch the lists of packages",
            "check the network, and try: apt-get update",
        )?;
        if !output.stderr.is_empty() {
            // Where a source cannot be reached apt warns and goes on with the lists it has, and so do we.
            anstream::eprintln!("apt: {}", complaint(&output));
        }
        Ok(())
    }

    /// The packages that `names` need on top of what is installed; never libc, which belongs to the system.
    pub fn missing(&self, names: &[&str]) -> Result<Vec<Package>> {
        let command = self
            .cmd("apt-get")
            .args(["--simulate", "--reinstall", "--no-install-recommends", "install"]);
        let output = self.proc.output(command.args(names))?;
        let what = format!("cannot resolve the packages `{}`", names.join("`, `"));
        self.succeeded(
            &output,
            &what,
            &format!("apt-get install --simulate {}", names.join(" ")),
        )?;
        let packages = parse_simulation(&String::from_utf8_lossy(&output.stdout));
        Ok(packages.into_iter().filter(is_wanted).collect())
    }

    /// The newest package of that name in the system's sources, whatever it depends on.
    pub fn newest(&self, name: &str) -> Result<Option<Package>> {
        let output = self
            .proc
            .output(self.cmd("apt-cache").args(["show", "--no-all-versions", name]))?;
        Ok(parse_record(&String::from_utf8_lossy(&output.stdout)).filter(|package| package.name == name))
    }

    /// Downloads packages, verified; those that are here already are verified and kept. Returns the archives.
    pub fn fetch(&self, packages: &[Package]) -> Result<Vec<Utf8PathBuf>> {
        let archives = self.folder.join("archives");
        let proc = Proc::new(&archives)?;
        let names = packages.iter().map(Package::request);
        let command = proc
            .cmd("apt-get")
            .env("APT_CONFIG", self.configuration())
            .env("LC_ALL", "C");
        let output = proc.output(command.args(["-qq", "download"]).args(names))?;
        self.succeeded(
            &output,
            "cannot download packages",
            "check the network, and run it again: what is already here is kept",
        )?;
        let paths: Vec<_> = packages
            .iter()
            .map(|package| archives.join(package.archive()))
            .collect();
        if let Some(absent) = paths.iter().find(|path| !path.is_file()) {
            return Err(Failure::error(
                format!("apt reported success but `{absent}` is not there"),
                format!("rm -r {} and run the command again", self.folder),
            ));
        }
        Ok(paths)
    }

    /// Unpacks an archive into a folder, without running anything that it contains.
    pub fn unpack(&self, archive: &Utf8Path, folder: &Utf8Path) -> Result<()> {
        let output = self
            .proc
            .output(self.proc.cmd("dpkg-deb").arg("--extract").arg(archive).arg(folder))?;
        let hint = format!("rm {archive} and run the command again");
        self.succeeded(&output, &format!("cannot unpack `{archive}`"), &hint)
    }

    fn configuration(&self) -> Utf8PathBuf {
        self.folder.join("apt.conf")
    }

    fn cmd(&self, program: &str) -> Cmd<'a> {
        self.proc
            .cmd(program)
            .env("APT_CONFIG", self.configuration())
            .env("LC_ALL", "C")
    }

    fn succeeded(&self, output: &Output, what: &str, hint: &str) -> Result<()> {
        if output.status.success() {
            return Ok(());
        }
        // Neither apt nor dpkg-deb ends with the cause: the last line is often about what could then not be parsed.
        if String::from_utf8_lossy(&output.stderr).contains("No space left on device") {
            return Err(failure::disk_full(&format!("{what} at `{}`", self.folder)));
        }
        Err(Failure::error(format!("{what}: {}", complaint(output)), hint))
    }
}

impl Package {
    /// How apt is asked for exactly this package.
    fn request(&self) -> String {
        match self.architecture.as_str() {
            "all" => format!("{}={}", self.name, self.version),
            architecture => format!("{}:{architecture}={}", self.name, self.version),
        }
    }

    /// The name of its archive.
    fn archive(&self) -> String {
        let version = self.version.replace(':', "%3a");
        format!("{}_{version}_{}.deb", self.name, self.architecture)
    }
}

/// Configuration that keeps all state in `folder`. The system's own files are not read, so its hooks do not run; of its
/// settings, printed by `apt-config dump`, those that tell how to reach the mirrors are repeated.
fn configuration(folder: &Utf8Path, system: &str) -> String {
    let carried = system
        .lines()
        .filter(|line| CARRIED.iter().any(|key| line.starts_with(key)));
    let mut text: String = carried.map(|line| format!("{line}\n")).collect();
    let own = [
        ("Dir::Etc::main", "/dev/null".to_owned()),
        ("Dir::Etc::parts", folder.join("none").to_string()),
        ("Dir::State", folder.to_string()),
        ("Dir::State::lists", folder.join("lists").to_string()),
        ("Dir::State::status", status(system)),
        ("Dir::Cache", folder.to_string()),
        ("Dir::Cache::archives", folder.join("archives").to_string()),
        ("Dir::Log", folder.to_string()),
        // As root apt would drop to a user that cannot reach this folder, and warn about it.
        ("APT::Sandbox::User", "root".to_owned()),
        ("APT::Get::Assume-Yes", "true".to_owned()),
        ("Acquire::Languages", "none".to_owned()),
        // The locks are those of the system's own state, which is only read here.
        ("Debug::NoLocking", "true".to_owned()),
    ];
    for (key, value) in own {
        text.push_str(&format!("{key} \"{value}\";\n"));
    }
    text
}

/// The system's list of installed packages.
fn status(system: &str) -> String {
    let value = system
        .lines()
        .find_map(|line| line.strip_prefix("Dir::State::status \"")?.strip_suffix("\";"));
    let value = value.filter(|value| value.starts_with('/'));
    value.unwrap_or("/var/lib/dpkg/status").to_owned()
}

/// The packages that a simulated installation would unpack.
fn parse_simulation(text: &str) -> Vec<Package> {
    let package = |line: &str| {
        let rest = line.strip_prefix("Inst ")?;
        let (name, rest) = rest.split_once(' ')?;
        let inside = rest.split_once('(')?.1.split_once(')')?.0;
        let version = inside.split_whitespace().next()?;
        let architecture = inside.rsplit_once('[')?.1.strip_suffix(']')?;
        Some(Package {
            name: name.split(':').next().unwrap_or(name).to_owned(),
            version: version.to_owned(),
            architecture: architecture.to_owned(),
        })
    };
    text.lines().filter_map(package).collect()
}

/// The first record that `apt-cache show` prints.
fn parse_record(text: &str) -> Option<Package> {
    let record = text.split("\n\n").next()?;
    let field = |name: &str| {
        let line = record
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.map(|value| value.trim().to_owned())
    };
    Some(Package {
        name: field("Package")?,
        version: field("Version")?,
        architecture: field("Architecture")?,
    })
}

/// Neither libc, which must be the one of the programs that run here, nor headers.
fn is_wanted(package: &Package) -> bool {
    let libc = ["libc6", "libc-bin", "libc-l10n", "libc-dev-bin", "locales"];
    !libc.contains(&package.name.as_str()) && !package.name.starts_with("libc6-") && !package.name.ends_with("-dev")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIMULATION: &str = "NOTE: This is only a simulation!\n\
        Inst libc6 [2.36-9] (2.36-10 Debian:12/stable [amd64]) []\n\
        Inst libgbm1 [22.3.6-1+deb12u1] (22.3.6-1+deb12u2 Debian:12.15/oldstable [amd64]) []\n\
        Inst libdrm-common (2.4.114-1 Debian:12.15/oldstable [all])\n\
        Inst libfoo:i386 (1:2.0-1 Debian:12.15/oldstable, Debian-Security:12/stable [i386])\n\
        Conf libgbm1 (22.3.6-1+deb12u2 Debian:12.15/oldstable [amd64])\n";

    fn package(name: &str, version: &str, architecture: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            architecture: architecture.to_owned(),
        }
    }

    #[test]
    fn a_simulation_lists_what_is_missing_but_never_libc() {
        let packages: Vec<_> = parse_simulation(SIMULATION).into_iter().filter(is_wanted).collect();
        assert_eq!(
            packages,
            [
                package("libgbm1", "22.3.6-1+deb12u2", "amd64"),
                package("libdrm-common", "2.4.114-1", "all"),
                package("libfoo", "1:2.0-1", "i386"),
            ]
        );
    }

    #[test]
    fn requests_and_archives_follow_the_distributions_names() {
        let package = package("libfoo", "1:2.0-1", "arm64");
        assert_eq!(package.request(), "libfoo:arm64=1:2.0-1");
        assert_eq!(package.archive(), "libfoo_1%3a2.0-1_arm64.deb");
    }

    #[test]
    fn a_record_is_read_and_anything_else_is_none() {
        let text =
            "Package: chromium-common\nSource: chromium\nVersion: 1.2-3\nArchitecture: amd64\n\nPackage: other\n";
        assert_eq!(parse_record(text), Some(package("chromium-common", "1.2-3", "amd64")));
        assert_eq!(parse_record("N: no packages found\n"), None);
    }

    #[test]
    fn mirrors_are_reached_as_the_system_does_and_hooks_stay_behind() {
        let system = "Acquire::http::Proxy \"http://proxy:3128/\";\n\
                      APT::Update::Post-Invoke:: \"rm -f /var/cache/apt/archives/*.deb\";\n\
                      APT::Architectures:: \"amd64\";\n\
                      Acquire::AllowInsecureRepositories \"1\";\n\
                      Dir::State::status \"/var/lib/dpkg/status\";\n";
        let text = configuration(Utf8Path::new("/t/apt"), system);
        assert!(text.contains("Acquire::http::Proxy"));
        assert!(text.contains("APT::Architectures:: \"amd64\""));
        assert!(!text.contains("Post-Invoke"));
        assert!(!text.contains("AllowInsecure"), "verification is never loosened");
        assert!(text.contains("Dir::State::lists \"/t/apt/lists\";\n"));
        assert!(text.contains("Dir::State::status \"/var/lib/dpkg/status\";\n"));
    }
}
