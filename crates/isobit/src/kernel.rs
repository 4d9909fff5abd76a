//! Kernels and their twins, declared as data with plain functions behind them.

use std::fmt;

use crate::execution::{Readback, ReadbackError};
use crate::format::Format;
use crate::frame::{ClipShape, Input};
use crate::options::Options;
use crate::output::Output;
use crate::stage::Stage;
use crate::work::Work;

/// One computation: its reference, which is its specification, and its twins.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The name, in `snake_case`; the options that are set are part of it.
    pub name: &'static str,
    /// One sentence on what is computed and where the definition comes from.
    pub summary: &'static str,
    /// How many clips go in: 1, or 2 for a reference and a distorted clip.
    pub clips: usize,
    /// What comes out, complete: an output of any other name is an error, and so is a missing one.
    pub metrics: &'static [Metric],
    /// What can be varied, and how it is set.
    pub options: Options,
    /// The frames that the outputs of one frame depend on.
    pub window: Window,
    /// Whether the kernel is defined for a format; a format that is not has no cell.
    pub accepts: fn(Format) -> bool,
    /// Why the kernel is not defined for a shape in an accepted format. Called through [`Kernel::refusal`].
    pub refuses: fn(&ClipShape) -> Option<String>,
    /// The reference: all outputs, frame by frame, under the metrics' names without options. Called through
    /// [`Kernel::compute`].
    pub reference: fn(&Input, &Options) -> Result<Vec<Output>, KernelError>,
    /// The twins.
    pub twins: &'static [Twin],
}

impl Kernel {
    /// A [`Kernel::refuses`] for a kernel that is defined for every size.
    pub const fn refuses_nothing(_: &ClipShape) -> Option<String> {
        None
    }

    /// Why the kernel, with its options, is not defined for a shape in an accepted format: then the reference and every twin
    /// refuse it as [`KernelError::Unsupported`] with this reason, and its cells are declared SKIPs.
    pub fn refusal(&self, shape: &ClipShape) -> Option<String> {
        let of_options = self.options.refusal().map(str::to_owned);
        of_options.or_else(|| (self.refuses)(shape))
    }

    /// The same of a clip of `frames` frames, of which there may be more than [`Kernel::most_frames`].
    pub fn refusal_of(&self, shape: &ClipShape, frames: usize) -> Option<String> {
        let too_many = || {
            let most = self.most_frames(shape).filter(|&most| frames > most)?;
            let bytes = shape.frame_bytes();
            Some(format!(
                "{frames} frames of {bytes} bytes each are too many, a clip that is taken as a whole has at most {most} of them"
            ))
        };
        self.refusal(shape).or_else(too_many)
    }

    /// [`Kernel::refusal_of`] as an error.
    pub(crate) fn check_defined(&self, shape: &ClipShape, frames: usize) -> Result<(), KernelError> {
        match self.refusal_of(shape, frames) {
            None => Ok(()),
            Some(reason) => Err(KernelError::Unsupported {
                kernel: self.name,
                reason,
            }),
        }
    }

    /// The metric of that name.
    pub fn metric(&self, name: &str) -> Option<&'static Metric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// The twin of that name.
    pub fn twin(&self, name: &str) -> Option<&'static Twin> {
        self.twins.iter().find(|twin| twin.name == name)
    }

    /// What the reference yields, frames counted from the first of `input`.
    ///
    /// # Errors
    /// If the kernel is not defined for the input.
    pub fn compute(&self, input: &Input) -> Result<Vec<Output>, KernelError> {
        self.check_defined(input.shape(), input.frames())?;
        (self.reference)(input, &self.options).map(|outputs| self.named(outputs))
    }

    /// The outputs of `twin`, one of the kernel's, from the read-backs of its run, frames counted from the first.
    ///
    /// # Errors
    /// If the read-back does not hold what the twin wants from it.
    pub fn finish(&self, twin: &Twin, shape: &ClipShape, readbacks: &[Readback]) -> Result<Vec<Output>, KernelError> {
        let outputs = match twin.finish {
            Finish::Clip(finish) => finish(shape, &self.options, readbacks)?,
            Finish::Frame(finish) => {
                let frames = readbacks.iter().enumerate();
                let frames = frames.map(|(frame, readback)| finish(shape, &self.options, frame, readback));
                frames.collect::<Result<Vec<_>, _>>()?.concat()
            }
        };
        Ok(self.named(outputs))
    }

    /// `outputs` under the names of the metrics as the options make them. A name that is no metric's stays, for the
    /// comparison to refuse.
    fn named(&self, mut outputs: Vec<Output>) -> Vec<Output> {
        if !self.options.set().is_empty() {
            for output in &mut outputs {
                let of_it = |metric: &&Metric| self.base(metric.name) == output.metric;
                output.metric = self
                    .metrics
                    .iter()
                    .find(of_it)
                    .map_or(output.metric, |metric| metric.name);
            }
        }
        outputs
    }
}

