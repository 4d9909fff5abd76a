//! The judgements of `doctor`: plain functions from facts to a line.

use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};

use isobit_gate::config::family;

use crate::container::Stock;
use crate::elf::{Glibc, Machine};
use crate::provision::Name;

/// Space that a first build and both drivers take.
const NEEDED_BYTES: u64 = 3 << 30;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    name: String,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// As it has to be.
    Good(String),
    /// Not as it has to be: what is wrong, and the command that repairs it.
    Broken { what: String, hint: String },
    /// Of no consequence for the lanes that run by default.
    Note(String),
}

impl Check {
    fn good(name: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            state: State::Good(what.into()),
        }
    }

    fn note(name: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            state: State::Note(what.into()),
        }
    }

    fn broken(name: impl Into<String>, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            state: State::Broken {
                what: what.into(),
                hint: hint.into(),
            },
        }
    }

    /// Whether something that is required is broken.
    pub fn is_broken(&self) -> bool {
        matches!(self.state, State::Broken { .. })
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.state {
            State::Good(what) => write!(f, "✓ {}: {what}", self.name),
            State::Note(what) => write!(f, "– {}: {what}", self.name),
            State::Broken { what, hint } => write!(f, "✗ {}: {what}\n  hint: {hint}", self.name),
        }
    }
}

/// A manifest on this machine, with its library or why that does not load.
#[derive(Clone, Debug)]
pub struct Installed {
    /// The manifest.
    pub manifest: Utf8PathBuf,
    /// The library, or a clause.
    pub library: Result<Utf8PathBuf, String>,
}

/// The Vulkan loader.
pub fn loader(found: Option<&Utf8Path>, can_unpack: bool) -> Check {
    match found {
        Some(path) => Check::good("loader", format!("`{path}`")),
        None if can_unpack => Check::note("loader", "not installed; one is unpacked with the drivers"),
        None => Check::broken(
            "loader",
            "the Vulkan loader is not installed",
            "install `vulkan-loader` with your package manager",
        ),
    }
}

/// One installed driver. Workers see only the driver of their lane, so a broken one of another kind does no harm.
pub fn icd(installed: &Installed) -> Check {
    let name = format!("driver manifest `{}`", installed.manifest);
    match &installed.library {
        Ok(library) => Check::good(name, format!("`{library}`")),
        Err(reason) => Check::note(name, format!("cannot be used: {reason}")),
    }
}

/// Whether a driver can be had: installed, unpacked, or unpackable.
pub fn driver(name: Name, host: Option<&Utf8Path>, user: Option<&Utf8Path>, can_unpack: bool) -> Check {
    let line = name.as_str();
    match (host, user) {
        (Some(manifest), _) => Check::good(line, format!("installed, `{manifest}`")),
        (None, Some(library)) => Check::good(line, format!("unpacked, `{library}`")),
        (None, None) if can_unpack => Check::note(
            line,
            format!("not here yet; `cargo xtask provision {line}` unpacks it without root"),
        ),
        (None, None) => {
            let package = match name {
                Name::Lavapipe => "`mesa-vulkan-drivers`",
                Name::Swiftshader => "a Chromium-family browser",
            };
            Check::broken(
                line,
                "not installed, and there is no apt to take it from",
                format!("install {package} with your package manager"),
            )
        }
    }
}

/// Whether the system's glibc is new enough for everything that is loaded into one process.
pub fn glibc(system: Option<Glibc>, required: &[(Utf8PathBuf, Glibc)]) -> Check {
    let Some(system) = system else {
        return Check::note("glibc", "this system's libc does not tell a glibc version");
    };
    let show = |(major, minor): Glibc| format!("{major}.{minor}");
    let newest = required.iter().max_by_key(|(_, version)| *version);
    match newest {
        Some((path, version)) if *version > system => Check::broken(
            "glibc",
            format!("`{path}` needs {}, this system has {}", show(*version), show(system)),
            "rm -r target/isobit/drivers && cargo xtask provision",
        ),
        Some((_, version)) => Check::good(
            "glibc",
            format!("{}, and at most {} is needed", show(system), show(*version)),
        ),
        None => Check::good("glibc", show(system)),
    }
}

