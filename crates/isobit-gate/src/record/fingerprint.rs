//! Hashes of what a twin was measured against, computable without a device.

use std::collections::BTreeMap;
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
/// The check of a fingerprint runs before every commit and has two seconds. Larger cases exercise the size of a dispatch
/// rather than the arithmetic, which the smaller ones pin; of those the plan and the pinned fixture remain.
pub const SAMPLES_HASHED: u64 = 1 << 20;

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
        let mut all = Self::of_each(&[kernel]);
        all.remove(0)
    }

    /// The same for several kernels, in their order; clips that some of them share are made once. What one yields depends on
    /// no other.
    pub fn of_each(kernels: &[&'static Kernel]) -> Vec<Result<Self, RecordError>> {
        let mut jobs: Vec<Job> = Vec::new();
        for (index, &kernel) in kernels.iter().enumerate() {
            for (case, (fixture, format, shape)) in judged(kernel).into_iter().enumerate() {
                let place = (index, case);
                let same =
                    |job: &&mut Job| (job.fixture.name, job.format, job.clips) == (fixture.name, format, kernel.clips);
                match jobs.iter_mut().find(same) {
                    Some(job) => job.kernels.push((place, kernel)),
                    None => jobs.push(Job {
                        fixture,
                        format,
                        shape,
                        clips: kernel.clips,
                        kernels: vec![(place, kernel)],
                    }),
                }
            }
        }
        let digests = in_parallel(&jobs, Job::run);
        let named = jobs.iter().zip(digests);
        // Jobs are in an order that all kernels have a part in; the cases of each are hashed in its own.
        let placed: BTreeMap<Place, _> = named
            .flat_map(|(job, digests)| digests.into_iter().map(move |(place, digest)| (place, (job, digest))))
            .collect();
        let summed = kernels.iter().enumerate().map(|(index, _)| {
            let (mut references, mut fixtures) = (Sha256::new(), Sha256::new());
            for (job, digest) in placed.range((index, 0)..(index + 1, 0)).map(|(_, found)| found) {
                let Digests { reference, pin } = digest.as_ref().map_err(RecordError::clone)?;
                references.update(format!("{} {}\t{reference}\n", job.format, job.fixture.name));
                fixtures.update(format!("{} {}\t{pin}\n", job.format, job.fixture.name));
            }
            Ok(Self {
                references: format!("{:x}", references.finalize()),
                fixtures: format!("{:x}", fixtures.finalize()),
            })
        });
        summed.collect()
    }
}

/// The clips of one fixture in one format, and the kernels that take them.
struct Job {
    fixture: &'static Fixture,
    format: Format,
    shape: ClipShape,
    clips: usize,
    /// Each with its place in the list that was asked for.
    kernels: Vec<(Place, &'static Kernel)>,
}

/// The place of a kernel among those that were asked for, and of the case among the kernel's own.
type Place = (usize, usize);

/// What one case adds to a kernel's hashes.
struct Digests {
    /// Of the reference's results; empty for a case that is too large.
    reference: String,
    /// Of the clips that go in.
    pin: &'static str,
}

impl Job {
    /// The digests of each kernel, with its place.
    fn run(&self) -> Vec<(Place, Result<Digests, RecordError>)> {
        let samples: u64 = self.shape.planes.iter().map(|plane| plane.samples()).sum();
        let small = samples * self.fixture.frames() as u64 <= SAMPLES_HASHED;
        let input = if small {
            self.fixture.input(self.format, self.clips)
        } else {
            None
        };
        let digests = |kernel: &'static Kernel| {
            let failed = |reason: String| RecordError::Fingerprint {
                kernel: kernel.name,
                twin: "reference",
                case: format!("{} {}", self.format, self.fixture.name),
                reason,
            };
            let pin = isobit_fixtures::pinned(self.fixture.name, self.format, self.clips)
                .ok_or_else(|| failed("the fixture is not pinned".to_owned()))?;
            let outputs = input.as_ref().map(|input| kernel.compute(input)).transpose();
            let outputs = outputs.map_err(|error| failed(error.to_string()))?;
            Ok(Digests {
                reference: outputs.map(|outputs| hash(&outputs)).unwrap_or_default(),
                pin,
            })
        };
        self.kernels
            .iter()
            .map(|&(place, kernel)| (place, digests(kernel)))
            .collect()
    }
}

/// SHA-256 of outputs: what they are for, and their elements.
fn hash(outputs: &[Output]) -> String {
    let mut hash = Sha256::new();
    for output in outputs {
        let (metric, frame, plane) = (output.metric, output.frame, output.plane);
        let (width, height, kind) = (output.width, output.height, output.values.kind());
        hash.update(format!("{metric}\t{frame}\t{plane}\t{width}x{height}\t{kind:?}\n"));
        hash.update(output.values.to_le_bytes());
    }
    format!("{:x}", hash.finalize())
}

/// Applies `work` to every item on all processors, and returns the results in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: fn(&T) -> R) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let take = || {
            let mine = std::iter::from_fn(|| {
                let index = next.fetch_add(1, Ordering::Relaxed);
                Some((index, work(items.get(index)?)))
            });
            mine.collect::<Vec<_>>()
        };
        let handles: Vec<_> = (0..workers.min(items.len())).map(|_| scope.spawn(take)).collect();
        let joined = handles.into_iter().map(|handle| match handle.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
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
            let all = kernel.plans(twin, &case.2, case.0.frames());
            for mut plan in all.map_err(|error| failed(error.to_string()))? {
                for (module, source) in &mut plan.modules {
                    let wgsl = std::mem::take(&mut source.wgsl);
                    shaders.update(format!("{}\t{module}\t{}\n{wgsl}\n", name(&case), wgsl.len()));
                }
                let rest = serde_json::to_string(&plan).map_err(|error| failed(error.to_string()))?;
                plans.update(format!("{}\t{rest}\n", name(&case)));
            }
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
        .filter(|(_, _, shape)| kernel.refusal(shape).is_none())
        .collect()
}

fn name((fixture, format, _): &Case) -> String {
    format!("{format} {}", fixture.name)
}
