//! What running a plan returns, which adapter ran it, and how running it can fail. Plain data, so that it can cross a
//! process boundary.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The API through which an adapter is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Backend {
    /// Vulkan.
    Vulkan,
    /// OpenGL.
    Gl,
    /// Metal.
    Metal,
    /// Direct3D 12.
    Dx12,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Vulkan => "vulkan",
            Self::Gl => "gl",
            Self::Metal => "metal",
            Self::Dx12 => "dx12",
        })
    }
}

/// What kind of device an adapter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum DeviceKind {
    /// Software on the CPU.
    Cpu,
    /// A GPU that shares memory with the CPU.
    Integrated,
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU seen through a hypervisor.
    Virtual,
    /// The driver does not say.
    Other,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cpu => "cpu",
            Self::Integrated => "integrated",
            Self::Discrete => "discrete",
            Self::Virtual => "virtual",
            Self::Other => "other",
        })
    }
}

/// The adapter that a lane asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdapterRequest {
    /// The API.
    pub backend: Backend,
    /// The kinds that are accepted.
    pub kinds: Vec<DeviceKind>,
    /// A pattern with `*` and `?` that the adapter's name must match.
    pub name: String,
    /// A pattern with `*` and `?` that the driver's name must match.
    pub driver: String,
}

impl AdapterRequest {
    /// Why `facts` is not the adapter asked for; `None` where it is.
    pub fn refusal(&self, facts: &AdapterFacts) -> Option<String> {
        let matches = |pattern: &str, text: &str| wildmatch::WildMatch::new(pattern).matches(text);
        if facts.backend != self.backend {
            return Some(format!("its backend is `{}`, not `{}`", facts.backend, self.backend));
        }
        if !self.kinds.contains(&facts.kind) {
            let kinds: Vec<_> = self.kinds.iter().map(|kind| format!("`{kind}`")).collect();
            return Some(format!("its kind is `{}`, not {}", facts.kind, kinds.join(" or ")));
        }
        if !matches(&self.name, &facts.name) {
            return Some(format!("its name `{}` does not match `{}`", facts.name, self.name));
        }
        if !matches(&self.driver, &facts.driver) {
            return Some(format!(
                "its driver `{}` does not match `{}`",
                facts.driver, self.driver
            ));
        }
        None
    }
}

/// The adapter that ran, as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdapterFacts {
    /// The API.
    pub backend: Backend,
    /// What kind of device it is.
    pub kind: DeviceKind,
    /// The adapter's name.
    pub name: String,
    /// The driver's name.
    pub driver: String,
    /// The driver's version, as it prints it.
    pub driver_info: String,
    /// PCI vendor.
    pub vendor: u32,
    /// PCI device.
    pub device: u32,
    /// The shader compiler in front of the driver, with its version.
    pub compiler: String,
    /// The limits of the device that plans run into.
    pub limits: BTreeMap<String, u64>,
}

/// The contents of the output buffers after one frame, by buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readback {
    /// The bytes, as the device left them.
    pub buffers: BTreeMap<String, Vec<u8>>,
}

/// A read-back does not hold what a twin wants from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the read-back has no buffer `{buffer}` of whole {element}-byte elements")]
pub struct ReadbackError {
    /// The buffer asked for.
    pub buffer: String,
    /// Bytes of an element.
    pub element: usize,
}

impl Readback {
    fn elements<const N: usize, T>(&self, buffer: &str, read: fn([u8; N]) -> T) -> Result<Vec<T>, ReadbackError> {
        let error = || ReadbackError {
            buffer: buffer.to_owned(),
            element: N,
        };
        let (chunks, []) = self.buffers.get(buffer).ok_or_else(error)?.as_chunks::<N>() else {
            return Err(error());
        };
        Ok(chunks.iter().map(|&chunk| read(chunk)).collect())
    }

    /// `buffer` as bytes.
    pub fn u8s(&self, buffer: &str) -> Result<Vec<u8>, ReadbackError> {
        self.elements(buffer, u8::from_le_bytes)
    }

    /// `buffer` as little-endian `u16`.
    pub fn u16s(&self, buffer: &str) -> Result<Vec<u16>, ReadbackError> {
        self.elements(buffer, u16::from_le_bytes)
    }

    /// `buffer` as little-endian `u32`.
    pub fn u32s(&self, buffer: &str) -> Result<Vec<u32>, ReadbackError> {
        self.elements(buffer, u32::from_le_bytes)
    }

    /// `buffer` as little-endian `u64`, the low word first.
    pub fn u64s(&self, buffer: &str) -> Result<Vec<u64>, ReadbackError> {
        self.elements(buffer, u64::from_le_bytes)
    }

    /// `buffer` as little-endian binary32.
    pub fn f32s(&self, buffer: &str) -> Result<Vec<f32>, ReadbackError> {
        self.elements(buffer, f32::from_le_bytes)
    }
}

/// Something that a plan did to a buffer which no comparison of values would show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BufferFault {
    /// Index of the frame.
    pub frame: usize,
    /// Name of the buffer.
    pub buffer: String,
    /// What was found.
    pub kind: FaultKind,
    /// How many elements (bytes, for guard zones) are concerned.
    pub count: u64,
    /// The first of them; for guard zones the distance in bytes from the buffer's nearer end.
    pub first: u64,
}

