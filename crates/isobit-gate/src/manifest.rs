//! The manifest: the list of expected cells, written down before anything runs. What is reported must be exactly that.

mod recording;

use std::collections::BTreeSet;
use std::fmt::Display;

use isobit::format::Format;
use isobit::frame::ClipShape;
use isobit::kernel::{Control, Kernel, Registry};
use sha2::{Digest, Sha256};

use crate::args::{Environment, RunArgs};
use crate::cell::{Cell, Source, cases_named, cases_of, grids};
use crate::config::{Config, FRAGMENTS, Lane};
use crate::names;
use crate::shard::Part;

/// The expected cells: controls first, then by kernel, fixture, format and twin, the lanes innermost, so that all lanes
/// meet the same cases in the same order.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The cells; no two have the same name.
    pub cells: Vec<Cell>,
    /// Which part of the planned cells these are; absent for all of them.
    pub part: Option<Part>,
}

/// Why a selection cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// A name that does not exist.
    #[error("unknown {what} `{name}`\nhint: {}", offer(name, known))]
    Unknown {
        /// What kind of thing was named.
        what: &'static str,
        /// The name as given.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// No cell of a real kernel is left.
    #[error(
        "nothing selected: no kernel has a cell for this combination\nhint: list the cells: cargo xtask parity --matrix --list"
    )]
    Nothing,
    /// One clip is given to kernels that take a pair, or two to such that take one.
    #[error(
        "{}\nhint: {}",
        match given {
            1 => format!("one clip was given, and every selected kernel for `{format}` compares a reference with a distorted clip"),
            _ => format!("{given} clips were given, and every selected kernel for `{format}` takes one"),
        },
        match given {
            1 => "name both, the reference first: --clip REFERENCE DISTORTED",
            _ => "name one: --clip FILE",
        }
    )]
    Clips {
        /// How many were given.
        given: usize,
        /// Their format.
        format: Format,
    },
    /// Something was asked for by name, and no selected cell has it.
    #[error(
        "nothing selected for {what} `{name}`: no cell has it together with the rest of the selection\nhint: leave it out, or list the cells: cargo xtask parity --matrix --list"
    )]
    Unused {
        /// What kind of thing was named.
        what: &'static str,
        /// The name as given.
        name: String,
    },
    /// Clips, and fixtures to run on in their stead.
    #[error("`--clip` and `--fixtures` exclude each other\nhint: leave out `--fixtures`")]
    ClipAndFixtures,
    /// Something is to be recorded of a run that is not of the matrix.
    #[error(
        "`{flag}` is of the matrix, and without `--matrix` the quick set runs\nhint: cargo xtask parity --matrix {flag}"
    )]
    RecordOutside {
        /// The option that records.
        flag: &'static str,
    },
    /// Costs are asked of a part of the matrix.
    #[error(
        "`--record-costs` needs the full matrix, and `{option}` leaves a part of it out\nhint: cargo xtask parity --matrix --record-costs"
    )]
    PartialCosts {
        /// The option that narrows the run.
        option: &'static str,
    },
    /// Measured rows are asked of a run that cuts cells out of them, or has others in their place.
    #[error(
        "`--record` writes whole rows of this machine's lanes, and `{option}` {why}\nhint: choose rows by kernel and lane alone: cargo xtask parity --matrix --record --kernels NAME --lanes LANE"
    )]
    PartialRecord {
        /// The option that does so.
        option: &'static str,
        /// What it does to rows, in words.
        why: &'static str,
    },
    /// Rows are to be recorded of something that has none.
    #[error(
        "`--record` writes the rows of listed twins, and {lack} in this selection\nhint: choose other kernels and lanes, or list the twin in `{FRAGMENTS}/<kernel>.<lane>.toml`"
    )]
    Unlisted {
        /// What lacks a row, in words.
        lack: String,
    },
    /// Containers are named, and the run has none.
    #[error(
        "`--release` names containers, and this run has none\nhint: cargo xtask parity --env docker --release NAME"
    )]
    ReleaseOutside,
    /// A control is declared in a way that cannot prove anything.
    #[error("control `{control}` cannot run: {reason}\nhint: correct its declaration in the registry")]
    Control {
        /// Name of the control.
        control: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

fn offer(name: &str, known: &[String]) -> String {
    let known = || known.iter().map(String::as_str);
    let guess = names::nearest(name, known()).map(|nearest| format!("did you mean `{nearest}`? "));
    format!(
        "{}the valid names are {}",
        guess.unwrap_or_default(),
        names::list(known())
    )
}

impl Manifest {
    /// The cells that `args` selects. Controls are among them on every selected lane, whatever else is selected.
    ///
    /// `clip` is the geometry of the clips that `args` names, absent where it names none.
    ///
    /// # Errors
    /// On unknown names, on a selection without a cell of a real kernel, and on controls that could not prove anything.
    pub fn plan(
        registry: &Registry,
        config: &Config,
        args: &RunArgs,
        clip: Option<&ClipShape>,
    ) -> Result<Self, SelectionError> {
        refuse_contradictions(args)?;
        let lanes = chosen(config, args)?;
        let kernels = kernels(registry, args)?;
        let filter = Filter::new(config, args)?;

        let mut manifest = Self::default();
        for control in registry.controls {
            for (source, format) in control_cases(control)? {
                manifest.push(&control.kernel, Some(control), &source, format, &lanes);
            }
        }
        let controls = manifest.cells.len();
        for kernel in kernels {
            match clip {
                Some(shape) if filter.format(shape.format) && takes(kernel, args.clip.len(), shape.format) => {
                    let paths: Vec<_> = args.clip.iter().map(|path| path.as_str()).collect();
                    let source = Source::Clip {
                        name: paths.join(" "),
                        shape: shape.clone(),
                    };
                    manifest.push(kernel, None, &source, shape.format, &lanes);
                }
                Some(_) => {}
                None => {
                    let variant = config.matrix.variants.iter().find(|variant| variant.is(kernel));
                    let grid = args.grid.as_deref();
                    let cases: Vec<_> = match variant {
                        Some(variant) if !variant.fixtures.is_empty() => {
                            cases_named(kernel, grid, &variant.fixtures).collect()
                        }
                        _ => cases_of(kernel, grid).collect(),
                    };
                    for (fixture, format, _) in cases {
                        if filter.fixture(fixture.name) && filter.format(format) {
                            manifest.push(kernel, None, &Source::Fixture(fixture), format, &lanes);
                        }
                    }
                }
            }
        }
        let real = &manifest.cells[controls..];
        if real.is_empty() {
            let clip = clip.filter(|shape| filter.format(shape.format));
            return Err(nothing(registry, args, clip));
        }
        every_name_is_used(args, real)?;
        recording::every_name_is_listed(args, config, real)?;
        Ok(manifest)
    }

    /// SHA-256 of the names of all cells and of the reasons of declared skips, in hexadecimal; for a shard that of the whole.
    pub fn hash(&self) -> String {
        if let Some(part) = &self.part {
            return part.manifest.clone();
        }
        let mut hash = Sha256::new();
        for cell in &self.cells {
            hash.update(format!("{cell}\t{}\n", cell.skip.as_deref().unwrap_or_default()));
        }
        format!("{:x}", hash.finalize())
    }

    /// The lanes that have cells, in the order of the configuration.
    pub fn lanes(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let lanes = self.cells.iter().map(|cell| cell.lane.as_str());
        lanes.filter(|lane| seen.insert(*lane)).collect()
    }

    fn push(
        &mut self,
        kernel: &'static Kernel,
        control: Option<&'static Control>,
        source: &Source,
        format: Format,
        lanes: &[&Lane],
    ) {
        let refused = source.shape(format).and_then(|shape| match source.frames() {
            Some(frames) => kernel.refusal_of(&shape, frames),
            None => kernel.refusal(&shape),
        });
        for twin in kernel.twins {
            self.cells.extend(lanes.iter().map(|lane| Cell {
                kernel,
                twin,
                control,
                format,
                source: source.clone(),
                lane: lane.name.clone(),
                skip: lane.left_out.clone().or_else(|| refused.clone()),
            }));
        }
    }
}

fn takes(kernel: &Kernel, clips: usize, format: Format) -> bool {
    kernel.clips == clips && (kernel.accepts)(format)
}

/// Why no cell is left: it may be the number of clips alone.
fn nothing(registry: &Registry, args: &RunArgs, clip: Option<&ClipShape>) -> SelectionError {
    let mut kernels = registry.kernels.iter();
    let asked = |kernel: &Kernel| args.kernels.is_empty() || args.kernels.iter().any(|name| name == kernel.name);
    match clip.map(|shape| shape.format) {
        // Whatever takes this format takes another number of clips, or it would have a cell.
        Some(format) if kernels.any(|kernel| asked(kernel) && (kernel.accepts)(format)) => SelectionError::Clips {
            given: args.clip.len(),
            format,
        },
        _ => SelectionError::Nothing,
    }
}

fn refuse_contradictions(args: &RunArgs) -> Result<(), SelectionError> {
    if !args.clip.is_empty() && !args.fixtures.is_empty() {
        return Err(SelectionError::ClipAndFixtures);
    }
    if !args.releases.is_empty() && args.env != Environment::Docker {
        return Err(SelectionError::ReleaseOutside);
    }
    recording::refuse_cuts(args)
}

fn known<'a>(
    what: &'static str,
    asked: &[String],
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), SelectionError> {
    match asked.iter().find(|name| !known.clone().any(|k| k == name.as_str())) {
        None => Ok(()),
        Some(name) => Err(SelectionError::Unknown {
            what,
            name: name.clone(),
            known: known.map(str::to_owned).collect(),
        }),
    }
}

