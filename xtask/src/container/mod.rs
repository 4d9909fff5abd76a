//! Containers for lanes such as `lavapipe@trixie`: provides their images and says how workers are started in them. The
//! controller stays on the machine, and a worker is all that runs inside.

mod base;
mod engine;
mod image;
mod runner;
mod trouble;

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::args::{Container, Driver};
use isobit_gate::config::{Config, Lane, Release};

use crate::proc::Proc;
use crate::workspace::Workspace;
pub use base::Base;
use engine::Engine;
use image::{Ready, Recipe, Settings};

/// Where an image has its driver's manifest.
const MANIFEST: &str = "/usr/share/isobit/icd.json";

/// What the containers of a call begin with.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct BaseArgs {
    /// The image that containers begin with, `{release}` in it standing for the release; `auto` makes one where no
    /// registry can be reached [default: as `ci/matrix.toml` says]
    #[arg(long, value_name = "IMAGE")]
    base: Option<Base>,
}

impl BaseArgs {
    /// The base of every release.
    pub fn base(&self) -> Base {
        self.base.clone().unwrap_or_default()
    }
}

/// What a workshop that builds images has.
pub struct Workshop<'a> {
    workspace: &'a Workspace,
    proc: &'a Proc,
    engine: Engine<'a>,
    base: Base,
    settings: Settings,
    /// Logs, contexts of builds, and the folder that cargo builds into.
    folder: Utf8PathBuf,
}

/// A lane, what its container is made of, and its image.
struct Contained<'a> {
    lane: &'a Lane,
    driver: &'a str,
    release: &'a Release,
}

/// The images of drivers for some lanes, all of them there.
pub struct Prepared<'a> {
    workshop: Workshop<'a>,
    lanes: Vec<(Contained<'a>, Ready)>,
}

/// A driver in a container.
pub struct Provided<'a> {
    /// Its lane.
    pub lane: &'a Lane,
    /// How its workers are started.
    pub driver: Driver,
    /// Whether its image is new, so that nobody has seen it open a device.
    pub fresh: bool,
}

/// Finds an engine and builds the images of drivers that are missing; `None` where none of `lanes` runs in a container.
///
/// Needs no runner, so that whatever is wrong with engine and images shows before minutes are spent on a build.
pub fn prepare<'a>(
    workspace: &'a Workspace,
    proc: &'a Proc,
    config: &'a Config,
    lanes: &[&str],
    base: &Base,
) -> Result<Option<Prepared<'a>>> {
    let lanes = contained(config, lanes);
    if lanes.is_empty() {
        return Ok(None);
    }
    let used = |release: &&Release| lanes.iter().any(|lane| lane.release.name == release.name);
    base.check(&config.matrix.releases.iter().filter(used).collect::<Vec<_>>())?;
    let engine = Engine::find(proc)?;
    let folder = workspace.state()?.join("containers");
    fs_err::create_dir_all(&folder)?;
    let workshop = Workshop {
        workspace,
        proc,
        engine,
        base: base.clone(),
        settings: Settings::read()?,
        folder,
    };
    let _lock = workshop.lock()?;
    let provide = |contained: Contained<'a>| -> Result<(Contained<'a>, Ready)> {
        let recipe = Recipe {
            what: contained.driver,
            release: contained.release,
        };
        let ready = workshop.provide(&recipe)?;
        Ok((contained, ready))
    };
    let lanes = lanes.into_iter().map(provide).collect::<Result<_>>()?;
    Ok(Some(Prepared { workshop, lanes }))
}

impl<'a> Prepared<'a> {
    /// Puts a runner into each image; `host` is this machine's own, which is taken where it loads there.
    pub fn drivers(&self, host: &Utf8Path) -> Result<Vec<Provided<'a>>> {
        let workshop = &self.workshop;
        let _lock = workshop.lock()?;
        let images: Vec<(&Release, Ready)> = (self.lanes.iter())
            .map(|(contained, ready)| (contained.release, ready.clone()))
            .collect();
        let runner = workshop.runner(host, &images)?;
        let provide = |(contained, ready): &(Contained<'a>, Ready)| {
            let lane = contained.lane;
            let (image, fresh) = workshop.seat(&runner, &lane.name, ready)?;
            let driver = Driver {
                name: lane.driver.clone().unwrap_or_default(),
                environment: workshop.engine.program.clone(),
                icd: MANIFEST.into(),
                libraries: Vec::new(),
                container: Some(Container {
                    engine: workshop.engine.program.clone(),
                    image: ready.image.clone(),
                    runner: image,
                    cache: format!("isobit-{}-{}", contained.driver, contained.release.name),
                }),
            };
            Ok(Provided { lane, driver, fresh })
        };
        self.lanes.iter().map(provide).collect()
    }

    /// Removes an image that turned out to be of no use.
    pub fn forget(&self, container: &Container) -> Result<()> {
        self.workshop.engine.forget(&container.runner)
    }
}

impl Workshop<'_> {
    /// Two calls at a time would build the same images.
    fn lock(&self) -> Result<fs_err::File> {
        let lock = fs_err::File::create(self.folder.join(".lock"))?;
        if lock.file().try_lock().is_err() {
            anstream::eprintln!("containers: waiting for another call that builds images");
            lock.file().lock().context("cannot lock the folder of containers")?;
        }
        self.clear_leftovers()?;
        Ok(lock)
    }

    /// Contexts of builds that were killed.
    fn clear_leftovers(&self) -> Result<()> {
        for entry in self.folder.read_dir_utf8()?.filter_map(Result::ok) {
            if entry.file_name().starts_with(".tmp") {
                fs_err::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    fn log(&self, name: &str) -> Utf8PathBuf {
        self.folder.join(format!("{name}.log"))
    }
}

/// The lanes among `names` that run in containers.
fn contained<'a>(config: &'a Config, names: &[&str]) -> Vec<Contained<'a>> {
    let contained = |lane: &'a Lane| {
        let release = config.matrix.release(lane.release.as_deref()?)?;
        let driver = lane.driver.as_deref()?.split('@').next()?;
        Some(Contained { lane, driver, release })
    };
    let chosen = config
        .matrix
        .lanes
        .iter()
        .filter(|lane| names.contains(&lane.name.as_str()));
    chosen.filter_map(contained).collect()
}

/// What `doctor` tells: the engine with its version and the images that are there, or why there is no engine.
pub fn stock(workspace: &Workspace, proc: &Proc, config: &Config) -> Result<Result<Stock, String>> {
    let engine = match Engine::find(proc) {
        Ok(engine) => engine,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let workshop = Workshop {
        workspace,
        proc,
        base: Base::default(),
        settings: Settings::read()?,
        folder: workspace.state()?.join("containers"),
        engine,
    };
    let names: Vec<&str> = config.matrix.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let mut lanes = Vec::new();
    for Contained { lane, driver, release } in contained(config, &names) {
        let ready = workshop.existing(&Recipe { what: driver, release })?;
        lanes.push((lane.name.clone(), ready.map(|ready| ready.image.packages)));
    }
    Ok(Ok(Stock {
        engine: format!("{} {}", workshop.engine.program, workshop.engine.version),
        lanes,
    }))
}

/// An engine that answers, and what it has.
#[derive(Clone, Debug)]
pub struct Stock {
    /// Its program and version.
    pub engine: String,
    /// Each lane that runs in a container, with the packages of its image where there is one.
    pub lanes: Vec<(String, Option<Vec<String>>)>,
}