/// Whether every library is built for this machine.
pub fn architecture(libraries: &[(Utf8PathBuf, Machine)]) -> Check {
    match libraries.iter().find(|(_, machine)| !machine.loads_here()) {
        Some((path, machine)) => Check::broken(
            "architecture",
            format!("`{path}` is built for {machine}, Isobit for {}", std::env::consts::ARCH),
            "rm -r target/isobit/drivers && cargo xtask provision",
        ),
        None => Check::good("architecture", format!("{} throughout", std::env::consts::ARCH)),
    }
}

/// Rights that make the loader ignore the variables that confine a worker to one driver. Being root is none of them.
pub fn rights(secure: bool, elevated_runner: bool) -> Check {
    if secure {
        return Check::broken(
            "rights",
            "this process runs in secure mode (setuid, setgid or capabilities), in which the loader ignores `VK_DRIVER_FILES`",
            "run cargo from an ordinary shell",
        );
    }
    if elevated_runner {
        return Check::broken(
            "rights",
            "the runner is setuid or setgid, so the loader ignores `VK_DRIVER_FILES`",
            "chmod ug-s target/release/parity",
        );
    }
    Check::good("rights", "none that would make the loader ignore `VK_DRIVER_FILES`")
}

/// Space where things are built.
pub fn disk(free: Option<u64>, target: &Utf8Path) -> Check {
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    match free {
        None => Check::note("disk", "the space that is free cannot be found out"),
        Some(free) if free < NEEDED_BYTES => Check::broken(
            "disk",
            format!(
                "{:.1} GiB free at `{target}`, a first build takes {:.0}",
                gib(free),
                gib(NEEDED_BYTES)
            ),
            "free some space, or set `CARGO_TARGET_DIR` to a larger disk",
        ),
        Some(free) => Check::good("disk", format!("{:.1} GiB free at `{target}`", gib(free))),
    }
}

/// A program that something here calls.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its file name.
    pub program: &'static str,
    /// What it is called for.
    pub purpose: &'static str,
    /// How to get it, where nothing works without.
    pub required: Option<&'static str>,
}

impl Tool {
    const fn optional(program: &'static str, purpose: &'static str) -> Self {
        Self {
            program,
            purpose,
            required: None,
        }
    }
}

/// The programs, in the order of the lines.
pub const TOOLS: &[Tool] = &[
    Tool {
        program: "cargo",
        purpose: "every build",
        required: Some("install Rust with `rustup`"),
    },
    Tool::optional("git", "naming the commit in reports"),
    Tool::optional("ldd", "checking libraries before they are loaded"),
    Tool::optional("apt-get", "drivers without root"),
    Tool::optional("dpkg-deb", "drivers without root"),
    Tool::optional("cargo-nextest", "faster tests (`cargo install cargo-nextest`)"),
    Tool::optional("nix", "environments in a closure"),
    Tool::optional("node", "the lane `dawn`, a second WebGPU implementation"),
    Tool::optional("npm", "the packages of the lane `dawn`"),
];

/// One program.
pub fn tool(tool: &Tool, found: Option<&Utf8Path>) -> Check {
    match (found, tool.required) {
        (Some(path), _) => Check::good(tool.program, format!("`{path}`")),
        (None, Some(hint)) => Check::broken(tool.program, format!("not found; it serves {}", tool.purpose), hint),
        (None, None) => Check::note(tool.program, format!("not found; it would serve {}", tool.purpose)),
    }
}

/// The container engine, and each lane that runs in a container.
pub fn containers(stock: &Result<Stock, String>) -> Vec<Check> {
    let stock = match stock {
        Ok(stock) => stock,
        // The hint stays: nothing is required here, and the line tells how to come by it.
        Err(reason) => return vec![Check::note("containers", reason.replace("\nhint: ", "; "))],
    };
    let lane = |(lane, packages): &(String, Option<Vec<String>>)| match packages {
        Some(packages) => Check::good(lane, packages.join(", ")),
        None => {
            let driver = family(lane);
            Check::note(
                lane,
                format!("no image yet; `cargo xtask provision {driver} --env docker` builds it"),
            )
        }
    };
    let engine = Check::good("containers", &stock.engine);
    std::iter::once(engine).chain(stock.lanes.iter().map(lane)).collect()
}

/// The version in the first line of `ldd --version`, where it is glibc's.
pub fn parse_ldd_version(text: &str) -> Option<Glibc> {
    let line = text
        .lines()
        .next()
        .filter(|line| line.contains("GLIBC") || line.contains("GNU libc"))?;
    crate::elf::parse_glibc(line.split_whitespace().next_back()?)
}