/// The lanes that `args` selects, in the order of the configuration.
///
/// # Errors
/// On names of lanes and releases that do not exist, and on lanes that the rest of the selection leaves out.
pub fn lanes(config: &Config, args: &RunArgs) -> Result<Vec<String>, SelectionError> {
    Ok(chosen(config, args)?
        .into_iter()
        .map(|lane| lane.name.clone())
        .collect())
}

fn chosen<'a>(config: &'a Config, args: &RunArgs) -> Result<Vec<&'a Lane>, SelectionError> {
    let names = config.matrix.lanes.iter().map(|lane| lane.name.as_str());
    known("lane", &args.lanes, names.clone())?;
    known("lane", &args.hold_exact, names)?;
    let releases = config.matrix.releases.iter().map(|release| release.name.as_str());
    known("release", &args.releases, releases)?;
    let chosen: Vec<&Lane> = config
        .matrix
        .lanes
        .iter()
        .filter(|lane| is_chosen(lane, args))
        .collect();
    let unused = |name: &&String| !chosen.iter().any(|lane| lane.answers_to(name));
    match args.lanes.iter().chain(&args.hold_exact).find(unused) {
        Some(name) => Err(SelectionError::Unused {
            what: "lane",
            name: name.clone(),
        }),
        None => Ok(chosen),
    }
}