/// The frames around one that its outputs depend on, itself apart. Before the first frame and behind the last there are
/// none, and what is computed from fewer is part of a kernel's definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// How many before it.
    pub before: usize,
    /// How many after it.
    pub after: usize,
}

impl Window {
    /// The frame alone.
    pub const FRAME: Self = Self { before: 0, after: 0 };
    /// Every frame of the clip.
    pub const CLIP: Self = Self {
        before: usize::MAX,
        after: usize::MAX,
    };
}

/// One compared output of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// The name, in `snake_case`.
    pub name: &'static str,
    /// What it consists of.
    pub kind: MetricKind,
    /// What NaN means in it.
    pub nan: NanPolicy,
}

/// What a metric consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// A number a frame.
    Score,
    /// Samples; with three colour planes their encoding, so that colour differences can be formed.
    Plane(Option<Encoding>),
    /// Samples of the clip as a whole, given with its first frame; the encoding as for a plane.
    ClipPlane(Option<Encoding>),
}

impl MetricKind {
    /// How three colour planes are encoded; `None` where they are not.
    pub const fn encoding(self) -> Option<Encoding> {
        match self {
            Self::Score => None,
            Self::Plane(encoding) | Self::ClipPlane(encoding) => encoding,
        }
    }
}

/// How three colour planes encode a colour, in Rec. 709 primaries with a D65 white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Linear light, 1.0 the white.
    Linear,
    /// IEC 61966-2-1, 1.0 the white.
    Srgb,
}

/// What NaN means in a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanPolicy {
    /// NaN never agrees with anything.
    Never,
    /// NaN on both sides agrees, whatever its payload.
    Class,
}

/// A plan that computes a kernel on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Twin {
    /// `exact`, or `native` for plain float arithmetic with a tolerance.
    pub name: &'static str,
    /// How the arithmetic reaches the reference's bits; empty for a native twin.
    pub routes: &'static [Route],
    /// What runs, and where. Called through [`Kernel::run`].
    pub work: Work,
    /// The host's part. Called through [`Kernel::finish`].
    pub finish: Finish,
    /// The reference's intermediate results for one frame of an input, in the order in which the plan leaves them.
    pub stages: Option<StagesOf>,
}

/// The intermediate results for frame `frame` of an input.
pub type StagesOf = fn(input: &Input, options: &Options, frame: usize) -> Result<Vec<Stage>, KernelError>;
/// The outputs of frame `frame`.
pub type FinishFrame =
    fn(shape: &ClipShape, options: &Options, frame: usize, left: &Readback) -> Result<Vec<Output>, KernelError>;
/// The outputs of all frames.
pub type FinishClip = fn(shape: &ClipShape, options: &Options, left: &[Readback]) -> Result<Vec<Output>, KernelError>;

/// Outputs from what the device left, under the metrics' names without options.
#[derive(Clone, Copy, Debug)]
pub enum Finish {
    /// Those of one frame, whose index is given.
    Frame(FinishFrame),
    /// Those of all frames, for scores that several frames contribute to, or from the one read-back of [`Work::Clip`].
    Clip(FinishClip),
}

/// How exact arithmetic is reached on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Integer sums and fixed point.
    Integer,
    /// The host finishes with the reference's own function.
    Host,
    /// Native floats, each result sealed against the compiler.
    Sealed,
    /// IEEE arithmetic in `u32`.
    Soft,
    /// Terms summed in the reference's order.
    Ordered,
    /// Transcendental functions built from exact operations.
    SharedMath,
}

impl Route {
    /// The name used in fragments and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Host => "host",
            Self::Sealed => "sealed",
            Self::Soft => "soft",
            Self::Ordered => "ordered",
            Self::SharedMath => "shared-math",
        }
    }
}

