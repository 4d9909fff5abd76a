//! A whole stack: frames ranked by sharpness, the best of them aligned with the sharpest, and added.

mod reference;
mod stages;
mod twin;

pub use reference::{Stack, stack};

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::Work;

use crate::arithmetic::Arithmetic;
use crate::load;

const STACKED: &str = "stacked";
const VALIDITY: &str = "validity";
const RANK: &str = "rank";
const SHIFT_X: &str = "shift_x";
const SHIFT_Y: &str = "shift_y";
const KEEP: &str = "keep";
const NORMALISE: &str = "normalise";

/// The kernel.
///
/// Frames are ranked by [`sharpness`](crate::sharpness), the sharpest first and of equals the earlier first; the part `keep`
/// of them, rounded up, is kept. How far a kept frame has moved against the sharpest is what [`align`](crate::align) finds, in
/// sixteenths of a sample, which is also the unit of `shift_x` and `shift_y`; the sharpest itself and frames that are not kept have
/// no shift. A kept frame whose shift is beyond [`farthest`](crate::align::farthest), which is 95.5 samples of frames of 1024×1024, has
/// moved farther than is searched: it has no part in the sum, and its shift is what the search ended at. The others are added in
/// their order as [`accumulate`](crate::accumulate) does, by Lanczos interpolation, with weight 1. `stacked` is the sum, or, if
/// asked for, the sum divided by the number of frames that counted, `validity`, and 0 where there was none.
///
/// Everything is done in one plan, with one upload a frame: ranks are compared and frames chosen on the device. Beside the
/// stored frames the plan takes 27 bytes for each sample of one frame of mono, and 63 of a frame of three rasters, however many
/// frames there are: 8 a raster for samples and holes, 8 a raster for the results, 4 for the luminance of three, 11 for two
/// pyramids, and 4 a raster more for a mean. So 64 frames of 1024×1024 in mono at 16 bits take 128 MiB and 27 MiB. No buffer is
/// larger than a raster of 4 bytes a sample, or a stored plane. Frames whose planes take more than 2^31 bytes are refused, and so
/// are more frames than [`Kernel::most_frames`]: 4096, or as many as take 4 GiB, which is 2048 of 1024×1024 in mono at 16 bits.
///
/// What was decided is recorded in `docs/adr/0015-stack.md`.
pub const KERNEL: Kernel = Kernel {
    name: "stack",
    summary: "The sharpest half of a clip's frames, aligned by sub-pixel shifts and added.",
    clips: 1,
    metrics: &[
        metric(STACKED, MetricKind::ClipPlane(None)),
        metric(VALIDITY, MetricKind::ClipPlane(None)),
        metric(RANK, MetricKind::Score),
        metric(SHIFT_X, MetricKind::Score),
        metric(SHIFT_Y, MetricKind::Score),
    ],
    options: Options::of(&[
        KernelOption::number(
            KEEP,
            "k",
            "The part of the frames that is kept; at least one is.",
            0.5,
            [0.0, 1.0],
        ),
        KernelOption::flag(
            NORMALISE,
            "n",
            "Whether the sum is divided by the number of frames that counted.",
        ),
    ]),
    window: Window::CLIP,
    accepts: load::accepts,
    refuses: load::refuses,
    reference: |input, options| Ok(reference::reference(input, &Settings::of(options))),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::Ordered, Route::Integer],
            work: Work::Clip(|shape, frames, options| {
                twin::plan(shape, frames, &Settings::of(options), Arithmetic::Exact)
            }),
            finish: Finish::Clip(|shape, _, left| twin::finish(shape, left)),
            stages: Some(|input, options, frame| Ok(stages::stages(input, &Settings::of(options), frame))),
        },
        Twin {
            name: "native",
            routes: &[],
            work: Work::Clip(|shape, frames, options| {
                twin::plan(shape, frames, &Settings::of(options), Arithmetic::Native)
            }),
            finish: Finish::Clip(|shape, _, left| twin::finish(shape, left)),
            stages: None,
        },
    ],
};

const fn metric(name: &'static str, kind: MetricKind) -> Metric {
    Metric {
        name,
        kind,
        nan: NanPolicy::Never,
    }
}

/// Which frames are kept, and what is done with their sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The part of the frames that is kept, from 0 to 1.
    pub keep: f64,
    /// Whether the sum is divided by the number of frames that counted.
    pub normalise: bool,
}

impl Settings {
    /// What options of the kernel say.
    pub fn of(options: &Options) -> Self {
        Self {
            keep: options.number(KEEP),
            normalise: options.flag(NORMALISE),
        }
    }

    /// How many of `frames` frames are kept: their part, rounded up, and at least one.
    pub fn kept(&self, frames: usize) -> usize {
        ((self.keep * frames as f64).ceil() as usize).clamp(1, frames.max(1))
    }
}