/// A lane is asked for by its own name anywhere, and by its family's where that family's containers are asked for.
fn is_chosen(lane: &Lane, args: &RunArgs) -> bool {
    match (args.env, &lane.release) {
        (Environment::Host | Environment::Nix, _) => {
            args.lanes.contains(&lane.name) || (args.lanes.is_empty() && lane.default)
        }
        (Environment::Docker, None) => false,
        (Environment::Docker, Some(release)) => {
            (args.releases.is_empty() || args.releases.contains(release))
                && (args.lanes.is_empty() || args.lanes.iter().any(|name| lane.answers_to(name)))
        }
    }
}

fn kernels(registry: &Registry, args: &RunArgs) -> Result<impl Iterator<Item = &'static Kernel>, SelectionError> {
    known(
        "kernel",
        &args.kernels,
        registry.kernels.iter().map(|kernel| kernel.name),
    )?;
    let asked = args.kernels.clone();
    let chosen = move |kernel: &&Kernel| asked.is_empty() || asked.iter().any(|name| name == kernel.name);
    Ok(registry.kernels.iter().filter(chosen))
}

/// What is left of the matrix: what was asked for by name, and for the rest the quick set unless all was asked for.
struct Filter<'a> {
    fixtures: &'a [String],
    depths: &'a [isobit::format::Depth],
    layouts: &'a [isobit::format::Layout],
}

