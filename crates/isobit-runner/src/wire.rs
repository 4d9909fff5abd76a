//! The protocol between the controller and a worker: one frame a message, a JSON header and the bytes behind it.
//!
//! A frame is the header's length as a little-endian `u32`, the header, and then the blobs whose lengths the header
//! lists. The protocol names no kernel: a worker receives a plan and the bytes of an input, and returns the bytes of the
//! output buffers. A worker in any language can speak it.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use isobit::execution::{
    AdapterFacts, AdapterRequest, BufferFault, Execution, ExecutionError, Phases, Readback, Timing,
};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::Plan;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What the controller asks of a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Open the adapter; the first message.
    Open {
        /// The adapter that the lane must see.
        adapter: AdapterRequest,
    },
    /// Run a plan. The blobs are the planes of the input: clip by clip, frame by frame, plane by plane.
    Run {
        /// The plan.
        plan: Box<Plan>,
        /// The geometry of every frame.
        shape: ClipShape,
        /// Clips in the input.
        clips: usize,
        /// Frames in each clip.
        frames: usize,
        /// How long the device may take for one wait, in milliseconds.
        limit_ms: u64,
    },
    /// Measure how long plans take for the last frame. The blobs are the planes of the input, as for [`Request::Run`].
    Time {
        /// The plans, which take turns.
        plans: Vec<Plan>,
        /// The geometry of every frame.
        shape: ClipShape,
        /// Clips in the input.
        clips: usize,
        /// Frames in each clip.
        frames: usize,
        /// Turns of each plan.
        rounds: usize,
        /// How long the device may take for one wait, in milliseconds.
        limit_ms: u64,
    },
    /// Measure how long a plan takes for all frames from upload to read-back. The blobs are the planes of the input, as for
    /// [`Request::Run`].
    Phases {
        /// The plan.
        plan: Box<Plan>,
        /// The geometry of every frame.
        shape: ClipShape,
        /// Clips in the input.
        clips: usize,
        /// Frames in each clip.
        frames: usize,
        /// Runs over all frames.
        rounds: usize,
        /// How long the device may take for one wait, in milliseconds.
        limit_ms: u64,
    },
}

/// What a worker answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The adapter is open.
    Opened {
        /// What it says of itself.
        adapter: Box<AdapterFacts>,
    },
    /// The plan ran. The blobs are the output buffers of each frame, in the order of their names.
    Ran {
        /// The names of the output buffers.
        buffers: Vec<String>,
        /// Frames that ran.
        frames: usize,
        /// What was found in the buffers.
        faults: Vec<BufferFault>,
        /// Where the time went.
        timing: Timing,
    },
    /// The plans were timed.
    Timed {
        /// Nanoseconds of one frame, a plan each.
        nanoseconds: Vec<u64>,
    },
    /// The plan was timed. The blobs are the output buffers of each frame, in the order of their names.
    Phased {
        /// The names of the output buffers.
        buffers: Vec<String>,
        /// One entry a run.
        rounds: Vec<Phases>,
    },
    /// It did not succeed.
    Failed {
        /// Why.
        error: ExecutionError,
    },
}

#[derive(Serialize, Deserialize)]
struct Header<T> {
    message: T,
    blobs: Vec<u64>,
}

/// Writes a message and its blobs.
///
/// # Errors
/// Those of the writer.
pub fn send(to: &mut impl Write, message: &impl Serialize, blobs: &[&[u8]]) -> io::Result<()> {
    let header = serde_json::to_vec(&Header {
        message,
        blobs: blobs.iter().map(|blob| blob.len() as u64).collect(),
    })?;
    let length = u32::try_from(header.len()).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&header)?;
    for blob in blobs {
        to.write_all(blob)?;
    }
    to.flush()
}

/// Reads a message and its blobs; `None` where the other side closed the stream between two messages.
///
/// # Errors
/// Those of the reader, and `InvalidData` for what is not a message.
pub fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<(T, Vec<Vec<u8>>)>> {
    let mut length = [0; 4];
    match from.read(&mut length[..1])? {
        0 => return Ok(None),
        _ => from.read_exact(&mut length[1..])?,
    }
    let header = take(from, u64::from(u32::from_le_bytes(length)))?;
    let header: Header<T> = serde_json::from_slice(&header)?;
    let blobs = header.blobs.iter().map(|&length| take(from, length));
    Ok(Some((header.message, blobs.collect::<io::Result<_>>()?)))
}

