//! Motion of the reference clip: how much a frame differs from one before it, once blurred.

mod reference;
mod settings;
mod twin;

pub use reference::{Motion, motions, sad, score};
pub use settings::Settings;

pub(crate) use reference::{refuses, sads};
pub(crate) use settings::{FIVE_FRAME_WINDOW, MAX_VAL, MOVING_AVERAGE};
pub(crate) use twin::{left, plan, stages};

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::output::Output;
use isobit::work::Work;

use crate::planes;

/// Names of the normalised sum of absolute differences, of the same once more, of the least of its neighbourhood, and of
/// that blended and averaged; all in 8-bit codes.
const NAMES: [&str; 4] = [
    "integer_motion_sad",
    "integer_motion",
    "integer_motion2",
    "integer_motion3",
];

/// The kernel. It takes two clips, as libvmaf does, and looks at the reference alone.
///
/// The exact twin filters and sums in integers on the device; the host forms the scores of all frames with the reference's own
/// functions.
pub const KERNEL: Kernel = Kernel {
    name: "motion",
    summary: "Motion of the luma of the reference clip, after `integer_motion.c` of libvmaf.",
    clips: 2,
    metrics: &[metric(NAMES[0]), metric(NAMES[1]), metric(NAMES[2]), metric(NAMES[3])],
    options: Options::of(settings::OPTIONS),
    window: WINDOW,
    accepts: planes::accepts,
    refuses,
    reference: |input, options| {
        let settings = Settings::of(options);
        Ok(outputs(&sads(input, &settings), &input.shape().planes[0], &settings))
    },
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Host],
        work: Work::Frame(|shape, options| plan(KERNEL.name, shape, &Settings::of(options))),
        finish: Finish::Clip(|shape, options, readbacks| {
            let settings = Settings::of(options);
            Ok(outputs(&left(readbacks)?, &shape.planes[0], &settings))
        }),
        stages: Some(|input, options, frame| Ok(stages(input, frame, &Settings::of(options)))),
    }],
};

/// With the five-frame window and the moving average, the score of a frame takes in that of the one before it, and so the
/// difference between the frames four and two before it. The first frames get the score of the first that has one.
pub(crate) const WINDOW: Window = Window { before: 4, after: 2 };

pub(crate) const fn metric(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}

/// The scores of all frames from their sums of absolute differences.
fn outputs(sads: &[u64], luma: &isobit::frame::PlaneShape, settings: &Settings) -> Vec<Output> {
    let motions = motions(sads, luma.samples(), settings);
    let outputs = |(frame, motion): (usize, Motion)| {
        let scores = [motion.sad, motion.sad, motion.motion2, motion.motion3];
        NAMES
            .into_iter()
            .zip(scores)
            .map(move |(name, score)| Output::score(name, frame, score))
    };
    motions.into_iter().enumerate().flat_map(outputs).collect()
}
