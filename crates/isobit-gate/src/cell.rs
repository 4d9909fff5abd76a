//! The unit of the matrix: a twin in a format on a fixture or clip, on a lane.

use std::fmt;

use isobit::format::Format;
use isobit::frame::ClipShape;
use isobit::kernel::{Control, Kernel, Twin};
use isobit_fixtures::Fixture;

/// One expected comparison, written down before anything runs.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// One of its twins.
    pub twin: &'static Twin,
    /// The control that the kernel belongs to; absent for a real kernel.
    pub control: Option<&'static Control>,
    /// Layout and depth.
    pub format: Format,
    /// Where the samples come from.
    pub source: Source,
    /// Name of the lane.
    pub lane: String,
    /// Why the cell is declared not to run.
    pub skip: Option<String>,
}

/// Where the samples of a cell come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A fixture.
    Fixture(&'static Fixture),
    /// Clips of the user.
    Clip {
        /// Their paths, separated by a space.
        name: String,
        /// Their geometry.
        shape: ClipShape,
    },
}

impl Source {
    /// The name that reports show.
    pub fn name(&self) -> &str {
        match self {
            Self::Fixture(fixture) => fixture.name,
            Self::Clip { name, .. } => name,
        }
    }

    /// The geometry in `format`; `None` where the source does not exist in it.
    pub fn shape(&self, format: Format) -> Option<ClipShape> {
        match self {
            Self::Fixture(fixture) => fixture.shape(format),
            Self::Clip { shape, .. } => (shape.format == format).then(|| shape.clone()),
        }
    }

    /// How many frames there are, where that is known beforehand.
    pub fn frames(&self) -> Option<usize> {
        match self {
            Self::Fixture(fixture) => Some(fixture.frames()),
            Self::Clip { .. } => None,
        }
    }
}

/// The work of a reference, shared by all lanes and twins: equal for cells whose reference's outputs are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Layout and depth.
    pub format: Format,
    /// Name of the fixture, or the paths of the clips.
    pub source: String,
}

impl Cell {
    /// The reference's work in it.
    pub fn case(&self) -> Case {
        Case {
            kernel: self.kernel.name,
            format: self.format,
            source: self.source.name().to_owned(),
        }
    }

    /// The geometry of its clips; `None` only for a source that does not exist in its format.
    pub fn shape(&self) -> Option<ClipShape> {
        self.source.shape(self.format)
    }
}

/// Such as `psnr/exact yuv420-10 scene lavapipe`; unique within a manifest.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kernel, twin, format, lane) = (self.kernel.name, self.twin.name, self.format, &self.lane);
        f.pad(&format!("{kernel}/{twin} {format} {} {lane}", self.source.name()))
    }
}

/// The fixtures and formats of the full matrix of `kernel`: every fixture, in every accepted format that it exists in. Those
/// that show a distortion are for kernels of two clips.
pub fn cases(kernel: &Kernel) -> impl Iterator<Item = (&'static Fixture, Format, ClipShape)> + use<> {
    cases_of(kernel, None)
}

/// The same of a separate grid, or of the matrix where none is named.
pub fn cases_of(
    kernel: &Kernel,
    grid: Option<&str>,
) -> impl Iterator<Item = (&'static Fixture, Format, ClipShape)> + use<> {
    cases_among(kernel, grid, |fixture| !fixture.is_for_variants())
}

/// The same of the fixtures that a variant names, of which some may be for variants alone.
pub fn cases_named(
    kernel: &Kernel,
    grid: Option<&str>,
    names: &[String],
) -> impl Iterator<Item = (&'static Fixture, Format, ClipShape)> {
    cases_among(kernel, grid, |fixture| names.iter().any(|name| name == fixture.name))
}

fn cases_among<F: Fn(&Fixture) -> bool>(
    kernel: &Kernel,
    grid: Option<&str>,
    wanted: F,
) -> impl Iterator<Item = (&'static Fixture, Format, ClipShape)> + use<F> {
    // Every grid is one that a fixture names.
    let grid = grid.map(|name| grids().find(|grid| *grid == name).unwrap_or_default());
    let (accepts, clips) = (kernel.accepts, kernel.clips);
    // Every fixture has a reference clip and a distorted one in each of its formats.
    let fixtures = isobit_fixtures::all()
        .iter()
        .filter(move |fixture| fixture.grid() == grid && wanted(fixture))
        .filter(move |fixture| clips == 2 || (clips == 1 && !fixture.is_pair()));
    fixtures.flat_map(move |fixture| {
        let accepted = fixture.formats().filter(move |&format| accepts(format));
        accepted.filter_map(move |format| Some((fixture, format, fixture.shape(format)?)))
    })
}

/// The names of the separate grids.
pub fn grids() -> impl Iterator<Item = &'static str> + Clone {
    isobit_fixtures::all().iter().filter_map(Fixture::grid)
}