/// The kinds of [`BufferFault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FaultKind {
    /// Elements of an output that still hold the poison they were filled with, in two runs with different poison.
    Untouched,
    /// Elements of an output that differ between two runs on the same input.
    Unstable,
    /// Bytes changed in the guard zone before the buffer.
    GuardBefore,
    /// Bytes changed in the guard zone behind the buffer.
    GuardAfter,
}

/// What running a plan over all frames returned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Execution {
    /// One entry a frame: the output buffers, from the first of the two runs.
    pub frames: Vec<Readback>,
    /// What was found in the buffers around and behind the values.
    pub faults: Vec<BufferFault>,
    /// Where the time went.
    pub timing: Timing,
}

/// Wall time by stage, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Timing {
    /// Validation of modules and creation of pipelines; nothing where they were cached.
    pub pipelines_ms: f64,
    /// Upload, dispatches and read-back.
    pub device_ms: f64,
}

/// Wall time of one run of a plan over all frames of an input, by phase, in milliseconds. Each phase has ended before the next
/// begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phases {
    /// From the planes of the input in the program's memory to those on the device.
    pub upload_ms: f64,
    /// The host records the commands.
    pub record_ms: f64,
    /// The device runs them, from submission to completion.
    pub device_ms: f64,
    /// From the outputs on the device to bytes in the program's memory.
    pub readback_ms: f64,
}

impl Phases {
    /// All phases together.
    pub fn total_ms(&self) -> f64 {
        self.upload_ms + self.record_ms + self.device_ms + self.readback_ms
    }
}

/// Why a plan did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ExecutionError {
    /// No adapter is the one the lane asked for.
    #[error("no adapter is the one asked for: {}", if found.is_empty() { "none was found".to_owned() } else { found.join("; ") })]
    NoAdapter {
        /// Each adapter that was seen, and why it was refused.
        found: Vec<String>,
    },
    /// The device could not be created.
    #[error("the device could not be created: {message}")]
    NoDevice {
        /// The driver's words.
        message: String,
    },
    /// The plan contradicts itself, its modules or its input.
    #[error("the plan is invalid: {message}")]
    InvalidPlan {
        /// What is wrong.
        message: String,
    },
    /// A module does not parse or validate.
    #[error("module `{module}` is invalid: {message}")]
    InvalidModule {
        /// Name of the module.
        module: String,
        /// The validator's words.
        message: String,
    },
    /// The plan needs more than the device offers.
    #[error("{what} needs {needed}, the device offers {offered}")]
    Limit {
        /// What is limited.
        what: String,
        /// How much the plan needs.
        needed: u64,
        /// How much there is.
        offered: u64,
    },
    /// The API reported an error.
    #[error("the device reported: {message}")]
    Validation {
        /// The API's words.
        message: String,
    },
    /// The device ran out of memory.
    #[error("the device is out of memory: {message}")]
    OutOfMemory {
        /// The API's words.
        message: String,
    },
    /// The device was lost.
    #[error("the device was lost: {message}")]
    DeviceLost {
        /// The driver's words.
        message: String,
    },
    /// The work did not end in time.
    #[error("the device did not finish within {seconds} s")]
    Timeout {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The work ended without the device having overwritten the sentinel.
    #[error("the device reported completion but did not write the sentinel: the commands did not run")]
    Sentinel,
}

impl ExecutionError {
    /// Whether the device can be used for another plan.
    pub const fn device_usable(&self) -> bool {
        matches!(
            self,
            Self::InvalidPlan { .. } | Self::InvalidModule { .. } | Self::Limit { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> AdapterFacts {
        AdapterFacts {
            backend: Backend::Vulkan,
            kind: DeviceKind::Cpu,
            name: "llvmpipe (LLVM 15.0.6, 256 bits)".to_owned(),
            driver: "llvmpipe".to_owned(),
            driver_info: String::new(),
            vendor: 0x10005,
            device: 0,
            compiler: String::new(),
            limits: BTreeMap::new(),
        }
    }

    #[test]
    fn an_adapter_is_refused_for_each_of_its_traits() {
        let request = AdapterRequest {
            backend: Backend::Vulkan,
            kinds: vec![DeviceKind::Cpu],
            name: "llvmpipe*".to_owned(),
            driver: "llvmpipe".to_owned(),
        };
        assert_eq!(request.refusal(&facts()), None);
        let refused = |change: fn(&mut AdapterFacts)| {
            let mut facts = facts();
            change(&mut facts);
            request.refusal(&facts).unwrap()
        };
        assert_eq!(
            refused(|f| f.backend = Backend::Gl),
            "its backend is `gl`, not `vulkan`"
        );
        assert_eq!(
            refused(|f| f.kind = DeviceKind::Discrete),
            "its kind is `discrete`, not `cpu`"
        );
        assert!(refused(|f| f.name = "SwiftShader Device".to_owned()).contains("does not match `llvmpipe*`"));
        assert!(refused(|f| f.driver = "SwiftShader driver".to_owned()).contains("driver"));
    }

    #[test]
    fn a_readback_of_the_wrong_size_is_an_error() {
        let readback = Readback {
            buffers: BTreeMap::from([("sums".to_owned(), vec![1, 0, 0, 0, 2])]),
        };
        assert!(readback.u32s("sums").is_err());
        assert!(readback.u32s("none").is_err());
        assert_eq!(readback.u8s("sums").unwrap(), [1, 0, 0, 0, 2]);
    }
}
