//! What a master holds, and how it is made.

use isobit::format::Format;
use isobit::frame::{Clip, ClipShape, Input};
use isobit::kernel::{Kernel, NanPolicy};
use isobit::output::{ElementKind, Output, Value, Values};
use isobit_gate::cell::cases;
use isobit_gate::record::SAMPLES_HASHED;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Bytes of all outputs of a case up to which they are kept in full: three planes of every 10-bit code in f32.
pub const WHOLE_BYTES: usize = 12 << 10;

/// The outputs of one kernel's reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Master {
    /// One entry a fixture and format, in the order of the matrix.
    pub cases: Vec<Case>,
}

/// The outputs of one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Name of the fixture.
    pub fixture: String,
    /// Layout and depth.
    pub format: Format,
    /// Every output, in the reference's order.
    pub outputs: Vec<Pinned>,
}

/// One output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pinned {
    /// Name of the metric.
    pub metric: String,
    /// Index of the frame.
    pub frame: usize,
    /// Index of the plane.
    pub plane: usize,
    /// Elements in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The type of the elements.
    pub kind: ElementKind,
    /// The elements.
    pub content: Content,
}

/// The elements of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    /// All of them, as [`Content::whole`] arranges them.
    Whole(Vec<u8>),
    /// The SHA-256 of their little-endian bytes.
    Digest([u8; 32]),
}

impl Content {
    /// Little-endian elements of `bytes` bytes each, arranged byte by byte: the first bytes of all elements, then the second
    /// ones, and so on. Exponents then stand together and compress.
    fn whole(elements: &[u8], bytes: usize) -> Self {
        let nth = |n: usize| elements.iter().skip(n).step_by(bytes);
        Self::Whole((0..bytes).flat_map(nth).copied().collect())
    }

    /// The elements of a whole content.
    pub(crate) fn values(arranged: &[u8], kind: ElementKind) -> impl Iterator<Item = Value> + '_ {
        let bytes = element_bytes(kind);
        let count = arranged.len() / bytes;
        (0..count).map(move |index| {
            let bits = (0..bytes).rev();
            let bits = bits.fold(0, |bits, n| bits << 8 | u64::from(arranged[n * count + index]));
            Value { kind, bits }
        })
    }
}

/// A reference has no result for a case that its kernel does not refuse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the reference of `{kernel}` has no result for `{fixture}` in `{format}`: {reason}")]
pub struct ReferenceError {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Name of the fixture.
    pub fixture: &'static str,
    /// Layout and depth.
    pub format: Format,
    /// Why.
    pub reason: String,
}

impl Master {
    /// Runs the reference of `kernel` over the first frame of each clip of its matrix: frames are independent of each other,
    /// and the test has seconds. Frames of more than [`SAMPLES_HASHED`] samples, which exercise the size of a dispatch rather
    /// than the arithmetic, are left out.
    ///
    /// # Errors
    /// If the reference has no result for a case that the kernel does not refuse.
    pub fn of(kernel: &Kernel) -> Result<Self, ReferenceError> {
        let mut all = Vec::new();
        for (fixture, format, shape) in cases(kernel) {
            if kernel.refusal(&shape).is_some() || samples(&shape) > SAMPLES_HASHED {
                continue;
            }
            let failed = |reason: String| ReferenceError {
                kernel: kernel.name,
                fixture: fixture.name,
                format,
                reason,
            };
            let input = fixture
                .input(format, kernel.clips)
                .ok_or_else(|| failed("there is no such clip".to_owned()))?;
            let input = first_frame(&input).map_err(failed)?;
            let outputs = kernel.compute(&input).map_err(|error| failed(error.to_string()))?;
            all.push(Case {
                fixture: fixture.name.to_owned(),
                format,
                outputs: pinned(kernel, outputs),
            });
        }
        Ok(Self { cases: all })
    }
}

fn first_frame(input: &Input) -> Result<Input, String> {
    let clips = input.clips().iter().map(|clip| {
        let first = clip.frames().iter().take(1).cloned().collect();
        Clip::new(input.shape().clone(), first)
    });
    let clips = clips.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    Input::new(clips).map_err(|error| error.to_string())
}

fn samples(shape: &ClipShape) -> u64 {
    shape.planes.iter().map(|plane| plane.samples()).sum()
}

fn pinned(kernel: &Kernel, outputs: Vec<Output>) -> Vec<Pinned> {
    let bytes = |output: &Output| output.values.len() * element_bytes(output.values.kind());
    let whole = outputs.iter().map(bytes).sum::<usize>() <= WHOLE_BYTES;
    let pin = |mut output: Output| {
        if kernel
            .metric(output.metric)
            .is_some_and(|metric| metric.nan == NanPolicy::Class)
        {
            canonical(&mut output.values);
        }
        let (kind, elements) = (output.values.kind(), output.values.to_le_bytes());
        Pinned {
            metric: output.metric.to_owned(),
            frame: output.frame,
            plane: output.plane,
            width: output.width,
            height: output.height,
            kind,
            content: if whole {
                Content::whole(&elements, element_bytes(kind))
            } else {
                Content::Digest(Sha256::digest(&elements).into())
            },
        }
    };
    outputs.into_iter().map(pin).collect()
}

/// Sign and payload of a NaN differ from processor to processor; where NaN agrees with NaN, they mean nothing.
fn canonical(values: &mut Values) {
    match values {
        Values::F32(values) => values.iter_mut().filter(|v| v.is_nan()).for_each(|v| *v = f32::NAN),
        Values::F64(values) => values.iter_mut().filter(|v| v.is_nan()).for_each(|v| *v = f64::NAN),
        Values::U32(_) | Values::U64(_) => {}
    }
}

const fn element_bytes(kind: ElementKind) -> usize {
    match kind {
        ElementKind::F32 | ElementKind::U32 => 4,
        ElementKind::F64 | ElementKind::U64 => 8,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whole_contents_give_their_elements_back(words: Vec<u64>, single: bool) {
            let (kind, values) = if single {
                (ElementKind::U32, Values::U32(words.iter().map(|&word| word as u32).collect()))
            } else {
                (ElementKind::U64, Values::U64(words))
            };
            let Content::Whole(arranged) = Content::whole(&values.to_le_bytes(), element_bytes(kind)) else {
                return Err(TestCaseError::fail("not whole"));
            };
            let back: Vec<_> = Content::values(&arranged, kind).collect();
            let expected: Vec<_> = (0..values.len()).map(|index| values.get(index)).collect();
            prop_assert_eq!(back, expected);
        }
    }
}
