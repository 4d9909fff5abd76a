//! The inputs and the references' results, made once and shared by every lane and twin that needs them.
//!
//! Only a few are alive at a time: a lane that is ahead waits for the one behind before it opens another. All lanes meet
//! the cases in the same order, so the one behind never waits for the one ahead.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::Kernel;
use isobit::output::Output;
use isobit_fixtures::clip::RawFormat;
use isobit_gate::cell::{Case, Cell, Source};

use crate::segments::{self, Readers, Segment};

/// How long a lane that is ahead waits for the others. Beyond it memory matters less than progress: a lane that hangs over
/// one cell must not hold up the rest.
const PATIENCE: Duration = Duration::from_secs(2);

/// An input with the reference's results.
pub struct CaseData {
    /// The clips, or a segment of them with the frames around it that its outputs depend on.
    pub input: Input,
    /// What the reference yields, frames counted from the start of the clip.
    pub reference: Result<Vec<Output>, String>,
    /// The frames of the clip that are judged here.
    pub frames: Range<usize>,
    /// The number of frames before the first of `input`.
    pub first_frame: usize,
    /// Whether nothing can follow.
    pub last: bool,
    /// Milliseconds that making it took.
    pub made_in_ms: f64,
}

/// The clips that a user named.
#[derive(Clone, Debug)]
pub struct UserClips {
    /// One path, or a reference and a distorted one.
    pub paths: Vec<Utf8PathBuf>,
    /// How to read a raw file.
    pub raw: Option<RawFormat>,
}

impl UserClips {
    /// The geometry that the clips share.
    ///
    /// # Errors
    /// If one cannot be read, or they differ.
    pub fn shape(&self) -> Result<ClipShape, String> {
        let mut shapes = self.paths.iter().map(|path| -> Result<_, String> {
            let reader = segments::open(path, self.raw.as_ref())?;
            Ok((path, reader.shape().clone()))
        });
        let Some(first) = shapes.next() else {
            return Err("no clip was named".to_owned());
        };
        let (first_path, first) = first?;
        for other in shapes {
            let (path, shape) = other?;
            if shape != first {
                let name = |s: &ClipShape| format!("{} {}x{}", s.format, s.width, s.height);
                return Err(format!(
                    "`{first_path}` is {} and `{path}` is {}: a reference and a distorted clip have one format and size",
                    name(&first),
                    name(&shape)
                ));
            }
        }
        Ok(first)
    }
}

/// Identifies one segment of a case.
type Key = (Case, usize);

/// The cases that are alive.
pub struct Cases {
    clips: Option<UserClips>,
    most_alive: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    slots: HashMap<Key, Slot>,
    readers: HashMap<Case, Readers>,
    /// How many cells have yet to ask for a case.
    claims: HashMap<Case, usize>,
}

enum Slot {
    /// Somebody is making it.
    Making,
    Made {
        data: Option<Result<Arc<CaseData>, Arc<str>>>,
        users_left: usize,
    },
}

