//! Motion as libvmaf's former extractor `motion_v2` scored it: the sums of `motion`, and scores that are no more than their
//! least. Shares reference and twin with `motion`, whose folder holds them.
//!
//! What it is, and why it is kept apart, is in `docs/adr`. After `libvmaf/src/feature/integer_motion_v2.c` of the commits that
//! had it: the score of every frame is cut to a largest one, and motion2 is the lesser of it and that of the next frame. Frame
//! rates are not weighed and nothing is blended. The five-frame window and the moving average, which that extractor did
//! not have, are those of `motion`; so is motion3, with what is above no offset scaled down.

use isobit::frame::PlaneShape;
use isobit::kernel::{Finish, Kernel, Route, Twin};
use isobit::options::{KernelOption, Options};
use isobit::output::Output;
use isobit::work::Work;

use crate::motion::{self, Motion, Settings, metric, motions};
use crate::planes;

/// Names of the normalised sum of absolute differences, of the least of its neighbourhood, and of that averaged; all in 8-bit
/// codes.
const NAMES: [&str; 3] = ["integer_motion_v2_sad", "integer_motion2_v2", "integer_motion3_v2"];

const OPTIONS: &[KernelOption] = &[motion::MAX_VAL, motion::FIVE_FRAME_WINDOW, motion::MOVING_AVERAGE];

/// The kernel. It takes two clips, as libvmaf does, and looks at the reference alone.
///
/// The exact twin is that of [`motion::KERNEL`] under scores of its own.
pub const KERNEL: Kernel = Kernel {
    name: "motion_v2",
    summary: "Motion of the luma of the reference clip, as the former extractor `motion_v2` of libvmaf scored it.",
    clips: 2,
    metrics: &[metric(NAMES[0]), metric(NAMES[1]), metric(NAMES[2])],
    options: Options::of(OPTIONS),
    window: motion::WINDOW,
    accepts: planes::accepts,
    refuses: motion::refuses,
    reference: |input, options| {
        let settings = settings(options);
        Ok(outputs(
            &motion::sads(input, &settings),
            &input.shape().planes[0],
            &settings,
        ))
    },
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Host],
        work: Work::Frame(|shape, options| motion::plan(KERNEL.name, shape, &settings(options))),
        finish: Finish::Clip(|shape, options, readbacks| {
            Ok(outputs(&motion::left(readbacks)?, &shape.planes[0], &settings(options)))
        }),
        stages: Some(|input, options, frame| Ok(motion::stages(input, frame, &settings(options)))),
    }],
};

fn settings(options: &Options) -> Settings {
    Settings {
        max_val: options.number(motion::MAX_VAL.name),
        five_frame_window: options.flag(motion::FIVE_FRAME_WINDOW.name),
        moving_average: options.flag(motion::MOVING_AVERAGE.name),
        ..Settings::DEFAULT
    }
}

/// The scores of all frames from their sums of absolute differences.
fn outputs(sads: &[u64], luma: &PlaneShape, settings: &Settings) -> Vec<Output> {
    let outputs = |(frame, motion): (usize, Motion)| {
        let scores = [motion.sad, motion.motion2, motion.motion3];
        NAMES
            .into_iter()
            .zip(scores)
            .map(move |(name, score)| Output::score(name, frame, score))
    };
    let motions = motions(sads, luma.samples(), settings);
    motions.into_iter().enumerate().flat_map(outputs).collect()
}