/// Why a reference, a plan or a finish has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// The kernel is not defined for this input.
    #[error("kernel `{kernel}` is not defined for this input: {reason}")]
    Unsupported {
        /// Name of the kernel.
        kernel: &'static str,
        /// Why.
        reason: String,
    },
    /// The twin does not honour an option.
    #[error("twin `{twin}` of kernel `{kernel}` does not honour option `{option}`: {reason}")]
    Option {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the twin.
        twin: &'static str,
        /// Name of the option.
        option: &'static str,
        /// Why.
        reason: String,
    },
    /// A plan reads a frame that the kernel does not declare to depend on.
    #[error("buffer `{buffer}` of kernel `{kernel}` looks {back} frames back, and the kernel's window is {before}")]
    Window {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the buffer.
        buffer: String,
        /// Frames that the buffer looks back.
        back: usize,
        /// Frames that the kernel declares.
        before: usize,
    },
    /// A module of a plan cannot be put together.
    #[error("the WGSL of kernel `{kernel}` cannot be put together: {message}")]
    Module {
        /// Name of the kernel.
        kernel: &'static str,
        /// Why.
        message: String,
    },
    /// The read-back is not what the plan declared.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
}

/// A twin that is broken on purpose, beside the sound one that it departs from by a single fault.
///
/// The kernel's twins are `sound`, which must be equal to the reference, and `broken`, which must differ for the reason
/// the control states.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// Reference, and the twins `sound` and `broken`.
    pub kernel: Kernel,
    /// Names of the fixtures that it runs on.
    pub fixtures: &'static [&'static str],
    /// The formats that it runs in.
    pub formats: &'static [Format],
    /// What the fault must look like in a format.
    pub symptom: fn(Format) -> Symptom,
}

/// What a fault looks like from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symptom {
    /// The fault does not bite in this format: the broken twin must be equal.
    None,
    /// Every difference lies within this many samples of an edge, and none of the interior differs.
    Border(u32),
    /// Exactly the last column differs, and the device never wrote it.
    LastColumnUntouched,
    /// Every difference is of exactly one code.
    OneCode,
    /// Only samples in even columns, or only samples in odd ones, differ.
    OneParity,
    /// Rows beyond the first differ although the first is equal.
    LaterRows,
    /// The result falls short of the reference.
    Short,
    /// The result depends on what the memory held before.
    Unstable,
    /// Every difference is at least one and at most this many units in the last place.
    Ulps(u64),
    /// A single element differs, by one unit in the last place.
    OneUlp,
    /// Every NaN of the reference has become a number, and nothing else differs.
    NanLost,
    /// No value differs, and memory behind a buffer was overwritten.
    GuardHit,
    /// No value differs, and a step of the device ran on the host.
    FellBack,
}

/// What is expected, as a noun phrase for a report.
impl fmt::Display for Symptom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("equality, as the fault does not bite in this format"),
            Self::Border(samples) => write!(f, "differences within {samples} samples of an edge only"),
            Self::LastColumnUntouched => f.write_str("a last column that was never written"),
            Self::OneCode => f.write_str("differences of exactly one code"),
            Self::OneParity => f.write_str("differences in even columns only or in odd ones only"),
            Self::LaterRows => f.write_str("differences in rows beyond the first"),
            Self::Short => f.write_str("results that fall short of the reference"),
            Self::Unstable => f.write_str("results that depend on earlier memory"),
            Self::Ulps(bound) => write!(f, "differences of 1 to {bound} ULP"),
            Self::OneUlp => f.write_str("one element that is off by one ULP"),
            Self::NanLost => f.write_str("every NaN turned into a number, and nothing else"),
            Self::GuardHit => f.write_str("right values, and memory behind a buffer overwritten"),
            Self::FellBack => f.write_str("right values, of which a step of the device came from the host"),
        }
    }
}

/// The kernels and controls that a gate runs.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    /// The kernels.
    pub kernels: &'static [Kernel],
    /// The broken twins that prove the gate alive.
    pub controls: &'static [Control],
}

impl Registry {
    /// The kernel or the control's kernel of that name.
    pub fn kernel(&self, name: &str) -> Option<&'static Kernel> {
        let controls = self.controls.iter().map(|control| &control.kernel);
        self.kernels.iter().chain(controls).find(|kernel| kernel.name == name)
    }
}
