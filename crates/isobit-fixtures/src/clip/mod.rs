//! Readers for the user's own clips: Y4M, PNG and raw planar files.
//!
//! A [`ClipReader`] hands out frames as they are asked for, so a long clip never has to fit in memory. What a file claims
//! about itself is checked before memory is set aside for it, and memory grows only with bytes that are really there.

mod error;
mod planes;
mod png;
#[cfg(test)]
mod tests;
mod y4m;

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use isobit::format::Format;
use isobit::frame::{ClipShape, Frame};

pub use error::ClipError;
pub(crate) use png::decode as decode_png;

/// The largest width and height, in luma samples.
pub const MAX_SIDE: u32 = 65_536;
/// The largest frame, in bytes.
pub const MAX_FRAME_BYTES: u64 = 1 << 30;

/// What a raw file does not say about itself.
///
/// Its frames follow each other without headers, each with its planes in the layout's order and without padding; samples
/// deeper than 8 bits are little-endian, in the low end of 16 bits, and floats are IEEE 754 binary32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawFormat {
    /// Layout and depth.
    pub format: Format,
    /// Width of the frame in luma samples.
    pub width: u32,
    /// Height of the frame in luma samples.
    pub height: u32,
}

/// Reads a clip frame by frame.
pub struct ClipReader {
    path: PathBuf,
    shape: ClipShape,
    source: Source,
    /// Frames that have been read.
    frames: usize,
    failed: bool,
}

enum Source {
    Y4m(Box<dyn BufRead + Send>),
    Raw(Box<dyn BufRead + Send>),
    Image(Option<Frame>),
}

impl ClipReader {
    /// Opens a clip. A file that begins as Y4M or PNG is read as such, whatever its name; any other must not be named
    /// `.y4m` or `.png`, and is read as `raw` says. For Y4M and PNG `raw` is ignored: they state their format themselves.
    ///
    /// # Errors
    /// If the file cannot be read, its header is wrong, its format is not one that can be compared, or it is raw and
    /// `raw` is missing or does not divide it into whole frames.
    pub fn open(path: &Path, raw: Option<RawFormat>) -> Result<Self, ClipError> {
        let unreadable = |source| ClipError::unreadable(path, source);
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        let length = metadata.is_file().then_some(metadata.len());
        Self::from_reader(path, Box::new(BufReader::new(file)), length, raw)
    }

    /// The same for any stream of bytes; `path` is for messages and its extension, `length` is known for regular files.
    fn from_reader(
        path: &Path,
        mut stream: Box<dyn BufRead + Send>,
        length: Option<u64>,
        raw: Option<RawFormat>,
    ) -> Result<Self, ClipError> {
        // A pipe cannot be wound back, so the bytes that were looked at are put in front again.
        let mut start = Vec::new();
        let looked_at = y4m::MAGIC.len().max(png::SIGNATURE.len()) as u64;
        stream
            .by_ref()
            .take(looked_at)
            .read_to_end(&mut start)
            .map_err(|source| ClipError::unreadable(path, source))?;
        let (is_y4m, is_png) = (start.starts_with(y4m::MAGIC), start.starts_with(png::SIGNATURE));
        let mut stream = Box::new(Cursor::new(start).chain(stream));

        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let (shape, source) = if is_y4m {
            (y4m::read_header(path, &mut stream)?, Source::Y4m(stream))
        } else if is_png {
            let (shape, frame) = png::decode(path, png::read_all(path, &mut stream)?)?;
            (shape, Source::Image(Some(frame)))
        } else if extension == "y4m" || extension == "png" {
            let path = path.to_owned();
            let expected = if extension == "y4m" { "Y4M" } else { "PNG" };
            return Err(ClipError::OtherContent { path, expected });
        } else {
            let path = path.to_owned();
            let raw = raw.ok_or_else(|| ClipError::FormatMissing { path: path.clone() })?;
            let shape = checked_shape(&path, raw.format, raw.width, raw.height)?;
            planes::check_length(&path, &shape, length)?;
            (shape, Source::Raw(stream))
        };
        Ok(Self {
            path: path.to_owned(),
            shape,
            source,
            frames: 0,
            failed: false,
        })
    }

    /// The geometry of every frame; never padded.
    pub fn shape(&self) -> &ClipShape {
        &self.shape
    }

    /// Up to `count` next frames; fewer only at the end, and none after it.
    ///
    /// # Errors
    /// If the clip has no frames at all, ends within one, holds a sample beyond its depth, or cannot be read. The clip is
    /// then unusable, and every later call is an error as well: a broken clip cannot be mistaken for a short one.
    pub fn next_frames(&mut self, count: usize) -> Result<Vec<Frame>, ClipError> {
        if self.failed {
            let path = self.path.clone();
            return Err(ClipError::AfterError { path });
        }
        let frames = self.read(count);
        self.failed = frames.is_err();
        frames
    }

    fn read(&mut self, count: usize) -> Result<Vec<Frame>, ClipError> {
        let mut frames = Vec::new();
        while frames.len() < count {
            let Some(frame) = self.next_frame()? else {
                if self.frames == 0 {
                    let path = self.path.clone();
                    return Err(ClipError::NoFrames { path });
                }
                break;
            };
            self.frames += 1;
            frames.push(frame);
        }
        Ok(frames)
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, ClipError> {
        let (path, shape, index) = (&self.path, &self.shape, self.frames);
        match &mut self.source {
            Source::Image(frame) => Ok(frame.take()),
            Source::Raw(stream) => planes::read_frame(path, stream, shape, index),
            Source::Y4m(stream) => {
                if !y4m::read_marker(path, stream, shape, index)? {
                    return Ok(None);
                }
                let frame = planes::read_frame(path, stream, shape, index)?;
                frame
                    .map(Some)
                    .ok_or_else(|| ClipError::truncated(path, index, shape, 0))
            }
        }
    }
}

/// Reads a size such as `1920x1080`: width and height in luma samples, each at least 1.
///
/// # Errors
/// If the text is anything else.
pub fn parse_size(text: &str) -> Result<(u32, u32), ClipError> {
    let size = text.split_once(['x', 'X', '×']);
    size.and_then(|(width, height)| Some((parse_side(width.as_bytes())?, parse_side(height.as_bytes())?)))
        .filter(|&(width, height)| width > 0 && height > 0)
        .ok_or_else(|| ClipError::SizeText { text: text.to_owned() })
}

/// A decimal number without sign or blanks.
fn parse_side(digits: &[u8]) -> Option<u32> {
    let plain = digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| plain)?.parse().ok()
}

/// A tight shape, if its size is one that a frame can have.
fn checked_shape(path: &Path, format: Format, width: u32, height: u32) -> Result<ClipShape, ClipError> {
    let sides = 1..=MAX_SIDE;
    if sides.contains(&width) && sides.contains(&height) {
        // The product of two sides is at most 2^32, so four bytes for three planes stay far below 2^64.
        let bytes = (0..format.layout.planes()).map(|plane| {
            let (w, h) = format.layout.plane_size(plane, width, height);
            u64::from(w) * u64::from(h) * format.depth.bytes() as u64
        });
        if bytes.sum::<u64>() <= MAX_FRAME_BYTES {
            return Ok(ClipShape::tight(format, width, height));
        }
    }
    let path = path.to_owned();
    Err(ClipError::Size { path, width, height })
}
