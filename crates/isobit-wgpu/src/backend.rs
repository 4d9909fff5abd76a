//! Kernels for applications: a backend that runs a kernel where it is told to, or where it can, and says where it did.

use std::time::Duration;

use isobit::execution::{AdapterFacts, AdapterRequest, Backend as Api, DeviceKind, ExecutionError};
use isobit::frame::Input;
use isobit::kernel::{Kernel, KernelError};
use isobit::output::Output;
use isobit::work::{Place, Receipt, StepReceipt, WorkError};

use crate::Executor;

/// How long the device may take for one wait.
const LIMIT: Duration = Duration::from_secs(300);

/// Where kernels are to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The references, on the CPU.
    Cpu,
    /// The GPU of this machine, or the references where it has none that can be opened.
    #[default]
    Auto,
    /// The adapter of a lane and no other.
    Lane(AdapterRequest),
}

/// Why a backend has no result.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The kernel has no result for the input.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The device failed.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
    /// The kernel has no twin of that name.
    #[error("kernel `{kernel}` has no twin `{twin}`")]
    Twin {
        /// Name of the kernel.
        kernel: &'static str,
        /// The name that was asked for.
        twin: String,
    },
}

/// A backend that is open.
#[derive(Debug)]
pub struct Opened {
    executor: Option<Executor>,
    passed_over: Vec<ExecutionError>,
}

impl Backend {
    /// Opens it. [`Backend::Cpu`] and [`Backend::Auto`] always open; what `Auto` passed over is told by
    /// [`Opened::passed_over`].
    ///
    /// # Errors
    /// For [`Backend::Lane`] those of [`Executor::open`].
    pub fn open(&self) -> Result<Opened, ExecutionError> {
        let mut opened = Opened {
            executor: None,
            passed_over: Vec::new(),
        };
        match self {
            Self::Cpu => {}
            Self::Lane(request) => opened.executor = Some(Executor::open(request)?),
            Self::Auto => {
                for request in hardware() {
                    match Executor::open(&request) {
                        Ok(executor) => {
                            opened.executor = Some(executor);
                            break;
                        }
                        Err(error) => opened.passed_over.push(error),
                    }
                }
            }
        }
        Ok(opened)
    }
}

/// The GPUs that `Auto` tries, by the APIs of this system.
fn hardware() -> Vec<AdapterRequest> {
    let request = |backend| AdapterRequest {
        backend,
        kinds: vec![DeviceKind::Discrete, DeviceKind::Integrated],
        name: "*".to_owned(),
        driver: "*".to_owned(),
    };
    let apis: &[Api] = if cfg!(target_os = "macos") {
        &[Api::Metal]
    } else if cfg!(windows) {
        &[Api::Dx12, Api::Vulkan]
    } else {
        &[Api::Vulkan]
    };
    apis.iter().map(|&api| request(api)).collect()
}

impl Opened {
    /// The adapter; `None` where the references run.
    pub fn adapter(&self) -> Option<&AdapterFacts> {
        self.executor.as_ref().map(Executor::adapter)
    }

    /// Why each adapter that [`Backend::Auto`] tried in vain could not be opened.
    pub fn passed_over(&self) -> &[ExecutionError] {
        &self.passed_over
    }

    /// The outputs of `kernel` for all frames of `input`, frames counted from the first, by its twin `twin` or by its
    /// reference, and which step ran where. Every frame runs twice on a device, as in the gate: what depends on anything but the
    /// input does not pass for a result.
    ///
    /// # Errors
    /// If the kernel has no such twin or is not defined for the input, or the device fails or leaves a fault behind.
    pub fn run(&mut self, kernel: &Kernel, twin: &str, input: &Input) -> Result<(Vec<Output>, Receipt), BackendError> {
        let named = kernel.twin(twin).ok_or_else(|| BackendError::Twin {
            kernel: kernel.name,
            twin: twin.to_owned(),
        })?;
        let Some(executor) = &mut self.executor else {
            let reference = StepReceipt {
                step: "reference".to_owned(),
                place: Place::Host {
                    reason: "no device was asked for, or none is there".to_owned(),
                },
            };
            let receipt = Receipt { steps: vec![reference] };
            return Ok((kernel.compute(input)?, receipt));
        };
        let adapter = executor.adapter().name.clone();
        let ran = kernel.run(named, input, &adapter, &mut |plan, input| {
            executor.run(plan, input, LIMIT)
        });
        let ran = ran.map_err(|error| match error {
            WorkError::Kernel(error) => BackendError::Kernel(error),
            WorkError::Run(error) => BackendError::Execution(error),
        })?;
        if let Some(fault) = ran.execution.faults.first() {
            let message = format!(
                "buffer `{}` of frame {} was left {:?}",
                fault.buffer, fault.frame, fault.kind
            );
            return Err(ExecutionError::Validation { message }.into());
        }
        Ok((kernel.finish(named, input.shape(), &ran.execution.frames)?, ran.receipt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_and_auto_always_open() {
        assert!(Backend::Cpu.open().unwrap().adapter().is_none());
        let auto = Backend::Auto.open().unwrap();
        assert!(auto.adapter().is_some() || !auto.passed_over().is_empty());
    }

    #[test]
    fn a_lane_opens_its_adapter_or_none() {
        let nowhere = AdapterRequest {
            backend: Api::Vulkan,
            kinds: vec![DeviceKind::Other],
            name: "an adapter that nobody has".to_owned(),
            driver: "*".to_owned(),
        };
        let error = Backend::Lane(nowhere).open().unwrap_err();
        assert!(matches!(error, ExecutionError::NoAdapter { .. }), "{error}");
    }
}
