//! Frames and clips: planes of samples as they are stored, strides included.

use serde::{Deserialize, Serialize};

use crate::format::{Depth, Format};

/// The geometry of one stored plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlaneShape {
    /// Samples in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bytes from one row to the next: at least `width` samples and a whole number of them.
    pub stride: usize,
}

impl PlaneShape {
    /// A plane without padding.
    pub const fn tight(width: u32, height: u32, depth: Depth) -> Self {
        Self {
            width,
            height,
            stride: width as usize * depth.bytes(),
        }
    }

    /// Bytes of the whole plane, padding of the last row included.
    pub const fn bytes(&self) -> usize {
        self.stride * self.height as usize
    }

    /// Samples shown, padding excluded.
    pub const fn samples(&self) -> u64 {
        self.width as u64 * self.height as u64
    }
}

/// The geometry of every frame of a clip.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClipShape {
    /// Layout and depth.
    pub format: Format,
    /// Width of the frame in luma samples.
    pub width: u32,
    /// Height of the frame in luma samples.
    pub height: u32,
    /// One entry a plane, in storage order.
    pub planes: Vec<PlaneShape>,
}

impl ClipShape {
    /// A shape without padding.
    pub fn tight(format: Format, width: u32, height: u32) -> Self {
        Self::padded(format, width, height, 0)
    }

    /// A shape whose rows are followed by `padding` unused samples.
    pub fn padded(format: Format, width: u32, height: u32, padding: usize) -> Self {
        let planes = (0..format.layout.planes())
            .map(|plane| {
                let (w, h) = format.layout.plane_size(plane, width, height);
                let mut shape = PlaneShape::tight(w, h, format.depth);
                shape.stride += padding * format.depth.bytes();
                shape
            })
            .collect();
        Self {
            format,
            width,
            height,
            planes,
        }
    }

    /// Bytes of one frame.
    pub fn frame_bytes(&self) -> usize {
        self.planes.iter().map(PlaneShape::bytes).sum()
    }
}

/// One plane of one frame, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    shape: PlaneShape,
    depth: Depth,
    bytes: Vec<u8>,
}

/// Why bytes are not a plane or planes not a clip.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The stride cannot hold a row, or cuts a sample in two.
    #[error("a stride of {stride} bytes does not fit rows of {width} samples of {bytes} bytes")]
    Stride {
        /// Bytes from one row to the next.
        stride: usize,
        /// Samples in a row.
        width: u32,
        /// Bytes of a sample.
        bytes: usize,
    },
    /// The number of bytes is not the shape's.
    #[error("a plane of {expected} bytes was given {actual}")]
    Length {
        /// Bytes that the shape needs.
        expected: usize,
        /// Bytes that were given.
        actual: usize,
    },
    /// A side is zero.
    #[error("a size of {width}x{height} has no samples")]
    Empty {
        /// Samples in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A frame has another geometry than its clip.
    #[error("frame {frame} has other planes than the clip's shape")]
    Planes {
        /// Index of the frame.
        frame: usize,
    },
    /// A clip has no frames.
    #[error("a clip without frames")]
    NoFrames,
}

impl Plane {
    /// Wraps stored bytes.
    pub fn new(shape: PlaneShape, depth: Depth, bytes: Vec<u8>) -> Result<Self, FrameError> {
        let sample = depth.bytes();
        if shape.width == 0 || shape.height == 0 {
            return Err(FrameError::Empty {
                width: shape.width,
                height: shape.height,
            });
        }
        if shape.stride < shape.width as usize * sample || !shape.stride.is_multiple_of(sample) {
            return Err(FrameError::Stride {
                stride: shape.stride,
                width: shape.width,
                bytes: sample,
            });
        }
        if bytes.len() != shape.bytes() {
            return Err(FrameError::Length {
                expected: shape.bytes(),
                actual: bytes.len(),
            });
        }
        Ok(Self { shape, depth, bytes })
    }

    /// The geometry.
    pub const fn shape(&self) -> PlaneShape {
        self.shape
    }

    /// The stored bytes, padding included.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The stored bytes of row `y`, padding excluded.
    ///
    /// # Panics
    /// If `y` is not below the height.
    pub fn row(&self, y: u32) -> &[u8] {
        let start = y as usize * self.shape.stride;
        &self.bytes[start..][..self.shape.width as usize * self.depth.bytes()]
    }

    /// The codes of row `y` of an integer plane, left to right.
    ///
    /// # Panics
    /// If `y` is not below the height or the samples are floats.
    pub fn codes(&self, y: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        assert!(self.depth != Depth::F32, "codes of a float plane");
        let wide = self.depth.bytes() == 2;
        self.row(y).chunks_exact(self.depth.bytes()).map(move |sample| {
            if wide {
                u32::from(u16::from_le_bytes([sample[0], sample[1]]))
            } else {
                u32::from(sample[0])
            }
        })
    }

    /// The values of row `y` of a float plane, left to right.
    ///
    /// # Panics
    /// If `y` is not below the height or the samples are codes.
    pub fn floats(&self, y: u32) -> impl ExactSizeIterator<Item = f32> + '_ {
        assert!(self.depth == Depth::F32, "floats of an integer plane");
        self.row(y)
            .chunks_exact(4)
            .map(|sample| f32::from_le_bytes([sample[0], sample[1], sample[2], sample[3]]))
    }
}

/// The planes of one moment, in storage order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// One entry a plane.
    pub planes: Vec<Plane>,
}