impl<'a> Filter<'a> {
    fn new(config: &'a Config, args: &'a RunArgs) -> Result<Self, SelectionError> {
        let quick = &config.matrix.quick;
        let all = isobit_fixtures::all().iter().map(|fixture| fixture.name);
        known("grid", args.grid.as_slice(), grids())?;
        known("fixture", &args.fixtures, all.clone())?;
        known("fixture", &quick.fixtures, all.clone())?;
        for variant in &config.matrix.variants {
            known("fixture", &variant.fixtures, all.clone())?;
        }
        let narrow = !args.matrix && args.grid.is_none() && args.clip.is_empty();
        fn pick<'a, T>(asked: &'a [T], quick: &'a [T], narrow: bool) -> &'a [T] {
            if asked.is_empty() && narrow { quick } else { asked }
        }
        Ok(Self {
            fixtures: pick(&args.fixtures, &quick.fixtures, narrow),
            depths: pick(&args.depths, &quick.depths, narrow),
            layouts: &args.layouts,
        })
    }

    fn fixture(&self, name: &str) -> bool {
        self.fixtures.is_empty() || self.fixtures.iter().any(|fixture| fixture == name)
    }

    fn format(&self, format: Format) -> bool {
        (self.depths.is_empty() || self.depths.contains(&format.depth))
            && (self.layouts.is_empty() || self.layouts.contains(&format.layout))
    }
}

/// The sources and formats of a control: all that it names and that exist.
fn control_cases(control: &'static Control) -> Result<Vec<(Source, Format)>, SelectionError> {
    let kernel = &control.kernel;
    let refuse = |reason: String| SelectionError::Control {
        control: kernel.name,
        reason,
    };
    let twins: Vec<_> = kernel.twins.iter().map(|twin| twin.name).collect();
    if twins != ["sound", "broken"] {
        return Err(refuse(format!(
            "its twins are {}, not `sound` and `broken`",
            names::list(twins)
        )));
    }
    let mut found = Vec::new();
    for &name in control.fixtures {
        let fixture = isobit_fixtures::named(name).ok_or_else(|| refuse(format!("there is no fixture `{name}`")))?;
        let exists = |format: &Format| control.formats.contains(format) && (kernel.accepts)(*format);
        let before = found.len();
        found.extend(
            fixture
                .formats()
                .filter(exists)
                .map(|format| (Source::Fixture(fixture), format)),
        );
        if found.len() == before {
            return Err(refuse(format!("fixture `{name}` exists in none of its formats")));
        }
    }
    match control
        .formats
        .iter()
        .find(|format| !found.iter().any(|(_, f)| f == *format))
    {
        Some(format) => Err(refuse(format!("none of its fixtures exists in `{format}`"))),
        None => Ok(found),
    }
}

/// Refuses a selection in which something that was asked for by name has no cell, so that nobody takes it for tested.
fn every_name_is_used(args: &RunArgs, cells: &[Cell]) -> Result<(), SelectionError> {
    fn unused<T: Display>(
        what: &'static str,
        asked: &[T],
        cells: &[Cell],
        name: impl Fn(&Cell) -> String,
    ) -> Result<(), SelectionError> {
        let used: BTreeSet<String> = cells.iter().map(name).collect();
        match asked.iter().map(T::to_string).find(|asked| !used.contains(asked)) {
            Some(name) => Err(SelectionError::Unused { what, name }),
            None => Ok(()),
        }
    }
    unused("kernel", &args.kernels, cells, |cell| cell.kernel.name.to_owned())?;
    unused("depth", &args.depths, cells, |cell| cell.format.depth.to_string())?;
    unused("layout", &args.layouts, cells, |cell| cell.format.layout.to_string())?;
    unused("fixture", &args.fixtures, cells, |cell| cell.source.name().to_owned())
}

#[cfg(test)]
mod tests;
