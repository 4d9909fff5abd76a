//! Intermediate results of a kernel, and the first of them in which a twin departs from its reference.
//!
//! A twin that declares stages keeps each of them in a buffer of its own layout-free form: the elements of the reference's
//! plane, row by row, from the buffer's start. [`Plan::until`] makes the device leave it.

use serde::{Deserialize, Serialize};

use crate::execution::Readback;
use crate::frame::Input;
use crate::kernel::{Kernel, KernelError, Twin};
use crate::output::{Value, Values};
use crate::plan::Plan;
use crate::work::Work;

/// What a buffer of a twin must hold after one of its dispatches.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Label of the dispatch.
    pub label: String,
    /// Name of the buffer; it may be longer than the stage.
    pub buffer: String,
    /// Elements in a row.
    pub width: u32,
    /// The elements, row by row. Signed integers stand as the unsigned ones of the same bits.
    pub values: Values,
}

impl Stage {
    /// What `buffer` holds behind the dispatch `label`: `values` in rows of `width`.
    pub fn new(label: impl Into<String>, buffer: impl Into<String>, width: u32, values: Values) -> Self {
        Self {
            label: label.into(),
            buffer: buffer.into(),
            width,
            values,
        }
    }
}

/// Where a stage of a twin differs from the reference's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Divergence {
    /// Label of the dispatch that left it.
    pub label: String,
    /// Name of the buffer.
    pub buffer: String,
    /// Index of the frame.
    pub frame: usize,
    /// Elements compared.
    pub elements: u64,
    /// Elements whose bits differ.
    pub mismatches: u64,
    /// Column of the first of them.
    pub x: u32,
    /// Row of the first of them.
    pub y: u32,
    /// The reference's element there.
    pub reference: Value,
    /// The twin's element there.
    pub twin: Value,
}

/// Why stages could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum StageError<E> {
    /// The reference or the plan has no result.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The stages do not fit the plan.
    #[error("stage `{label}` of kernel `{kernel}` does not fit its plan: {reason}")]
    Declared {
        /// Name of the kernel.
        kernel: &'static str,
        /// Label of the stage.
        label: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The plan did not run.
    #[error("{0}")]
    Run(E),
}

impl Stage {
    /// Where what the device left differs; `None` where all bits are equal.
    ///
    /// # Errors
    /// If the buffer is missing or shorter than the stage.
    pub fn divergence(&self, frame: usize, left: &Readback) -> Result<Option<Divergence>, String> {
        let expected = self.values.to_le_bytes();
        let buffer = left.buffers.get(&self.buffer);
        let found = buffer
            .and_then(|bytes| bytes.get(..expected.len()))
            .ok_or_else(|| format!("buffer `{}` does not hold {} bytes", self.buffer, expected.len()))?;
        let size = expected.len() / self.values.len().max(1);
        let differs = |index: &usize| expected[index * size..][..size] != found[index * size..][..size];
        let Some(first) = (0..self.values.len()).find(differs) else {
            return Ok(None);
        };
        let width = self.width.max(1) as usize;
        let mut bits = [0; 8];
        bits[..size].copy_from_slice(&found[first * size..][..size]);
        Ok(Some(Divergence {
            label: self.label.clone(),
            buffer: self.buffer.clone(),
            frame,
            elements: self.values.len() as u64,
            mismatches: (0..self.values.len()).filter(differs).count() as u64,
            x: (first % width) as u32,
            y: (first / width) as u32,
            reference: self.values.get(first),
            twin: Value {
                kind: self.values.kind(),
                bits: u64::from_le_bytes(bits),
            },
        }))
    }
}

/// The first stage in which `twin` departs from the reference, of frame `frame` of `input` or of those around it that its
/// outputs depend on, earlier frames first; `None` where the twin declares no stages or all are equal.
///
/// `run` runs a plan on an input and returns what it left for the last of its frames.
///
/// # Errors
/// If a stage does not fit the plan, or something has no result.
pub fn first_divergence<E>(
    kernel: &Kernel,
    twin: &Twin,
    input: &Input,
    frame: usize,
    run: &mut dyn FnMut(&Plan, &Input) -> Result<Readback, E>,
) -> Result<Option<Divergence>, StageError<E>> {
    let last = frame.saturating_add(kernel.window.after).min(input.frames() - 1);
    for frame in frame.saturating_sub(kernel.window.before)..=last {
        if let Some(divergence) = divergence_of(kernel, twin, input, frame, run)? {
            return Ok(Some(divergence));
        }
    }
    Ok(None)
}

