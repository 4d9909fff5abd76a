//! `provision`: provides the software drivers: finds those that are installed, or unpacks them without root, and proves
//! that each of them opens a device.

pub mod apt;
pub mod host;
pub mod icd;
pub mod library;
mod receipt;
mod user;
pub mod worker;

use std::cell::OnceCell;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;
use isobit::execution::AdapterFacts;
use isobit_gate::args::Driver;
use isobit_gate::config::{Config, Lane};

use crate::build;
use crate::container::{self, Base, Provided};
use crate::failure::Failure;
use crate::nix;
use crate::proc::{Proc, complaint};
use crate::workspace::Workspace;
use host::Places;
use icd::Icd;
use library::{LOADER, Search};
use receipt::{Receipt, Stamp};

/// Provide the software drivers, without root
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only this driver
    driver: Option<Name>,
    /// Where to take it from
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    env: Environment,
    #[command(flatten)]
    container: container::BaseArgs,
}

/// A driver that can be provided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Mesa's software Vulkan driver
    Lavapipe,
    /// Google's software Vulkan driver
    Swiftshader,
}

impl Name {
    /// Every driver.
    pub const ALL: [Self; 2] = [Self::Lavapipe, Self::Swiftshader];

    /// The name on the command line and in `ci/matrix.toml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lavapipe => "lavapipe",
            Self::Swiftshader => "swiftshader",
        }
    }

    /// The file name of its library.
    pub const fn library(self) -> &'static str {
        match self {
            Self::Lavapipe => "libvulkan_lvp.so",
            Self::Swiftshader => "libvk_swiftshader.so",
        }
    }
}

/// Where a driver is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Environment {
    /// The installed one where it loads, an unpacked one otherwise
    Auto,
    /// The installed one
    Host,
    /// The distribution's packages, unpacked under `target/`
    User,
    /// Containers, one for each Debian release
    Docker,
}

