//! What can be wrong with a clip, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;

use super::{MAX_FRAME_BYTES, MAX_SIDE};

/// Why a clip cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ClipError {
    /// The system refuses to open or read the file.
    #[error("cannot read clip `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not what its extension says.
    #[error("clip `{}` is not {expected}: its first bytes are different", path.display())]
    OtherContent {
        /// The file.
        path: PathBuf,
        /// What the extension stands for.
        expected: &'static str,
    },
    /// A raw file without a size and a format.
    #[error("clip `{}` is neither Y4M nor PNG, and a raw clip needs its size and format", path.display())]
    FormatMissing {
        /// The file.
        path: PathBuf,
    },
    /// A header that cannot be understood.
    #[error("cannot read the Y4M header of clip `{}`: {reason}", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A Y4M colour space that Isobit has no format for.
    #[error("clip `{}` has the unknown Y4M colour space `C{tag}`: expected one of {known}", path.display())]
    ColourSpace {
        /// The file.
        path: PathBuf,
        /// The tag, without its letter.
        tag: String,
        /// The tags that are known.
        known: String,
    },
    /// A size of zero, or beyond what a frame can have.
    #[error(
        "clip `{}` has a size of {width}x{height}: sides must be from 1 to {MAX_SIDE} samples, and a frame at most \
         {MAX_FRAME_BYTES} bytes",
        path.display()
    )]
    Size {
        /// The file.
        path: PathBuf,
        /// Width in luma samples.
        width: u32,
        /// Height in luma samples.
        height: u32,
    },
    /// A text that is not a size.
    #[error("`{text}` is not a size: expected width and height in samples, such as `1920x1080`")]
    SizeText {
        /// The text.
        text: String,
    },
    /// A raw file that is not a whole number of frames.
    #[error(
        "clip `{}` has {bytes} bytes, which is not a whole number of frames: one of {format} at {width}x{height} takes \
         {frame_bytes}",
        path.display()
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: u64,
        /// Layout and depth as given.
        format: Format,
        /// Width as given.
        width: u32,
        /// Height as given.
        height: u32,
        /// Bytes of one frame.
        frame_bytes: u64,
    },
    /// The file ends within a frame.
    #[error("clip `{}` ends within frame {frame}: {missing} of its {expected} bytes are missing", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Index of the frame.
        frame: usize,
        /// Bytes that are missing.
        missing: u64,
        /// Bytes that the frame's samples take.
        expected: u64,
    },
    /// Something other than a frame where one should begin.
    #[error("clip `{}` has no `FRAME` before frame {frame}, but `{found}`", path.display())]
    Marker {
        /// The file.
        path: PathBuf,
        /// Index of the frame.
        frame: usize,
        /// The first bytes of what is there.
        found: String,
    },
    /// A sample that its depth cannot have.
    #[error(
        "clip `{}` has the code {code} in frame {frame}, plane {plane}, x {x}, y {y}: the largest of {depth} bits is {max}",
        path.display()
    )]
    Code {
        /// The file.
        path: PathBuf,
        /// Index of the frame.
        frame: usize,
        /// Name of the plane.
        plane: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// The code.
        code: u32,
        /// The largest code of the depth.
        max: u32,
        /// The depth.
        depth: Depth,
    },
    /// A PNG that cannot be decoded.
    #[error("cannot decode PNG `{}`: {source}", path.display())]
    Png {
        /// The file.
        path: PathBuf,
        /// The decoder's reason.
        source: png::DecodingError,
    },
    /// A PNG with content that would have to be dropped.
    #[error("PNG `{}` {content}, which no format can hold", path.display())]
    PngContent {
        /// The file.
        path: PathBuf,
        /// What it has, as a predicate.
        content: &'static str,
        /// Pixel format of FFmpeg that has everything else.
        without: &'static str,
    },
    /// A PNG that is larger than a frame may be.
    #[error("PNG `{}` is larger than {MAX_FRAME_BYTES} bytes", path.display())]
    PngLarge {
        /// The file.
        path: PathBuf,
    },
    /// A clip without frames.
    #[error("clip `{}` has no frames", path.display())]
    NoFrames {
        /// The file.
        path: PathBuf,
    },
    /// Reading went on after an error.
    #[error("clip `{}` cannot be read on: an earlier part of it was in error", path.display())]
    AfterError {
        /// The file.
        path: PathBuf,
    },
}

impl ClipError {
    /// What to do about it, an exact command where there is one; without the word `hint`.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::FormatMissing { path } => Some(format!(
                "cargo xtask parity --clip {} --size 1920x1080 --format yuv420-8",
                quoted(path)
            )),
            Self::OtherContent { path, .. } => {
                Some(format!("ffmpeg -i {} -strict -1 clip.y4m", quoted(path)))
            }
            Self::ColourSpace { path, .. } => Some(format!(
                "ffmpeg -i {} -pix_fmt yuv420p10le -strict -1 clip.y4m",
                quoted(path)
            )),
            Self::SizeText { .. } => Some("--size 1920x1080".to_owned()),
            Self::Length {
                bytes, width, height, ..
            } => Some(fitting(*bytes, *width, *height)),
            Self::Truncated { path, frame, .. } if *frame > 0 => Some(format!(
                "ffmpeg -i {} -frames:v {frame} -strict -1 whole.y4m",
                quoted(path)
            )),
            Self::Code { .. } => Some(
                "samples belong in the low bits of little-endian words; if these fill all 16, the format is a 16-bit one"
                    .to_owned(),
            ),
            Self::PngContent { path, without, .. } => Some(format!(
                "ffmpeg -i {} -frames:v 1 -pix_fmt {without} plain.png",
                quoted(path)
            )),
            _ => None,
        }
    }

    /// The message, followed by a line `hint: …` where there is something to do about it.
    pub fn with_hint(&self) -> String {
        match self.hint() {
            Some(hint) => format!("{self}\nhint: {hint}"),
            None => self.to_string(),
        }
    }

    pub(super) fn unreadable(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Unreadable { path, source }
    }

    pub(super) fn header(path: &Path, reason: impl Into<String>) -> Self {
        Self::Header {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }

    /// `present` bytes of frame `frame` are there.
    pub(super) fn truncated(path: &Path, frame: usize, shape: &ClipShape, present: u64) -> Self {
        let expected = shape.frame_bytes() as u64;
        Self::Truncated {
            path: path.to_owned(),
            frame,
            missing: expected - present,
            expected,
        }
    }
}

/// The path as one word of a POSIX shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The formats whose frames divide a file of that length.
fn fitting(bytes: u64, width: u32, height: u32) -> String {
    let layouts = [Layout::Yuv420, Layout::Yuv422, Layout::Yuv444, Layout::Mono].into_iter();
    // 10, 12 and 16 bits take the same space, so one of them stands for all.
    let formats = layouts.flat_map(|layout| [Depth::U8, Depth::U16].map(|depth| Format::new(layout, depth)));
    let names: Vec<String> = formats
        .filter(|&format| bytes.is_multiple_of(ClipShape::tight(format, width, height).frame_bytes() as u64))
        .map(|format| match format.depth {
            Depth::U16 => format!("`{0}-10`, `{0}-12`, `{0}-16`", format.layout),
            _ => format!("`{format}`"),
        })
        .collect();
    if names.is_empty() {
        format!("no format divides it at {width}x{height}: check --size")
    } else {
        format!("at {width}x{height} it fits --format {}", names.join(", "))
    }
}