/// Frames of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clip {
    shape: ClipShape,
    frames: Vec<Frame>,
}

impl Clip {
    /// Frames that all have `shape`; at least one.
    pub fn new(shape: ClipShape, frames: Vec<Frame>) -> Result<Self, FrameError> {
        if frames.is_empty() {
            return Err(FrameError::NoFrames);
        }
        for (index, frame) in frames.iter().enumerate() {
            let same = frame.planes.len() == shape.planes.len()
                && frame
                    .planes
                    .iter()
                    .zip(&shape.planes)
                    .all(|(plane, expected)| plane.shape == *expected && plane.depth == shape.format.depth);
            if !same {
                return Err(FrameError::Planes { frame: index });
            }
        }
        Ok(Self { shape, frames })
    }

    /// The geometry of every frame.
    pub const fn shape(&self) -> &ClipShape {
        &self.shape
    }

    /// The frames, in order; never empty.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }
}

/// What a kernel computes from: one clip, or a reference and a distorted clip of the same shape and length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    clips: Vec<Clip>,
}

/// Why clips are not an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// No clip was given.
    #[error("no clip was given")]
    NoClips,
    /// The clips differ in format or size.
    #[error("the clips differ: {first} against {second}")]
    Shapes {
        /// Format and size of the first clip.
        first: String,
        /// Format and size of the clip that differs.
        second: String,
    },
    /// The clips differ in length.
    #[error("the clips differ in length: {first} frames against {second}")]
    Lengths {
        /// Frames of the first clip.
        first: usize,
        /// Frames of the clip that differs.
        second: usize,
    },
}

impl Input {
    /// Clips of one shape and one length.
    pub fn new(clips: Vec<Clip>) -> Result<Self, InputError> {
        let first = clips.first().ok_or(InputError::NoClips)?;
        for clip in &clips[1..] {
            if clip.shape != first.shape {
                let name = |s: &ClipShape| {
                    let strides: Vec<_> = s.planes.iter().map(|p| p.stride.to_string()).collect();
                    format!("{} {}x{} (strides {})", s.format, s.width, s.height, strides.join(", "))
                };
                return Err(InputError::Shapes {
                    first: name(&first.shape),
                    second: name(&clip.shape),
                });
            }
            if clip.frames.len() != first.frames.len() {
                return Err(InputError::Lengths {
                    first: first.frames.len(),
                    second: clip.frames.len(),
                });
            }
        }
        Ok(Self { clips })
    }

    /// The clips: the reference first, then the distorted one where the kernel takes a pair.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// The shape that all clips share.
    pub fn shape(&self) -> &ClipShape {
        &self.clips[0].shape
    }

    /// The number of frames that all clips share.
    pub fn frames(&self) -> usize {
        self.clips[0].frames.len()
    }

    /// The same clips, of which only the frames in `frames` are left.
    ///
    /// # Panics
    /// If `frames` is empty or reaches behind the last frame.
    pub fn slice(&self, frames: std::ops::Range<usize>) -> Self {
        assert!(!frames.is_empty(), "a clip without frames");
        let part = |clip: &Clip| Clip {
            shape: clip.shape.clone(),
            frames: clip.frames[frames.clone()].to_vec(),
        };
        Self {
            clips: self.clips.iter().map(part).collect(),
        }
    }

    /// Every frame as a clip of its own, those of the first clip first, so that one run of a plan can read them all.
    #[must_use]
    pub fn spread(&self) -> Self {
        let alone = |clip: &Clip, frame: &Frame| Clip {
            shape: clip.shape.clone(),
            frames: vec![frame.clone()],
        };
        let clips = self.clips.iter();
        Self {
            clips: clips
                .flat_map(|clip| clip.frames.iter().map(move |frame| alone(clip, frame)))
                .collect(),
        }
    }

    /// Plane `plane` of frame `frame` of clip `clip`.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn plane(&self, clip: usize, frame: usize, plane: usize) -> &Plane {
        &self.clips[clip].frames[frame].planes[plane]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Layout;

    #[test]
    fn a_padded_row_hides_its_padding() {
        let shape = PlaneShape {
            width: 2,
            height: 2,
            stride: 6,
        };
        let bytes = vec![1, 0, 2, 1, 9, 9, 3, 0, 4, 0, 9, 9];
        let plane = Plane::new(shape, Depth::U10, bytes).unwrap();
        assert_eq!(plane.codes(0).collect::<Vec<_>>(), [1, 258]);
        assert_eq!(plane.codes(1).collect::<Vec<_>>(), [3, 4]);
    }

    #[test]
    fn a_stride_that_cuts_a_sample_is_refused() {
        let shape = PlaneShape {
            width: 2,
            height: 1,
            stride: 5,
        };
        assert!(matches!(
            Plane::new(shape, Depth::U16, vec![0; 5]),
            Err(FrameError::Stride { .. })
        ));
    }

    #[test]
    fn clips_of_two_sizes_are_no_input() {
        let clip = |width| {
            let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), width, 1);
            let plane = Plane::new(shape.planes[0], Depth::U8, vec![0; width as usize]).unwrap();
            Clip::new(shape, vec![Frame { planes: vec![plane] }]).unwrap()
        };
        assert!(Input::new(vec![clip(3), clip(3)]).is_ok());
        let error = Input::new(vec![clip(3), clip(4)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the clips differ: mono-8 3x1 (strides 3) against mono-8 4x1 (strides 4)"
        );
    }
}
