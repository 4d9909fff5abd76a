//! How a twin's work is divided: one plan a frame, one over a whole clip, or steps that the device and the host share; and
//! the receipt that says which of them ran where.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::execution::{Execution, Readback};
use crate::frame::{ClipShape, Input};
use crate::kernel::{Kernel, KernelError, Twin};
use crate::options::Options;
use crate::plan::{self, Plan, Role};

/// The frames that a clip of [`Work::Clip`] has at most: each brings passes and buffers of its own.
pub const MOST_FRAMES: usize = 4096;
/// The bytes that the stored planes of all its frames take at most. No API of GPUs promises an amount of memory or tells of
/// one; a card of 8 GiB has room for these and for what a kernel keeps beside them.
pub const MOST_BYTES: u64 = 1 << 32;

/// The plan for one frame of clips of a shape.
pub type PlanFrame = fn(shape: &ClipShape, options: &Options) -> Result<Plan, KernelError>;
/// The plan for all `frames` frames of clips of a shape.
pub type PlanClip = fn(shape: &ClipShape, frames: usize, options: &Options) -> Result<Plan, KernelError>;
/// The steps for one frame of clips of a shape.
pub type StepsOf = fn(shape: &ClipShape, options: &Options) -> Result<Vec<Box<dyn Step>>, KernelError>;

/// The work of a twin. An option that the twin cannot honour is an error.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// One plan, run for each frame.
    Frame(PlanFrame),
    /// One plan, run once over all frames, each of which is uploaded once: frame `f` of clip `c` is input `c · frames + f`.
    /// What it leaves is a single read-back. All frames lie on the device together, so that there is a bound to them,
    /// [`Kernel::most_frames`].
    Clip(PlanClip),
    /// Steps, run in turn for each frame. What the last leaves is the read-back of the frame.
    Steps(StepsOf),
}

/// One step of a twin, which is handed what the step before it left.
pub trait Step {
    /// The name that receipts show.
    fn name(&self) -> String;

    /// Why the step belongs to the host; `None` for a step of the device.
    fn host_reason(&self) -> Option<&'static str>;

    /// The plan of a step of the device. It reads planes of the frame, and through [`Role::Handed`] what it is handed.
    ///
    /// # Errors
    /// [`KernelError::Unsupported`] where the device cannot take this step: then the host takes it, and the receipt says so.
    fn plan(&self) -> Result<Plan, KernelError>;

    /// The same on the host, for frame `frame` of `input`, in the buffers that the plan would leave.
    ///
    /// # Errors
    /// If what was handed over is not what the step wants, or it has no result.
    fn on_host(&self, input: &Input, frame: usize, handed: &Readback) -> Result<Readback, KernelError>;
}

/// Which step of a twin ran where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Receipt {
    /// The steps, in order.
    pub steps: Vec<StepReceipt>,
}

/// Where one step ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepReceipt {
    /// Name of the step.
    pub step: String,
    /// Where it ran.
    pub place: Place,
}

/// Where a step ran, and why there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Place {
    /// On the device.
    Device {
        /// Name of the adapter.
        adapter: String,
        /// Labels of its dispatches.
        passes: Vec<String>,
    },
    /// On the host, as the twin declares.
    Host {
        /// Why it belongs there.
        reason: String,
    },
    /// On the host, since the device could not take it.
    FellBack {
        /// Why not.
        reason: String,
    },
}

impl Receipt {
    /// The first step that the host took although it is the device's.
    pub fn fallen_back(&self) -> Option<(&str, &str)> {
        self.steps.iter().find_map(|step| match &step.place {
            Place::FellBack { reason } => Some((step.step.as_str(), reason.as_str())),
            Place::Device { .. } | Place::Host { .. } => None,
        })
    }

    /// Adds what another frame's receipt says: a step that fell back in any of them did.
    fn merge(&mut self, other: Self) {
        if self.steps.is_empty() {
            *self = other;
            return;
        }
        for (mine, theirs) in self.steps.iter_mut().zip(other.steps) {
            if matches!(theirs.place, Place::FellBack { .. }) {
                *mine = theirs;
            }
        }
    }
}

/// A step a line: its name, then where it ran.
impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, StepReceipt { step, place }) in self.steps.iter().enumerate() {
            let end = if index + 1 < self.steps.len() { "\n" } else { "" };
            match place {
                Place::Device { adapter, passes } => write!(f, "{step}: {adapter}: {}{end}", passes.join(", "))?,
                Place::Host { reason } => write!(f, "{step}: host, {reason}{end}")?,
                Place::FellBack { reason } => write!(f, "{step}: host, fell back: {reason}{end}")?,
            }
        }
        Ok(())
    }
}

/// What running a twin returned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ran {
    /// The read-backs, one a frame or one for the clip, faults and times.
    pub execution: Execution,
    /// Which step ran where.
    pub receipt: Receipt,
}

/// Why a twin did not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum WorkError<E> {
    /// The twin has no plan, or the host's part no result.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A plan did not run.
    #[error("{0}")]
    Run(E),
}

/// Runs a plan on every frame of an input.
pub type RunPlan<'a, E> = &'a mut dyn FnMut(&Plan, &Input) -> Result<Execution, E>;