/// What a run was given.
#[derive(Clone, Debug, Default)]
pub struct Provisions {
    /// The drivers, each once.
    pub drivers: Vec<Driver>,
    /// The lanes that this machine cannot run, and why; they are skipped, as declared.
    pub without: Vec<(String, String)>,
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let provider = Provider::new(workspace)?.with_base(args.container.base());
    if args.env == Environment::Docker {
        return containers(workspace, &provider, args.driver);
    }
    let names = args.driver.map_or_else(|| Name::ALL.to_vec(), |name| vec![name]);
    for name in names {
        let receipt = provider.provide(name, args.env)?;
        say(name, &summary(&receipt));
    }
    if args.driver.is_none() {
        let config = Config::load(&workspace.root)?;
        let lanes: Vec<&str> = config.matrix.lanes.iter().map(|lane| lane.name.as_str()).collect();
        for (lane, reason) in provider.workers(&config, &lanes)? {
            anstream::eprintln!("{lane}: left out: {reason}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Provides the containers of one driver, or of all.
fn containers(workspace: &Workspace, provider: &Provider<'_>, driver: Option<Name>) -> Result<ExitCode> {
    let config = Config::load(&workspace.root)?;
    let lanes = config.matrix.lanes.iter().filter(|lane| lane.release.is_some());
    let wanted = lanes.filter(|lane| driver.is_none_or(|name| lane.answers_to(name.as_str())));
    let names: Vec<&str> = wanted.map(|lane| lane.name.as_str()).collect();
    for driver in provider.provide_for(&config, &names)? {
        if let Some(container) = &driver.container {
            let packages = container.image.packages.join(", ");
            anstream::eprintln!("{}: `{}`, with {packages}", driver.name, container.image.name);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Provides drivers for one workspace.
pub struct Provider<'a> {
    workspace: &'a Workspace,
    proc: Proc,
    state: Utf8PathBuf,
    runner: OnceCell<Utf8PathBuf>,
    base: Base,
}

impl<'a> Provider<'a> {
    /// Nothing is looked for yet.
    pub fn new(workspace: &'a Workspace) -> Result<Self> {
        Ok(Self {
            workspace,
            proc: Proc::new(&workspace.root)?,
            state: workspace.state()?,
            runner: OnceCell::new(),
            base: Base::default(),
        })
    }

    /// With a runner that is built already.
    pub fn with_runner(self, runner: &Utf8Path) -> Self {
        Self {
            runner: OnceCell::from(runner.to_owned()),
            ..self
        }
    }

    /// With containers that begin with `base`.
    pub fn with_base(self, base: Base) -> Self {
        Self { base, ..self }
    }

    /// All that these lanes need: the workers that this machine can start, and the drivers of every lane that then runs.
    pub fn provide_run(&self, config: &Config, lanes: &[&str]) -> Result<Provisions> {
        let without = self.workers(config, lanes)?;
        let runs = |lane: &&str| without.iter().all(|(left_out, _)| left_out != lane);
        let lanes: Vec<&str> = lanes.iter().copied().filter(runs).collect();
        Ok(Provisions {
            drivers: self.provide_for(config, &lanes)?,
            without,
        })
    }

    /// Makes the workers of these lanes that are programs of their own ready to be started; those lanes of which this machine
    /// cannot start one, and why.
    pub fn workers(&self, config: &Config, lanes: &[&str]) -> Result<Vec<(String, String)>> {
        let _lock = self.lock("another call that provides workers")?;
        let mut without = Vec::new();
        for lane in config
            .matrix
            .lanes
            .iter()
            .filter(|lane| lanes.contains(&lane.name.as_str()))
        {
            let Some(program) = &lane.worker else { continue };
            if let Err(reason) = worker::provide(&self.proc, &self.workspace.root, program)? {
                without.push((lane.name.clone(), reason));
            }
        }
        Ok(without)
    }

    /// Two calls at a time would fill the same folders.
    fn lock(&self, other: &str) -> Result<fs_err::File> {
        let drivers = self.state.join("drivers");
        fs_err::create_dir_all(&drivers)?;
        let lock = fs_err::File::create(drivers.join(".lock"))?;
        if lock.file().try_lock().is_err() {
            anstream::eprintln!("waiting for {other}");
            lock.file().lock().context("cannot lock the folder of drivers")?;
        }
        Ok(lock)
    }

    /// The drivers that these lanes of the configuration ask for, each once; lanes on the system's own drivers need none.
    pub fn provide_for(&self, config: &Config, lanes: &[&str]) -> Result<Vec<Driver>> {
        let mut drivers: Vec<Driver> = Vec::new();
        for lane in config
            .matrix
            .lanes
            .iter()
            .filter(|lane| lane.release.is_none() && lanes.contains(&lane.name.as_str()))
        {
            let Some(wanted) = &lane.driver else { continue };
            if drivers.iter().any(|driver| &driver.name == wanted) {
                continue;
            }
            let name = Name::from_str(wanted, false).map_err(|_| {
                let message = format!(
                    "lane `{}` asks for the driver `{wanted}`, which cannot be provided",
                    lane.name
                );
                Failure::error(
                    message,
                    "name `lavapipe` or `swiftshader` as its `driver` in `ci/matrix.toml`",
                )
            })?;
            drivers.push(self.provide(name, Environment::Auto)?.driver);
        }
        drivers.extend(self.contained(config, lanes)?);
        Ok(drivers)
    }

    /// The drivers in containers, each proved to open a device when it is new.
    fn contained(&self, config: &Config, lanes: &[&str]) -> Result<Vec<Driver>> {
        let Some(prepared) = container::prepare(self.workspace, &self.proc, config, lanes, &self.base)? else {
            return Ok(Vec::new());
        };
        let mut drivers = Vec::new();
        for Provided { lane, driver, fresh } in prepared.drivers(self.runner()?)? {
            if let (true, Some(container), Err(reason)) = (fresh, &driver.container, self.open(lane, &driver)?) {
                prepared.forget(container)?;
                return Err(Failure::error(
                    format!("the container of lane `{}` opens no device: {reason}", lane.name),
                    format!("{} run --rm -it {} sh", container.engine, container.image.name),
                ));
            }
            drivers.push(driver);
        }
        Ok(drivers)
    }

    /// Provides a driver and proves that it loads; costs next to nothing where both were done before.
    pub fn provide(&self, name: Name, environment: Environment) -> Result<Receipt> {
        let _lock = self.lock("another call that provides drivers")?;
        if let (Environment::Auto, Some(shell)) = (environment, nix::inside()) {
            return self.shell(name, &shell);
        }
        let mut unusable = None;
        if environment != Environment::User {
            match self.installed(name, "host", Places::here().candidates(name))? {
                Ok(receipt) => return Ok(receipt),
                Err(reason) if environment == Environment::Host => {
                    let message = format!(
                        "the driver `{}` cannot be taken from this machine: {reason}",
                        name.as_str()
                    );
                    return Err(Failure::error(
                        message,
                        format!("cargo xtask provision {} --env user", name.as_str()),
                    ));
                }
                Err(reason) => unusable = Some(reason),
            }
        }
        self.user(name, unusable.as_deref())
    }

    /// The driver of the Nix shell that this process runs in. Another one would not be what was asked for.
    fn shell(&self, name: Name, shell: &str) -> Result<Receipt> {
        self.installed(name, "nix", Places::here().named_of(name))?
            .map_err(|reason| {
                Failure::error(
                    format!("the Nix shell `{shell}` gives no driver `{}`: {reason}", name.as_str()),
                    format!("nix develop .#{}", name.as_str()),
                )
            })
    }

    /// A driver of this machine that loads, or why there is none; `environment` is what reports call its origin.
    fn installed(&self, name: Name, environment: &str, candidates: Vec<Icd>) -> Result<Result<Receipt, String>> {
        if candidates.is_empty() {
            return Ok(Err("not installed".to_owned()));
        }
        let path = self
            .state
            .join("drivers")
            .join(format!("{}.{environment}.toml", name.as_str()));
        let known = Receipt::read(&path).filter(|known| known.adapter.is_some() && known.holds());
        if let Some(known) = known.filter(|known| candidates.iter().any(|icd| icd.path == known.driver.icd)) {
            return Ok(Ok(known));
        }
        let search = Search::here(&self.proc)?;
        let Some(loader) = search.find(LOADER) else {
            return Ok(Err(format!("the Vulkan loader `{LOADER}` is not installed")));
        };
        let mut reasons = Vec::new();
        for icd in candidates {
            let library = match library::inspect(&self.proc, &search, &icd.library, &[])? {
                Ok(library) => library,
                Err(reason) => {
                    reasons.push(format!("`{}`: {reason}", icd.path));
                    continue;
                }
            };
            let receipt = Receipt {
                adapter: None,
                driver: Driver {
                    name: name.as_str().to_owned(),
                    environment: environment.to_owned(),
                    icd: icd.path.clone(),
                    libraries: Vec::new(),
                    container: None,
                },
                manifest: Stamp::take(&icd.path)?,
                library: Stamp::take(&library)?,
                loader: Stamp::take(&loader)?,
                packages: Vec::new(),
            };
            match self.prove(name, receipt)? {
                Ok(receipt) => {
                    receipt.write(&path)?;
                    return Ok(Ok(receipt));
                }
                Err(reason) => {
                    say(
                        name,
                        &format!("`{}` is installed but does not load: {reason}", icd.path),
                    );
                    reasons.push(format!("`{}`: {reason}", icd.path));
                }
            }
        }
        Ok(Err(reasons.join("; ")))
    }

    /// An unpacked driver that loads; `unusable` is why the installed one is not taken.
    fn user(&self, name: Name, unusable: Option<&str>) -> Result<Receipt> {
        let folder = user::Folder::of(&self.state, name);
        let receipt = match folder.read() {
            Some(receipt) if receipt.adapter.is_some() => return Ok(receipt),
            Some(receipt) => receipt,
            None => {
                if let Some(reason) = unusable {
                    say(name, reason);
                }
                user::unpack(&self.proc, &self.state, name)?
            }
        };
        match self.prove(name, receipt)? {
            Ok(receipt) => {
                receipt.write(&folder.receipt())?;
                Ok(receipt)
            }
            Err(reason) => Err(Failure::error(
                format!(
                    "the driver `{}` was unpacked but opens no device: {reason}",
                    name.as_str()
                ),
                "cargo xtask doctor",
            )),
        }
    }

    /// Opens a device through the driver in a confined worker of the runner.
    fn prove(&self, name: Name, receipt: Receipt) -> Result<Result<Receipt, String>> {
        let config = Config::load(&self.workspace.root)?;
        let lane = config
            .matrix
            .lanes
            .iter()
            .find(|lane| lane.worker.is_none() && lane.driver.as_deref() == Some(name.as_str()));
        let lane = lane.ok_or_else(|| {
            let message = format!("no lane of `ci/matrix.toml` asks for the driver `{}`", name.as_str());
            Failure::error(message, "add a lane with this `driver` to `ci/matrix.toml`")
        })?;
        Ok(self.open(lane, &receipt.driver)?.map(|adapter| Receipt {
            adapter: Some(identity(&adapter)),
            ..receipt
        }))
    }

    /// The adapter that `lane` opens through a driver, in a worker of the runner; why it opens none otherwise.
    fn open(&self, lane: &Lane, driver: &Driver) -> Result<Result<AdapterFacts, String>> {
        let runner = self.runner()?;
        let driver = serde_json::to_string(driver)?;
        let command = self
            .proc
            .cmd(runner)
            .args(["open", "--root", self.workspace.root.as_str()]);
        let output = self
            .proc
            .output(command.args(["--lane", lane.name.as_str(), "--driver", driver.as_str()]))?;
        if !output.status.success() {
            return Ok(Err(complaint(&output)));
        }
        let adapter: AdapterFacts = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("`{runner} open` printed something that is not an adapter"))?;
        Ok(Ok(adapter))
    }

    fn runner(&self) -> Result<&Utf8Path> {
        if self.runner.get().is_none() {
            // Set once: nobody else can have been faster, the cell is not shared between threads.
            _ = self.runner.set(build::runner(&self.proc)?);
        }
        self.runner
            .get()
            .map(Utf8PathBuf::as_path)
            .context("the runner was not built")
    }
}

/// Whether drivers can be unpacked on this system.
pub fn can_unpack() -> bool {
    apt::Apt::exists()
}

/// The library of a driver that is unpacked below `state` and whole.
pub fn unpacked(state: &Utf8Path, name: Name) -> Option<Utf8PathBuf> {
    user::Folder::of(state, name).read().map(|receipt| receipt.library.path)
}

/// One sentence on what was provided and from where.
fn summary(receipt: &Receipt) -> String {
    let adapter = receipt.adapter.as_deref().unwrap_or("an unknown adapter");
    let library = &receipt.library.path;
    if receipt.packages.is_empty() {
        return format!("{adapter}, installed as `{library}`");
    }
    let packages: Vec<_> = receipt.packages.iter().map(ToString::to_string).collect();
    format!("{adapter}, at `{library}`, from {}", packages.join(", "))
}

/// An adapter in words: its name, and the driver's with its version where it tells one.
fn identity(adapter: &AdapterFacts) -> String {
    let driver = format!("{} {}", adapter.driver, adapter.driver_info);
    format!("{}, {}", adapter.name, driver.trim())
}

/// Tells the person what is happening to a driver.
fn say(name: Name, sentence: &str) {
    anstream::eprintln!("{}: {sentence}", name.as_str());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_command_line() {
        for name in Name::ALL {
            assert_eq!(Name::from_str(name.as_str(), false), Ok(name));
        }
    }
}