/// Available kibibytes in the second line of `df -Pk`, in bytes.
pub fn parse_df(text: &str) -> Option<u64> {
    let available = text.lines().nth(1)?.split_whitespace().nth(3)?;
    available.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// `AT_SECURE` in the auxiliary vector: pairs of native words.
pub fn parse_secure(auxv: &[u8]) -> bool {
    const AT_SECURE: usize = 23;
    let words: Vec<usize> = auxv
        .as_chunks()
        .0
        .iter()
        .map(|word| usize::from_ne_bytes(*word))
        .collect();
    words
        .as_chunks::<2>()
        .0
        .iter()
        .any(|&[key, value]| key == AT_SECURE && value != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(checks: &[Check]) -> String {
        checks.iter().map(|check| format!("{check}\n")).collect()
    }

    #[test]
    fn a_fresh_debian_machine_is_not_broken() {
        let checks = [
            loader(None, true),
            driver(Name::Lavapipe, None, None, true),
            glibc(Some((2, 36)), &[]),
            architecture(&[]),
            rights(false, false),
            disk(Some(80 << 30), Utf8Path::new("/t")),
            tool(&Tool::optional("node", "a second WebGPU implementation"), None),
        ];
        assert!(!checks.iter().any(Check::is_broken));
        insta::assert_snapshot!(lines(&checks).replace(std::env::consts::ARCH, "ARCH"));
    }

    #[test]
    fn each_broken_check_names_its_repair() {
        let checks = [
            loader(None, false),
            driver(Name::Swiftshader, None, None, false),
            glibc(
                Some((2, 36)),
                &[("/d/a.so".into(), (2, 4)), ("/d/b.so".into(), (2, 38))],
            ),
            rights(true, false),
            rights(false, true),
            disk(Some(1 << 30), Utf8Path::new("/t")),
            tool(&TOOLS[0], None),
        ];
        assert!(checks.iter().all(Check::is_broken));
        insta::assert_snapshot!(lines(&checks));
    }

    #[test]
    fn an_installed_driver_that_does_not_load_is_told_but_harmless() {
        let check = icd(&Installed {
            manifest: "/i/radeon_icd.json".into(),
            library: Err("its library `/l/x.so` lacks `libLLVM-15.so.1`".to_owned()),
        });
        assert!(!check.is_broken());
        assert!(check.to_string().contains("libLLVM-15.so.1"));
    }

    #[test]
    fn containers_are_told_and_never_required() {
        let stopped = containers(&Err("it does not answer\nhint: start it".to_owned()));
        let packages = vec!["libc6=2.41-12".to_owned(), "mesa-vulkan-drivers=25.0.7-2".to_owned()];
        let lanes = vec![
            ("lavapipe@bookworm".to_owned(), None),
            ("lavapipe@trixie".to_owned(), Some(packages)),
        ];
        let running = containers(&Ok(Stock {
            engine: "docker 28.2.2".to_owned(),
            lanes,
        }));
        let checks = [stopped, running].concat();
        assert!(!checks.iter().any(Check::is_broken));
        insta::assert_snapshot!(lines(&checks));
    }

    #[test]
    fn the_systems_answers_are_read() {
        assert_eq!(
            parse_ldd_version("ldd (Debian GLIBC 2.36-9+deb12u14) 2.36\nCopyright"),
            Some((2, 36))
        );
        assert_eq!(parse_ldd_version("ldd (GNU libc) 2.41"), Some((2, 41)));
        assert_eq!(parse_ldd_version("musl libc (x86_64)\nVersion 1.2.5"), None);
        let df = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/a 100 40 60 40% /\n";
        assert_eq!(parse_df(df), Some(60 * 1024));
        assert_eq!(parse_df("df: no such file\n"), None);
    }

    #[test]
    fn secure_mode_is_read_from_the_auxiliary_vector() {
        let vector = |secure: usize| -> Vec<u8> {
            [6, 4096, 23, secure, 0, 0]
                .into_iter()
                .flat_map(usize::to_ne_bytes)
                .collect()
        };
        assert!(parse_secure(&vector(1)));
        assert!(!parse_secure(&vector(0)));
        assert!(!parse_secure(&[]));
    }
}