impl Kernel {
    /// How many frames of `shape` a clip has at most where a twin takes it as a whole; `None` where frames are taken one by
    /// one. More than that the reference and every twin refuse, so that no device decides what a kernel is defined for.
    pub fn most_frames(&self, shape: &ClipShape) -> Option<usize> {
        let whole = |twin: &Twin| matches!(twin.work, Work::Clip(_));
        let bytes = (shape.frame_bytes() * self.clips).max(1) as u64;
        let fit = usize::try_from(MOST_BYTES / bytes).unwrap_or(usize::MAX);
        self.twins.iter().any(whole).then(|| fit.min(MOST_FRAMES))
    }

    /// Every plan of `twin`, one of the kernel's, for `frames` frames of clips of `shape`: all that a device can be asked to
    /// run. Steps that the device cannot take have none.
    ///
    /// # Errors
    /// If the twin has none for that shape and these options, or looks back further than the kernel's window.
    pub fn plans(&self, twin: &Twin, shape: &ClipShape, frames: usize) -> Result<Vec<Plan>, KernelError> {
        self.check_defined(shape, frames)?;
        let plans = match twin.work {
            Work::Frame(plan) => vec![plan(shape, &self.options)?],
            Work::Clip(plan) => vec![plan(shape, frames, &self.options)?],
            Work::Steps(steps) => {
                let steps = steps(shape, &self.options)?;
                let of_device = steps.iter().filter(|step| step.host_reason().is_none());
                let plans = of_device.filter_map(|step| match step.plan() {
                    Err(KernelError::Unsupported { .. }) => None,
                    plan => Some(plan),
                });
                plans.collect::<Result<_, _>>()?
            }
        };
        for plan in &plans {
            self.check_window(plan)?;
        }
        Ok(plans)
    }

    fn check_window(&self, plan: &Plan) -> Result<(), KernelError> {
        for (name, buffer) in &plan.buffers {
            if let Role::Input { back, .. } = buffer.role
                && back > self.window.before
            {
                return Err(KernelError::Window {
                    kernel: self.name,
                    buffer: name.clone(),
                    back,
                    before: self.window.before,
                });
            }
        }
        Ok(())
    }

    /// Runs `twin`, one of the kernel's, over all frames of `input` on the device behind `run`, whose name is `adapter`.
    ///
    /// # Errors
    /// If the twin has no plan, a step of the host has no result, or a plan does not run.
    pub fn run<E>(&self, twin: &Twin, input: &Input, adapter: &str, run: RunPlan<'_, E>) -> Result<Ran, WorkError<E>> {
        let shape = input.shape();
        self.check_defined(shape, input.frames())?;
        let on_device = |step: &str, plan: &Plan| StepReceipt {
            step: step.to_owned(),
            place: Place::Device {
                adapter: adapter.to_owned(),
                passes: passes(plan),
            },
        };
        let whole = |step: &str, plan: Plan, input: &Input, run: RunPlan<'_, E>| -> Result<Ran, WorkError<E>> {
            self.check_window(&plan)?;
            Ok(Ran {
                execution: run(&plan, input).map_err(WorkError::Run)?,
                receipt: Receipt {
                    steps: vec![on_device(step, &plan)],
                },
            })
        };
        match twin.work {
            Work::Frame(plan) => whole("frame", plan(shape, &self.options)?, input, run),
            Work::Clip(plan) => {
                let plan = plan(shape, input.frames(), &self.options)?;
                whole("clip", plan, &input.spread(), run)
            }
            Work::Steps(steps) => {
                let steps = steps(shape, &self.options)?;
                let mut ran = Ran::default();
                for frame in 0..input.frames() {
                    let one = input.slice(frame..frame + 1);
                    let mut left = Readback::default();
                    let mut receipt = Receipt::default();
                    for step in &steps {
                        let plan = match step.host_reason() {
                            Some(reason) => Err(Place::Host {
                                reason: reason.to_owned(),
                            }),
                            None => match step.plan() {
                                Ok(plan) => Ok(plan),
                                Err(KernelError::Unsupported { reason, .. }) => Err(Place::FellBack { reason }),
                                Err(error) => return Err(error.into()),
                            },
                        };
                        match plan {
                            Ok(plan) => {
                                self.check_window(&plan)?;
                                let plan = plan.handed(&left).map_err(KernelError::from)?;
                                let mut execution = run(&plan, &one).map_err(WorkError::Run)?;
                                execution.faults.iter_mut().for_each(|fault| fault.frame = frame);
                                ran.execution.faults.append(&mut execution.faults);
                                ran.execution.timing.pipelines_ms += execution.timing.pipelines_ms;
                                ran.execution.timing.device_ms += execution.timing.device_ms;
                                left = execution.frames.pop().unwrap_or_default();
                                receipt.steps.push(on_device(&step.name(), &plan));
                            }
                            Err(place) => {
                                left = step.on_host(&one, 0, &left)?;
                                receipt.steps.push(StepReceipt {
                                    step: step.name(),
                                    place,
                                });
                            }
                        }
                    }
                    ran.execution.frames.push(left);
                    ran.receipt.merge(receipt);
                }
                Ok(ran)
            }
        }
    }
}

/// The labels of the dispatches of a plan.
fn passes(plan: &Plan) -> Vec<String> {
    let labels = plan.steps.iter().filter_map(|step| match step {
        plan::Step::Dispatch(dispatch) => Some(dispatch.label.clone()),
        plan::Step::Clear { .. } => None,
    });
    labels.collect()
}

#[cfg(test)]
mod tests;