/// Why a case could not be made.
#[derive(Clone, Debug)]
pub struct CaseError(Arc<str>);

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Cases {
    /// The cases of `cells`, of which `most_alive` may be alive; more than there are workers.
    pub fn new(cells: &[Cell], clips: Option<UserClips>, most_alive: usize) -> Self {
        let mut claims = HashMap::new();
        for cell in cells {
            *claims.entry(cell.case()).or_insert(0) += 1;
        }
        Self {
            clips,
            most_alive,
            state: Mutex::new(State {
                claims,
                ..State::default()
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A reference that panics is caught where it is called; the state is whole at every unlock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Segment `index` of the case of `cell`; `None` behind the last. Each cell asks for its segments in order, and ends with
    /// [`Cases::release`].
    ///
    /// # Errors
    /// If the fixture or the clip cannot be made.
    pub fn get(&self, cell: &Cell, index: usize) -> Result<Option<Arc<CaseData>>, CaseError> {
        let key = (cell.case(), index);
        let mut state = self.lock();
        loop {
            let room = state.slots.len() < self.most_alive;
            match state.slots.get_mut(&key) {
                Some(Slot::Making) => {}
                Some(Slot::Made { data, users_left }) => {
                    *users_left -= 1;
                    let last = *users_left == 0;
                    let taken = data.clone();
                    if last {
                        state.slots.remove(&key);
                        self.changed.notify_all();
                    }
                    return taken.transpose().map_err(CaseError);
                }
                None if room => break,
                None => {}
            }
            let waited = self
                .changed
                .wait_timeout(state, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            if waited.1.timed_out() && !state.slots.contains_key(&key) {
                break;
            }
        }
        state.slots.insert(key.clone(), Slot::Making);
        let readers = state.readers.remove(&key.0);
        drop(state);

        let (data, readers) = self.make(cell, readers);
        let taken = data.clone();
        let mut state = self.lock();
        if let Some(readers) = readers {
            state.readers.insert(key.0.clone(), readers);
        }
        match state.claims.get(&key.0).copied().unwrap_or(1) - 1 {
            0 => state.slots.remove(&key),
            users_left => state.slots.insert(key, Slot::Made { data, users_left }),
        };
        self.changed.notify_all();
        taken.transpose().map_err(CaseError)
    }

    /// Gives up the claim of `cell` on the segments from `index` on that it has not asked for.
    pub fn release(&self, cell: &Cell, index: usize) {
        let case = cell.case();
        let mut state = self.lock();
        if let Some(claims) = state.claims.get_mut(&case) {
            *claims = claims.saturating_sub(1);
        }
        state.slots.retain(|(of, segment), slot| match slot {
            Slot::Made { users_left, .. } if *of == case && *segment >= index => {
                *users_left -= 1;
                *users_left > 0
            }
            _ => true,
        });
        self.changed.notify_all();
    }

    #[expect(clippy::type_complexity, reason = "the two halves go to two places of one state")]
    fn make(
        &self,
        cell: &Cell,
        readers: Option<Readers>,
    ) -> (Option<Result<Arc<CaseData>, Arc<str>>>, Option<Readers>) {
        let start = Instant::now();
        let (segment, readers) = match &cell.source {
            Source::Fixture(fixture) => match fixture.input(cell.format, cell.kernel.clips) {
                Some(input) => (Segment::whole(input), None),
                None => {
                    let message = format!("fixture `{}` has no clips in {}", fixture.name, cell.format);
                    return (Some(Err(message.into())), None);
                }
            },
            Source::Clip { .. } => match self.segment(cell.kernel, readers) {
                Ok((Some(segment), readers)) => (segment, Some(readers)),
                Ok((None, _)) => return (None, None),
                Err(message) => return (Some(Err(message.into())), None),
            },
        };
        let reference = reference(cell.kernel, &segment);
        let Segment {
            input,
            first_frame,
            frames,
        } = segment;
        let data = CaseData {
            input,
            reference,
            frames,
            first_frame,
            last: matches!(cell.source, Source::Fixture(_)),
            made_in_ms: start.elapsed().as_secs_f64() * 1e3,
        };
        (Some(Ok(Arc::new(data))), readers)
    }

    fn segment(&self, kernel: &Kernel, readers: Option<Readers>) -> Result<(Option<Segment>, Readers), String> {
        let clips = self.clips.as_ref().ok_or("no clip was named")?;
        let paths = &clips.paths[..kernel.clips.min(clips.paths.len())];
        let mut readers = match readers {
            Some(readers) => readers,
            None => Readers::open(paths, clips.raw.as_ref())?,
        };
        let segment = readers.next(paths, kernel.window)?;
        Ok((segment, readers))
    }
}

/// The reference's results; a reference that panics is a fault of its cells, not of the run.
fn reference(kernel: &Kernel, segment: &Segment) -> Result<Vec<Output>, String> {
    let result = std::panic::catch_unwind(|| kernel.compute(&segment.input));
    let outputs = match result {
        Ok(result) => result.map_err(|error| error.to_string())?,
        Err(panic) => return Err(format!("the reference panicked: {}", panic_message(&*panic))),
    };
    Ok(judged(outputs, segment.first_frame, &segment.frames))
}

/// Those of `outputs`, whose frames are counted from `first_frame`, that are of `frames`, counted from the start of the clip.
pub fn judged(mut outputs: Vec<Output>, first_frame: usize, frames: &Range<usize>) -> Vec<Output> {
    for output in &mut outputs {
        output.frame += first_frame;
    }
    outputs.retain(|output| frames.contains(&output.frame));
    outputs
}

/// What a panic said.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
