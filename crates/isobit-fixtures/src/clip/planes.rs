//! The samples of one frame from a stream of bytes: whole, and within their depth.

use std::io::{BufRead, Read};
use std::path::Path;

use isobit::frame::{ClipShape, Frame, Plane};

use super::ClipError;

/// Bytes set aside for a plane before any of it has been read; beyond them memory grows with what is there.
const FIRST_ALLOCATION: usize = 16 << 20;

/// The next frame; `None` if the stream ends before its first byte.
pub fn read_frame(
    path: &Path,
    stream: &mut impl BufRead,
    shape: &ClipShape,
    index: usize,
) -> Result<Option<Frame>, ClipError> {
    let mut planes = Vec::with_capacity(shape.planes.len());
    let mut present = 0;
    for (number, &plane_shape) in shape.planes.iter().enumerate() {
        let expected = plane_shape.bytes();
        let mut bytes = Vec::with_capacity(expected.min(FIRST_ALLOCATION));
        let read = stream.by_ref().take(expected as u64).read_to_end(&mut bytes);
        present += read.map_err(|source| ClipError::unreadable(path, source))? as u64;
        if present == 0 {
            return Ok(None);
        }
        // The only fault that bytes read for a tight shape can have is that there are too few of them.
        let plane = Plane::new(plane_shape, shape.format.depth, bytes)
            .map_err(|_| ClipError::truncated(path, index, shape, present))?;
        check_codes(path, shape, index, number, &plane)?;
        planes.push(plane);
    }
    Ok(Some(Frame { planes }))
}

/// Refuses a raw file of known length that is not a whole number of frames.
pub fn check_length(path: &Path, shape: &ClipShape, length: Option<u64>) -> Result<(), ClipError> {
    let frame_bytes = shape.frame_bytes() as u64;
    match length {
        Some(bytes) if !bytes.is_multiple_of(frame_bytes) => Err(ClipError::Length {
            path: path.to_owned(),
            bytes,
            format: shape.format,
            width: shape.width,
            height: shape.height,
            frame_bytes,
        }),
        Some(0) => Err(ClipError::NoFrames { path: path.to_owned() }),
        _ => Ok(()),
    }
}

fn check_codes(path: &Path, shape: &ClipShape, frame: usize, plane: usize, samples: &Plane) -> Result<(), ClipError> {
    let depth = shape.format.depth;
    // A storage that its depth fills has no code to refuse.
    let Some(max) = depth.max_code().filter(|_| depth.bits() < 8 * depth.bytes() as u32) else {
        return Ok(());
    };
    for y in 0..samples.shape().height {
        if let Some((x, code)) = (0..).zip(samples.codes(y)).find(|&(_, code)| code > max) {
            return Err(ClipError::Code {
                path: path.to_owned(),
                frame,
                plane: shape.format.layout.plane_names()[plane],
                x,
                y,
                code,
                max,
                depth,
            });
        }
    }
    Ok(())
}
