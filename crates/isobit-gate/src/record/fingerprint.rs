//! Hashes of what a twin was measured against, computable without a device.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use isobit::format::Format;
use isobit::frame::ClipShape;
use isobit::kernel::{Kernel, Twin};
use isobit::output::Output;
use isobit_fixtures::Fixture;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::RecordError;
use crate::cell::cases;

/// Samples of one clip, over all frames and planes, up to which the reference's results are part of a fingerprint.
///
/// Larger cases take seconds to compute and exercise the size of a dispatch rather than the arithmetic, which the smaller
/// ones pin; of those the plan and the pinned fixture remain in the fingerprint.
pub const SAMPLES_HASHED: u64 = 1 << 22;

/// Hashes of what a twin was measured against; SHA-256 in hexadecimal, over all cases of the kernel's matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// The WGSL of every module.
    pub shaders: String,
    /// Buffers, steps and dispatch sizes.
    pub plans: String,
    /// The bytes that the reference yields; see [`SAMPLES_HASHED`].
    pub references: String,
    /// The pins of the clips that go in.
    pub fixtures: String,
}

/// The part of a fingerprint that all twins of a kernel share, and that takes time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// As in [`Fingerprint`].
    references: String,
    /// As in [`Fingerprint`].
    fixtures: String,
}

type Case = (&'static Fixture, Format, ClipShape);

impl Reference {
    /// Runs the reference over the kernel's matrix, on all processors.
    ///
    /// # Errors
    /// If the reference has no result for a case that the kernel does not refuse.
    pub fn of(kernel: &'static Kernel) -> Result<Self, RecordError> {
        let cases = judged(kernel);
        let next = AtomicUsize::new(0);
        let workers = thread::available_parallelism()
            .map_or(1, usize::from)
            .min(cases.len().max(1));
        let mut digests = thread::scope(|scope| {
            let work = || {
                let mine = std::iter::from_fn(|| {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    Some((index, digest(kernel, cases.get(index)?)))
                });
                mine.collect::<Vec<_>>()
            };
            let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let joined = handles.into_iter().map(|handle| match handle.join() {
                Ok(digests) => digests,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.flatten().collect::<Vec<_>>()
        });
        digests.sort_by_key(|(index, _)| *index);
        let (mut references, mut fixtures) = (Sha256::new(), Sha256::new());
        for ((_, digest), case) in digests.into_iter().zip(&cases) {
            let (reference, pin) = digest?;
            for (hash, part) in [(&mut references, reference), (&mut fixtures, pin)] {
                hash.update(format!("{}\t{part}\n", name(case)));
            }
        }
        Ok(Self {
            references: format!("{:x}", references.finalize()),
            fixtures: format!("{:x}", fixtures.finalize()),
        })
    }
}

impl Fingerprint {
    /// The fingerprint of `twin`, with the shared part computed beforehand.
    ///
    /// # Errors
    /// If the twin has no plan for a case that the kernel does not refuse.
    pub fn of(kernel: &'static Kernel, twin: &'static Twin, reference: &Reference) -> Result<Self, RecordError> {
        let (mut shaders, mut plans) = (Sha256::new(), Sha256::new());
        for case in judged(kernel) {
            let failed = |reason: String| RecordError::Fingerprint {
                kernel: kernel.name,
                twin: twin.name,
                case: name(&case),
                reason,
            };
            let mut plan = (twin.plan)(&case.2).map_err(|error| failed(error.to_string()))?;
            for (module, source) in &mut plan.modules {
                let wgsl = std::mem::take(&mut source.wgsl);
                shaders.update(format!("{}\t{module}\t{}\n{wgsl}\n", name(&case), wgsl.len()));
            }
            let rest = serde_json::to_string(&plan).map_err(|error| failed(error.to_string()))?;
            plans.update(format!("{}\t{rest}\n", name(&case)));
        }
        Ok(Self {
            shaders: format!("{:x}", shaders.finalize()),
            plans: format!("{:x}", plans.finalize()),
            references: reference.references.clone(),
            fixtures: reference.fixtures.clone(),
        })
    }
}

/// The cases that run: all but those that the kernel refuses.
fn judged(kernel: &Kernel) -> Vec<Case> {
    cases(kernel)
        .filter(|(_, _, shape)| (kernel.refuses)(shape).is_none())
        .collect()
}

fn name((fixture, format, _): &Case) -> String {
    format!("{format} {}", fixture.name)
}

/// Hashes of the reference's results (empty for a case that is too large) and of the clips that go in.
fn digest(kernel: &'static Kernel, case: &Case) -> Result<(String, String), RecordError> {
    let (fixture, format, shape) = case;
    let failed = |reason: String| RecordError::Fingerprint {
        kernel: kernel.name,
        twin: "reference",
        case: name(case),
        reason,
    };
    let pin = isobit_fixtures::pinned(fixture.name, *format, kernel.clips)
        .ok_or_else(|| failed("the fixture is not pinned".to_owned()))?;
    let samples: u64 = shape.planes.iter().map(|plane| plane.samples()).sum();
    if samples * fixture.frames() as u64 > SAMPLES_HASHED {
        return Ok((String::new(), pin.to_owned()));
    }
    let input = fixture
        .input(*format, kernel.clips)
        .ok_or_else(|| failed("the fixture does not exist".to_owned()))?;
    let outputs = (kernel.reference)(&input).map_err(|error| failed(error.to_string()))?;
    let mut hash = Sha256::new();
    for output in &outputs {
        hash.update(describe(output));
        hash.update(output.values.to_le_bytes());
    }
    Ok((format!("{:x}", hash.finalize()), pin.to_owned()))
}

fn describe(output: &Output) -> String {
    let Output {
        metric,
        frame,
        plane,
        width,
        height,
        values,
    } = output;
    format!("{metric}\t{frame}\t{plane}\t{width}x{height}\t{:?}\n", values.kind())
}
