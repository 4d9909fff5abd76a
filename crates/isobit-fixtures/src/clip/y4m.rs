//! The headers of YUV4MPEG2 files, as mjpegtools' `yuv4mpeg(5)` and FFmpeg's `yuv4mpegenc.c` define them.
//!
//! The `y4m` crate is not used for reading: it ends at headers of 1,024 bytes, knows neither 16 bits nor `mono10` and
//! `mono16`, multiplies sizes without a check, and reports a file that ends within a frame as one that ends after it.

use std::io::{BufRead, Read};
use std::path::Path;

use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;

use super::{ClipError, checked_shape, parse_side};

/// How a file begins.
pub const MAGIC: &[u8] = b"YUV4MPEG2 ";

/// The longest header of a file or a frame, in bytes: comments and extensions may be long, a missing line end endless.
const MAX_HEADER: u64 = 1 << 20;

/// The colour spaces. The three sitings of 8-bit 4:2:0 store the same samples.
const COLOUR_SPACES: [(&str, Layout, Depth); 19] = [
    ("420", Layout::Yuv420, Depth::U8),
    ("420jpeg", Layout::Yuv420, Depth::U8),
    ("420mpeg2", Layout::Yuv420, Depth::U8),
    ("420paldv", Layout::Yuv420, Depth::U8),
    ("420p10", Layout::Yuv420, Depth::U10),
    ("420p12", Layout::Yuv420, Depth::U12),
    ("420p16", Layout::Yuv420, Depth::U16),
    ("422", Layout::Yuv422, Depth::U8),
    ("422p10", Layout::Yuv422, Depth::U10),
    ("422p12", Layout::Yuv422, Depth::U12),
    ("422p16", Layout::Yuv422, Depth::U16),
    ("444", Layout::Yuv444, Depth::U8),
    ("444p10", Layout::Yuv444, Depth::U10),
    ("444p12", Layout::Yuv444, Depth::U12),
    ("444p16", Layout::Yuv444, Depth::U16),
    ("mono", Layout::Mono, Depth::U8),
    ("mono10", Layout::Mono, Depth::U10),
    ("mono12", Layout::Mono, Depth::U12),
    ("mono16", Layout::Mono, Depth::U16),
];

/// Reads the line with which a file begins.
///
/// Frame rate, aspect and interlacing do not change the samples and are passed over. A file without colour space is 8-bit
/// 4:2:0, unless mjpegtools' older extension `XYSCSS` names another.
pub fn read_header(path: &Path, stream: &mut impl BufRead) -> Result<ClipShape, ClipError> {
    let line = read_line(path, stream)?;
    let Line::Whole(line) = line else {
        return Err(ClipError::header(path, line.fault()));
    };
    let parameters = line.strip_prefix(MAGIC).unwrap_or_default();

    let (mut width, mut height, mut tag, mut extension) = (None, None, None, None);
    for parameter in parameters.split(|&byte| byte == b' ') {
        match parameter {
            [b'W', digits @ ..] => width = Some(side(path, parameter, digits)?),
            [b'H', digits @ ..] => height = Some(side(path, parameter, digits)?),
            [b'C', value @ ..] => tag = Some(value.to_owned()),
            [b'X', b'Y', b'S', b'C', b'S', b'S', b'=', value @ ..] => extension = Some(value.to_ascii_lowercase()),
            _ => {}
        }
    }
    let missing = |letter: &str| ClipError::header(path, format!("it has no parameter `{letter}`"));
    let width = width.ok_or_else(|| missing("W"))?;
    let height = height.ok_or_else(|| missing("H"))?;
    let tag = tag.or(extension).unwrap_or_else(|| b"420".to_vec());
    checked_shape(path, colour_space(path, &tag)?, width, height)
}

/// Reads the line with which frame `index` begins; `false` at the end of the file.
pub fn read_marker(path: &Path, stream: &mut impl BufRead, shape: &ClipShape, index: usize) -> Result<bool, ClipError> {
    let line = read_line(path, stream)?;
    match line.bytes() {
        [] if matches!(line, Line::Cut(_)) => Ok(false),
        b"FRAME" | [b'F', b'R', b'A', b'M', b'E', b' ', ..] => match line {
            Line::Whole(_) => Ok(true),
            Line::Cut(_) => Err(ClipError::truncated(path, index, shape, 0)),
            Line::Endless(_) => Err(ClipError::header(path, format!("of frame {index}, {}", line.fault()))),
        },
        cut if matches!(line, Line::Cut(_)) && b"FRAME".starts_with(cut) => {
            Err(ClipError::truncated(path, index, shape, 0))
        }
        other => Err(ClipError::Marker {
            path: path.to_owned(),
            frame: index,
            found: shown(&other[..other.len().min(16)]),
        }),
    }
}

/// What there is of a line, without its end.
enum Line {
    Whole(Vec<u8>),
    /// The file ends first.
    Cut(Vec<u8>),
    /// Longer than a header may be.
    Endless(Vec<u8>),
}

impl Line {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) | Self::Cut(bytes) | Self::Endless(bytes) => bytes,
        }
    }

    fn fault(&self) -> String {
        match self {
            Self::Endless(_) => format!("its line is longer than {MAX_HEADER} bytes"),
            _ => "the file ends before its line does".to_owned(),
        }
    }
}

fn read_line(path: &Path, stream: &mut impl BufRead) -> Result<Line, ClipError> {
    let mut line = Vec::new();
    let read = stream.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line);
    read.map_err(|source| ClipError::unreadable(path, source))?;
    Ok(if line.last() == Some(&b'\n') {
        line.pop();
        Line::Whole(line)
    } else if line.len() as u64 == MAX_HEADER {
        Line::Endless(line)
    } else {
        Line::Cut(line)
    })
}

fn side(path: &Path, parameter: &[u8], digits: &[u8]) -> Result<u32, ClipError> {
    parse_side(digits).ok_or_else(|| {
        let reason = format!("parameter `{}` is not a whole number below 2^32", shown(parameter));
        ClipError::header(path, reason)
    })
}

fn colour_space(path: &Path, tag: &[u8]) -> Result<Format, ClipError> {
    let found = COLOUR_SPACES.iter().find(|(name, ..)| name.as_bytes() == tag);
    let (_, layout, depth) = found.ok_or_else(|| {
        let known: Vec<_> = COLOUR_SPACES.iter().map(|(name, ..)| format!("`C{name}`")).collect();
        ClipError::ColourSpace {
            path: path.to_owned(),
            tag: shown(tag),
            known: known.join(", "),
        }
    })?;
    Ok(Format::new(*layout, *depth))
}

/// Bytes of a file in a message: short, printable, on one line.
fn shown(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(32)].escape_ascii().to_string()
}
