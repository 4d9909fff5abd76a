//! The runner that goes into the images: this machine's where it loads there, or else one that is built in a container of
//! the oldest release. One build serves every image.

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::config::Release;
use sha2::{Digest as _, Sha256};

use super::Workshop;
use super::image::{Ready, Recipe};
use crate::build;
use crate::elf::{self, Glibc};
use crate::failure::Failure;

/// Names an image with cargo and a linker of its own to build in.
const CHOICE: &str = "ISOBIT_BUILDER";

/// A runner, and the hash of its file.
pub struct Runner {
    path: Utf8PathBuf,
    hash: String,
}

impl Runner {
    fn of(path: Utf8PathBuf) -> Result<Self> {
        let hash = format!("{:x}", Sha256::digest(fs_err::read(&path)?));
        Ok(Self { path, hash })
    }
}

impl Workshop<'_> {
    /// A runner that loads in all of `images`; `host` is this machine's own.
    pub fn runner(&self, host: &Utf8Path, images: &[(&Release, Ready)]) -> Result<Runner> {
        let required = match cfg!(target_os = "linux") {
            true => Some(elf::required_glibc(host)?.unwrap_or_default()),
            false => None,
        };
        let misfit = images.iter().find_map(|(_, ready)| misfit(required, ready));
        let Some(reason) = misfit else {
            return Runner::of(host.to_owned());
        };
        anstream::eprintln!("containers: {reason}, so a runner is built in a container");
        let oldest = images.iter().min_by_key(|(_, ready)| ready.glibc());
        let (release, _) = oldest.context("there is no image to build a runner for")?;
        Runner::of(self.build_runner(release)?)
    }

    /// Puts the runner on top of `image`; returns the name of the result.
    pub fn seat(&self, runner: &Runner, lane: &str, ready: &Ready) -> Result<(String, bool)> {
        let both = Sha256::digest(format!("{} {}", ready.image.id, runner.hash));
        let hash = format!("{both:x}");
        let name = format!("{}-{}", ready.image.name, &hash[..12]);
        if self.engine.image(&name)?.is_some() {
            return Ok((name, false));
        }
        let line = "COPY parity /usr/local/bin/parity";
        self.layer(&ready.image.name, line, Some(&runner.path), &name, &[])?;
        // Another checkout may be at work with its own runner, so only this one's last image goes.
        let note = self.folder.join(format!("{lane}.image"));
        if let Ok(last) = fs_err::read_to_string(&note) {
            self.engine.forget(last.trim())?;
        }
        fs_err::write(note, &name)?;
        Ok((name, true))
    }

    /// Builds the runner in a container of `release`. What cargo has downloaded is this machine's, and what it has compiled
    /// stays, so that a second build compiles only what changed.
    fn build_runner(&self, release: &Release) -> Result<Utf8PathBuf> {
        let chosen = std::env::var(CHOICE).ok().filter(|image| !image.is_empty());
        let (image, toolchain) = match chosen {
            Some(image) => (image, None),
            None => (self.builder(release)?, Some(self.toolchain()?)),
        };
        let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let fetch = self.proc.cmd("cargo").args(["fetch", "--locked", "--target", &triple]);
        self.proc.read(fetch)?;

        let root = self.workspace.root.as_str();
        let target = self.folder.join("target");
        fs_err::create_dir_all(&target)?;
        let registry = cargo_home()?;
        let mut command = self
            .engine
            .cmd()
            .args(["run", "--rm", "--network=none", "--security-opt=label=disable"])
            .arg(format!("--volume={root}:{root}:ro"))
            .arg(format!("--volume={target}:{target}"))
            .arg(format!("--volume={registry}:{registry}"))
            .args(["--workdir", root, "--env", "HOME=/tmp"])
            .arg(format!("--env=CARGO_HOME={registry}"))
            .arg(format!("--env=CARGO_TARGET_DIR={target}"));
        command = match self.engine.is_podman() {
            true => command.arg("--userns=keep-id"),
            false => command.arg(format!("--user={}", self.user()?)),
        };
        if let Some(toolchain) = toolchain {
            command = command
                .arg(format!("--volume={toolchain}:{toolchain}:ro"))
                .arg(format!("--env=PATH={toolchain}/bin:/usr/bin:/bin"));
        }
        let cargo = [
            "cargo",
            "build",
            "--release",
            "--locked",
            "--offline",
            "--package",
            build::RUNNER,
        ];
        let log = self.log("runner");
        anstream::eprintln!("containers: building the runner in `{image}`, log in `{log}`");
        let what = format!("cannot build the runner in `{image}`");
        self.logged(command.arg(&image).args(cargo), &log, &what)?;
        Ok(target.join("release/parity"))
    }

    fn builder(&self, release: &Release) -> Result<String> {
        let recipe = Recipe {
            what: "builder",
            release,
        };
        Ok(self.provide(&recipe)?.image.name)
    }

    /// This machine's Rust, which runs in the container too where both are Linux.
    fn toolchain(&self) -> Result<String> {
        if cfg!(not(target_os = "linux")) {
            return Err(Failure::error(
                "this machine's Rust toolchain does not run in a container",
                format!("name an image that brings one: {CHOICE}=rust:slim-bookworm cargo xtask parity --env docker"),
            ));
        }
        let sysroot = self.proc.read(self.proc.cmd("rustc").args(["--print", "sysroot"]))?;
        Ok(sysroot.trim().to_owned())
    }

    /// Whose files the build leaves.
    fn user(&self) -> Result<String> {
        let [user, group] = ["-u", "-g"].map(|which| self.proc.read(self.proc.cmd("id").arg(which)));
        Ok(format!("{}:{}", user?.trim(), group?.trim()))
    }
}