/// The first stage of frame `frame` alone that departs.
fn divergence_of<E>(
    kernel: &Kernel,
    twin: &Twin,
    input: &Input,
    frame: usize,
    run: &mut dyn FnMut(&Plan, &Input) -> Result<Readback, E>,
) -> Result<Option<Divergence>, StageError<E>> {
    let Some(stages) = twin.stages else {
        return Ok(None);
    };
    let around = match twin.work {
        Work::Frame(_) => input.slice(frame.saturating_sub(kernel.window.before)..frame + 1),
        Work::Clip(_) => input.spread(),
        // What a step leaves is read back anyway, and no one plan reaches beyond it.
        Work::Steps(_) => return Ok(None),
    };
    let plans = kernel.plans(twin, input.shape(), input.frames())?;
    let Some(plan) = plans.first() else {
        return Ok(None);
    };
    for stage in stages(input, &kernel.options, frame)? {
        let declared = |reason: String| StageError::Declared {
            kernel: kernel.name,
            label: stage.label.clone(),
            reason,
        };
        let part = plan.until(&stage.label, &stage.buffer).ok_or_else(|| {
            declared(format!(
                "it has no such dispatch, or no buffer `{}` that a dispatch writes",
                stage.buffer
            ))
        })?;
        let left = run(&part, &around).map_err(StageError::Run)?;
        if let Some(divergence) = stage.divergence(frame, &left).map_err(declared)? {
            return Ok(Some(divergence));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::format::{Depth, Format, Layout};
    use crate::frame::{Clip, ClipShape, Frame, Plane};
    use crate::kernel::{Finish, Window};
    use crate::options::Options;
    use crate::plan::Plan;

    fn stage(values: Values) -> Stage {
        Stage {
            label: "rows".to_owned(),
            buffer: "sums".to_owned(),
            width: 2,
            values,
        }
    }

    fn left(words: &[u32]) -> Readback {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Readback {
            buffers: BTreeMap::from([("sums".to_owned(), bytes)]),
        }
    }

    #[test]
    fn the_first_different_element_is_named_by_column_and_row() {
        let found = stage(Values::U32(vec![1, 2, 3, 4])).divergence(7, &left(&[1, 2, 3, 5, 9]));
        let found = found.unwrap().unwrap();
        assert_eq!(
            (found.x, found.y, found.frame, found.mismatches, found.elements),
            (1, 1, 7, 1, 4)
        );
        assert_eq!((found.reference.bits, found.twin.bits), (4, 5));
    }

    #[test]
    fn bits_decide_and_not_values() {
        let zeros = stage(Values::F32(vec![0.0, -0.0]));
        assert_eq!(zeros.divergence(0, &left(&[0, 0x8000_0000])).unwrap(), None);
        assert!(zeros.divergence(0, &left(&[0, 0])).unwrap().is_some());
    }

    #[test]
    fn what_lies_behind_the_stage_is_not_looked_at_and_what_is_missing_is_an_error() {
        let two = stage(Values::U64(vec![1, 1 << 32]));
        assert_eq!(two.divergence(0, &left(&[1, 0, 0, 1, 99])).unwrap(), None);
        assert!(two.divergence(0, &left(&[1, 0, 0])).is_err());
        assert!(two.divergence(0, &Readback::default()).is_err());
    }

    /// A kernel whose one stage is the single code of a frame.
    fn codes(window: Window) -> Kernel {
        const TWIN: Twin = Twin {
            name: "exact",
            routes: &[],
            work: Work::Frame(|_, _| Ok(Plan::new("").scratch("sums", 1, 4).dispatch("rows", &["sums"], 1))),
            finish: Finish::Frame(|_, _, _, _| Ok(Vec::new())),
            stages: Some(|input, _, frame| {
                let code = input.plane(0, frame, 0).codes(0).next();
                Ok(vec![Stage {
                    label: "rows".to_owned(),
                    buffer: "sums".to_owned(),
                    width: 1,
                    values: Values::U32(code.into_iter().collect()),
                }])
            }),
        };
        Kernel {
            name: "codes",
            summary: "The code of each frame.",
            clips: 1,
            metrics: &[],
            options: Options::NONE,
            window,
            accepts: |_| true,
            refuses: Kernel::refuses_nothing,
            reference: |_, _| Ok(Vec::new()),
            twins: &[TWIN],
        }
    }

    #[test]
    fn frames_that_the_outputs_depend_on_are_searched_and_no_others() {
        let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 1, 1);
        let frame = |code| Frame {
            planes: vec![Plane::new(shape.planes[0], Depth::U8, vec![code]).unwrap()],
        };
        let clip = Clip::new(shape.clone(), (0..5).map(frame).collect()).unwrap();
        let input = Input::new(vec![clip]).unwrap();
        // What is left of frame 3 is wrong.
        let mut run = |_: &Plan, around: &Input| -> Result<Readback, String> {
            let code = around.plane(0, around.frames() - 1, 0).codes(0).next().unwrap();
            Ok(left(&[if code == 3 { 99 } else { code }]))
        };
        let mut found = |before, after, frame| {
            let kernel = codes(Window { before, after });
            let found = first_divergence(&kernel, &kernel.twins[0], &input, frame, &mut run).unwrap();
            found.map(|divergence| (divergence.frame, divergence.twin.bits))
        };
        assert_eq!(found(0, 0, 3), Some((3, 99)));
        assert_eq!(found(0, 2, 1), Some((3, 99)));
        assert_eq!(found(1, 0, 4), Some((3, 99)));
        let Window { before, after } = Window::CLIP;
        assert_eq!([found(before, after, 4), found(before, after, 1)], [Some((3, 99)); 2]);
        assert_eq!([found(0, 1, 1), found(0, 0, 4), found(2, 0, 2)], [None; 3]);
    }
}
