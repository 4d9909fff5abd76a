//! A twin as data: WGSL modules, buffers and dispatches, with no reference to a GPU library.
//!
//! A plan describes the work for one frame, or the part of it that one step does, and depends only on the shape of the
//! input, never on its samples; an executor runs it once a frame. No state is carried from frame to frame: a plan that needs earlier frames names their planes as
//! inputs, so that any frame can be run alone. All storage is plain bytes. Samples reach the device packed as they are stored: a plane's bytes,
//! strides included, read by the shader as `array<u32>`.
//!
//! # Dispatches
//!
//! A dispatch is a linear number of workgroups. An executor may split it into slices to stay within a device's limits, and
//! may run the slices in any order. A module that needs to know which workgroup it is therefore declares
//! `@group(1) @binding(0) var<uniform> isobit_grid: vec4<u32>` and adds `isobit_grid.x`, the number of workgroups before
//! this slice, to `workgroup_id.x`; `isobit_grid.y` is the number of workgroups of the whole dispatch, and `isobit_grid.z`
//! and `.w` are zero. No compiler can see that they are, which is what sealed arithmetic rests on. Buffers of the plan are
//! bound in group 0.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::execution::{Readback, ReadbackError};

/// The whole work of a twin for one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Shader modules, by name.
    pub modules: BTreeMap<String, Module>,
    /// Buffers, by name.
    pub buffers: BTreeMap<String, Buffer>,
    /// What is done, in order; each step sees the writes of those before it.
    pub steps: Vec<Step>,
}

/// One WGSL module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Module {
    /// The source.
    pub wgsl: String,
}

/// One buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buffer {
    /// Bytes, a multiple of four for all but [`Role::Input`].
    pub bytes: u64,
    /// Bytes of one element, the unit in which a report counts untouched elements; 1, 2, 4 or 8.
    pub element: u32,
    /// Where its contents come from and go to.
    pub role: Role,
}

/// Where the contents of a buffer come from and go to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Role {
    /// The stored bytes of a plane of the current frame or of one before it; read-only storage.
    Input {
        /// Index of the clip.
        clip: usize,
        /// Index of the plane.
        plane: usize,
        /// How many frames before the current one; the first frame stands for those before it.
        #[serde(default, skip_serializing_if = "is_zero")]
        back: usize,
    },
    /// Fixed words in the uniform address space.
    Uniform {
        /// The contents.
        words: Vec<u32>,
    },
    /// Fixed words in read-only storage.
    Constant {
        /// The contents.
        words: Vec<u32>,
    },
    /// Read-only storage that holds what the step before left in a buffer of this name. A plan runs once [`Plan::handed`] has
    /// put it there.
    Handed,
    /// Storage whose contents are undefined when a frame begins.
    Scratch,
    /// Storage that the plan must overwrite completely; it is read back.
    Output,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(back: &usize) -> bool {
    *back == 0
}

/// One thing that a plan does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Runs an entry point.
    Dispatch(Dispatch),
    /// Sets a scratch or output buffer to zero.
    Clear {
        /// Name of the buffer.
        buffer: String,
    },
}

/// One run of an entry point over a linear grid of workgroups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispatch {
    /// Name of the stage, unique in the plan; shown in reports.
    pub label: String,
    /// Name of the module.
    pub module: String,
    /// Name of the entry point.
    pub entry: String,
    /// The buffer behind each binding of group 0.
    pub bindings: BTreeMap<u32, String>,
    /// Values of pipeline-overridable constants.
    pub constants: BTreeMap<String, f64>,
    /// Workgroups in the whole grid; at least one.
    pub workgroups: u64,
}

/// The names that the executor gives meaning to in a module.
pub mod grid {
    /// Bind group of the grid uniform.
    pub const GROUP: u32 = 1;
    /// Binding of the grid uniform.
    pub const BINDING: u32 = 0;
    /// Bytes of the grid uniform: first workgroup of the slice, workgroups of the dispatch, zero, zero.
    pub const BYTES: u64 = 16;
}

impl Plan {
    /// A plan of one module named `main`, without buffers and steps.
    pub fn new(wgsl: impl Into<String>) -> Self {
        let module = Module { wgsl: wgsl.into() };
        Self {
            modules: BTreeMap::from([("main".to_owned(), module)]),
            buffers: BTreeMap::new(),
            steps: Vec::new(),
        }
    }

    /// Adds a buffer that holds plane `plane` of clip `clip`, `bytes` long as stored.
    #[must_use]
    pub fn input(self, name: &str, clip: usize, plane: usize, bytes: usize) -> Self {
        self.earlier(name, clip, plane, 0, bytes)
    }

    /// The same of the frame `back` before the current one, or of the first frame where there is none so far back.
    #[must_use]
    pub fn earlier(self, name: &str, clip: usize, plane: usize, back: usize, bytes: usize) -> Self {
        self.buffer(name, bytes as u64, 1, Role::Input { clip, plane, back })
    }

