//! What every control computes from: the first plane of its only clip, as its reference sees it.

use isobit::format::{Depth, Format};
use isobit::frame::{ClipShape, Input};
use isobit::kernel::{Metric, MetricKind, NanPolicy};
use isobit::output::{Output, Values};

/// The most samples for which the twins are defined: their dispatches then fit every device in one piece.
pub const MAX_SAMPLES: u64 = 1 << 20;

/// The first plane of one frame, its padding removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Samples in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The codes, row by row.
    pub codes: Vec<u32>,
}

impl Picture {
    /// The first plane of frame `frame`.
    ///
    /// # Panics
    /// If there is no such frame or its samples are floats.
    pub fn of(input: &Input, frame: usize) -> Self {
        let plane = input.plane(0, frame, 0);
        let (width, height) = (plane.shape().width, plane.shape().height);
        let codes = (0..height).flat_map(|y| plane.codes(y)).collect();
        Self { width, height, codes }
    }

    /// The rows, top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.codes.chunks_exact(self.width as usize)
    }

    /// A plane of this size that holds `f` of each code.
    #[must_use]
    pub fn map(&self, f: impl Fn(u32) -> u32) -> Self {
        Self {
            codes: self.codes.iter().map(|&code| f(code)).collect(),
            ..*self
        }
    }
}

/// One output a frame: `width` × `height` values of `metric` that `compute` makes of the frame's picture.
pub fn outputs(input: &Input, metric: &'static str, compute: impl Fn(&Picture) -> (u32, u32, Values)) -> Vec<Output> {
    let output = |frame| {
        let (width, height, values) = compute(&Picture::of(input, frame));
        Output {
            metric,
            frame,
            plane: 0,
            width,
            height,
            values,
        }
    };
    (0..input.frames()).map(output).collect()
}

/// The metric of the controls that yield a plane of codes.
pub const CODES: Metric = Metric {
    name: "codes",
    kind: MetricKind::Plane(None),
    nan: NanPolicy::Never,
};

/// One plane of [`CODES`] a frame.
pub fn codes(input: &Input, compute: impl Fn(&Picture) -> Picture) -> Vec<Output> {
    outputs(input, CODES.name, |picture| {
        let Picture { width, height, codes } = compute(picture);
        (width, height, Values::U32(codes))
    })
}

/// Whether the samples are codes.
pub fn accepts(format: Format) -> bool {
    format.depth != Depth::F32
}

/// Why the controls are not defined for planes beyond [`MAX_SAMPLES`].
pub fn refuses(shape: &ClipShape) -> Option<String> {
    let samples = shape.planes[0].samples();
    (samples > MAX_SAMPLES).then(|| format!("a control is for at most {MAX_SAMPLES} samples, not {samples}"))
}