/// Why a runner that needs `required` does not load in an image; `required` is absent for a runner of another system.
fn misfit(required: Option<Glibc>, ready: &Ready) -> Option<String> {
    let name = &ready.image.name;
    let Some(required) = required else {
        return Some(format!("this machine's runner is not made for Linux, and `{name}` is"));
    };
    let ours = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    if ready.architecture != ours {
        return Some(format!(
            "`{name}` is made for {}, and this machine's runner for {ours}",
            ready.architecture
        ));
    }
    let (major, minor) = required;
    match ready.glibc() {
        Some(found) if found < required => Some(format!(
            "this machine's runner needs glibc {major}.{minor}, and `{name}` has {}.{}",
            found.0, found.1
        )),
        _ => None,
    }
}

/// Where cargo keeps what it has downloaded.
fn cargo_home() -> Result<String> {
    if let Some(home) = std::env::var("CARGO_HOME").ok().filter(|home| !home.is_empty()) {
        return Ok(home);
    }
    let home = std::env::var("HOME").context("neither `CARGO_HOME` nor `HOME` says where cargo keeps its crates")?;
    Ok(format!("{home}/.cargo"))
}

#[cfg(test)]
mod tests {
    use isobit_gate::args::Image;

    use super::*;

    fn ready(architecture: &str) -> Ready {
        Ready {
            image: Image {
                name: "isobit/lavapipe:bookworm".to_owned(),
                id: "sha256:1".to_owned(),
                packages: vec!["libc6=2.36-9+deb12u14".to_owned()],
            },
            architecture: architecture.to_owned(),
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_runner_fits_where_its_c_library_and_its_machine_are_there() {
        assert_eq!(misfit(Some((2, 35)), &ready("amd64")), None);
        let newer = misfit(Some((2, 39)), &ready("amd64")).unwrap();
        assert_eq!(
            newer,
            "this machine's runner needs glibc 2.39, and `isobit/lavapipe:bookworm` has 2.36"
        );
        assert!(misfit(Some((2, 35)), &ready("arm64")).unwrap().contains("arm64"));
        assert!(misfit(None, &ready("amd64")).unwrap().contains("not made for Linux"));
    }
}