/// Grows with what really arrives, so that a length out of a damaged header allocates nothing.
fn take(from: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    const TRUSTED: u64 = 64 << 20;
    let mut bytes = Vec::with_capacity(length.min(TRUSTED) as usize);
    let read = from.take(length).read_to_end(&mut bytes)?;
    if read as u64 == length {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// The blobs of an input.
pub fn input_blobs(input: &Input) -> Vec<&[u8]> {
    let planes = input
        .clips()
        .iter()
        .flat_map(Clip::frames)
        .flat_map(|frame| &frame.planes);
    planes.map(Plane::bytes).collect()
}

/// The input that [`input_blobs`] took apart.
///
/// # Errors
/// If the blobs are not those of such an input.
pub fn input(shape: &ClipShape, clips: usize, frames: usize, blobs: Vec<Vec<u8>>) -> Result<Input, String> {
    if clips == 0 || frames == 0 || blobs.len() != clips * frames * shape.planes.len() {
        return Err(format!("{} blobs for {clips} clips of {frames} frames", blobs.len()));
    }
    let mut blobs = blobs.into_iter();
    let mut frame = || -> Result<Frame, String> {
        let planes = blobs.by_ref().zip(&shape.planes).take(shape.planes.len());
        let planes = planes.map(|(bytes, plane)| Plane::new(*plane, shape.format.depth, bytes));
        Ok(Frame {
            planes: planes.collect::<Result<_, _>>().map_err(|error| error.to_string())?,
        })
    };
    let mut clip = || -> Result<Clip, String> {
        let frames = (0..frames).map(|_| frame()).collect::<Result<_, _>>()?;
        Clip::new(shape.clone(), frames).map_err(|error| error.to_string())
    };
    let clips = (0..clips).map(|_| clip()).collect::<Result<_, _>>()?;
    Input::new(clips).map_err(|error| error.to_string())
}

/// The answer to a run, and its blobs.
pub fn ran(execution: &Execution) -> (Answer, Vec<&[u8]>) {
    let (buffers, blobs) = apart(&execution.frames);
    let answer = Answer::Ran {
        buffers,
        frames: execution.frames.len(),
        faults: execution.faults.clone(),
        timing: execution.timing,
    };
    (answer, blobs)
}

/// The answer to a request for phases, and its blobs.
pub fn phased(left: &[Readback], rounds: Vec<Phases>) -> (Answer, Vec<&[u8]>) {
    let (buffers, blobs) = apart(left);
    (Answer::Phased { buffers, rounds }, blobs)
}

/// The names of the output buffers, and what each frame left in them.
fn apart(left: &[Readback]) -> (Vec<String>, Vec<&[u8]>) {
    let names = left.first().map(|frame| frame.buffers.keys().cloned().collect());
    let blobs = left.iter().flat_map(|frame| frame.buffers.values());
    (names.unwrap_or_default(), blobs.map(Vec::as_slice).collect())
}

/// The read-backs that [`ran`] or [`phased`] took apart.
///
/// # Errors
/// If the blobs are not those of so many frames.
pub fn readbacks(names: &[String], frames: usize, blobs: Vec<Vec<u8>>) -> Result<Vec<Readback>, String> {
    if blobs.len() != names.len() * frames {
        return Err(format!(
            "{} blobs for {frames} frames of {} buffers",
            blobs.len(),
            names.len()
        ));
    }
    let mut blobs = blobs.into_iter();
    let mut readback = || Readback {
        buffers: names
            .iter()
            .cloned()
            .zip(blobs.by_ref().take(names.len()))
            .collect::<BTreeMap<_, _>>(),
    };
    Ok((0..frames).map(|_| readback()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobit::format::{Depth, Format, Layout};

    #[test]
    fn a_message_survives_with_its_blobs() {
        let mut stream = Vec::new();
        send(&mut stream, &"first", &[b"abc", b""]).unwrap();
        send(&mut stream, &"second", &[]).unwrap();
        let mut reader = stream.as_slice();
        let (message, blobs) = receive::<String>(&mut reader).unwrap().unwrap();
        assert_eq!((message.as_str(), blobs), ("first", vec![b"abc".to_vec(), Vec::new()]));
        assert_eq!(receive::<String>(&mut reader).unwrap().unwrap().0, "second");
        assert!(receive::<String>(&mut reader).unwrap().is_none());
    }

    #[test]
    fn a_stream_cut_anywhere_is_an_error_and_no_panic() {
        let mut stream = Vec::new();
        send(&mut stream, &"message", &[b"abcdef"]).unwrap();
        for length in 1..stream.len() {
            assert!(receive::<String>(&mut &stream[..length]).is_err(), "{length}");
        }
        assert!(receive::<String>(&mut [255u8; 64].as_slice()).is_err());
    }

    #[test]
    fn an_input_survives() {
        let shape = ClipShape::padded(Format::new(Layout::Yuv420, Depth::U10), 3, 3, 1);
        let frame = |seed: u8| Frame {
            planes: (shape.planes.iter())
                .map(|plane| Plane::new(*plane, Depth::U10, vec![seed; plane.bytes()]).unwrap())
                .collect(),
        };
        let clip = |seed| Clip::new(shape.clone(), vec![frame(seed), frame(seed + 1)]).unwrap();
        let original = Input::new(vec![clip(1), clip(5)]).unwrap();
        let blobs: Vec<_> = input_blobs(&original).into_iter().map(<[u8]>::to_vec).collect();
        assert_eq!(input(&shape, 2, 2, blobs.clone()).unwrap(), original);
        assert!(input(&shape, 2, 3, blobs).is_err());
    }

    #[test]
    fn a_request_survives() {
        let plan = Plan::new("")
            .output("sums", 2, 8)
            .dispatch("main", &["sums"], 3)
            .clear("sums");
        let request = Request::Run {
            plan: Box::new(plan.clone()),
            shape: ClipShape::tight(Format::new(Layout::Rgb, Depth::F32), 3, 2),
            clips: 1,
            frames: 1,
            limit_ms: 5,
        };
        let mut stream = Vec::new();
        send(&mut stream, &request, &[]).unwrap();
        let (received, _) = receive::<Request>(&mut stream.as_slice()).unwrap().unwrap();
        assert!(matches!(received, Request::Run { plan: received, .. } if *received == plan));
    }

    #[test]
    fn an_execution_survives() {
        let readback = |byte: u8| Readback {
            buffers: BTreeMap::from([("a".to_owned(), vec![byte; 4]), ("b".to_owned(), vec![byte; 8])]),
        };
        let execution = Execution {
            frames: vec![readback(1), readback(2)],
            ..Execution::default()
        };
        let (answer, blobs) = ran(&execution);
        let Answer::Ran { buffers, frames, .. } = answer else {
            panic!("{answer:?}");
        };
        let blobs: Vec<_> = blobs.into_iter().map(<[u8]>::to_vec).collect();
        assert_eq!(readbacks(&buffers, frames, blobs).unwrap(), execution.frames);
    }
}