    /// Adds fixed words in the uniform address space.
    #[must_use]
    pub fn uniform(self, name: &str, words: &[u32]) -> Self {
        let words = words.to_vec();
        self.buffer(name, words.len() as u64 * 4, 4, Role::Uniform { words })
    }

    /// Adds fixed words in read-only storage.
    #[must_use]
    pub fn constant(self, name: &str, words: &[u32]) -> Self {
        let words = words.to_vec();
        self.buffer(name, words.len() as u64 * 4, 4, Role::Constant { words })
    }

    /// Adds read-only storage of `words` words that the step before left in a buffer of this name.
    #[must_use]
    pub fn handed_over(self, name: &str, words: u64) -> Self {
        self.buffer(name, words * 4, 4, Role::Handed)
    }

    /// The plan with what `left` holds in every buffer that is [`Role::Handed`].
    ///
    /// # Errors
    /// If `left` lacks one, or it is not as long as the plan says.
    pub fn handed(mut self, left: &Readback) -> Result<Self, ReadbackError> {
        for (name, buffer) in &mut self.buffers {
            if buffer.role == Role::Handed {
                let words = left.u32s(name)?;
                if words.len() as u64 * 4 != buffer.bytes {
                    return Err(ReadbackError {
                        buffer: name.clone(),
                        element: buffer.bytes as usize,
                    });
                }
                buffer.role = Role::Constant { words };
            }
        }
        Ok(self)
    }

    /// Adds undefined storage of `count` elements of `element` bytes.
    #[must_use]
    pub fn scratch(self, name: &str, count: u64, element: u32) -> Self {
        self.buffer(
            name,
            (count * u64::from(element)).next_multiple_of(4),
            element,
            Role::Scratch,
        )
    }

    /// Adds read-back storage of `count` elements of `element` bytes; the plan must write every byte, the padding to whole
    /// words included.
    #[must_use]
    pub fn output(self, name: &str, count: u64, element: u32) -> Self {
        self.buffer(
            name,
            (count * u64::from(element)).next_multiple_of(4),
            element,
            Role::Output,
        )
    }

    fn buffer(mut self, name: &str, bytes: u64, element: u32, role: Role) -> Self {
        let buffer = Buffer { bytes, element, role };
        self.buffers.insert(name.to_owned(), buffer);
        self
    }

    /// Adds a module.
    #[must_use]
    pub fn module(mut self, name: &str, wgsl: impl Into<String>) -> Self {
        self.modules.insert(name.to_owned(), Module { wgsl: wgsl.into() });
        self
    }

    /// Adds a dispatch of `entry` of the module `main`, its label the entry's name, with buffers bound in order from
    /// binding 0.
    #[must_use]
    pub fn dispatch(self, entry: &str, buffers: &[&str], workgroups: u64) -> Self {
        self.dispatch_as(entry, entry, buffers, workgroups)
    }

    /// The same with a label of its own, for an entry point that runs more than once.
    #[must_use]
    pub fn dispatch_as(self, label: &str, entry: &str, buffers: &[&str], workgroups: u64) -> Self {
        self.dispatch_of("main", label, entry, buffers, workgroups)
    }

    /// The same of the module `module`.
    #[must_use]
    pub fn dispatch_of(mut self, module: &str, label: &str, entry: &str, buffers: &[&str], workgroups: u64) -> Self {
        self.steps.push(Step::Dispatch(Dispatch {
            label: label.to_owned(),
            module: module.to_owned(),
            entry: entry.to_owned(),
            bindings: (0..).zip(buffers.iter().map(|&name| name.to_owned())).collect(),
            constants: BTreeMap::new(),
            workgroups,
        }));
        self
    }

    /// Adds a step that sets `buffer` to zero.
    #[must_use]
    pub fn clear(mut self, buffer: &str) -> Self {
        self.steps.push(Step::Clear {
            buffer: buffer.to_owned(),
        });
        self
    }

    /// The part of the plan up to the first dispatch labelled `label`, with `buffer` read back and no other; `None` where
    /// there is no such dispatch, or no such scratch or output buffer.
    pub fn until(&self, label: &str, buffer: &str) -> Option<Self> {
        let at = |step: &Step| matches!(step, Step::Dispatch(dispatch) if dispatch.label == label);
        let last = self.steps.iter().position(at)?;
        if !matches!(self.buffers.get(buffer)?.role, Role::Scratch | Role::Output) {
            return None;
        }
        let mut part = self.clone();
        part.steps.truncate(last + 1);
        for (name, other) in &mut part.buffers {
            if matches!(other.role, Role::Scratch | Role::Output) {
                other.role = if name == buffer { Role::Output } else { Role::Scratch };
            }
        }
        Some(part)
    }
}
