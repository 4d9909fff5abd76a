//! Shift and add: frames brought to the place of the first by sub-pixel shifts, and summed with weights.

mod reference;
mod twin;

pub use reference::{Accumulator, Shift};
pub(crate) use twin::{Buffers, append};

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::Work;

use crate::arithmetic::Arithmetic;
use crate::load;
use crate::taps::Interpolation;

const SUMS: &str = "sums";
const VALIDITY: &str = "validity";
const METHOD: &str = "method";
const DRIFT_X: &str = "drift_x";
const DRIFT_Y: &str = "drift_y";
const FADE: &str = "fade";
/// Why `method = drizzle` has no result.
pub const NO_DRIZZLE: &str = "drizzle spreads samples over a finer grid, and frames are accumulated on their own";

/// The kernel: for each raster the weighted sum of all frames, and the sum of the weights that each of its samples had.
///
/// Frame `f` is taken to have moved by `f` times the drift, rounded to sixteenths of a sample, and has the weight `fade^f`,
/// of which what is below 2^-30 is 0. Its sample for a place of the sum is that of [`Accumulator::add`]: none where one of the samples
/// next to the place is a hole or beyond the edge, and then it adds nothing to either map. The sum is not divided by
/// the weights: the quotient is a stack, and where the weight is 0 there is none.
///
/// The exact twin leaves both maps; the native one sums products that a compiler may fuse. Weights are sums of the same
/// numbers in the same order on both, and equal.
pub const KERNEL: Kernel = Kernel {
    name: "accumulate",
    summary: "Weighted sum of all frames, each shifted by a sub-pixel drift, and the weights that counted in it.",
    clips: 1,
    metrics: &[plane(SUMS), plane(VALIDITY)],
    options: Options::of(&[
        KernelOption::choice(
            METHOD,
            "m",
            "How samples between samples are formed.",
            &["lanczos3", "bilinear", "drizzle"],
        )
        .refusing(&[("drizzle", NO_DRIZZLE)]),
        KernelOption::number(
            DRIFT_X,
            "dx",
            "Samples to the right by which the picture moves from frame to frame.",
            0.0,
            [-64.0, 64.0],
        ),
        KernelOption::number(
            DRIFT_Y,
            "dy",
            "Samples downwards by which the picture moves from frame to frame.",
            0.0,
            [-64.0, 64.0],
        ),
        KernelOption::number(
            FADE,
            "fd",
            "The weight of a frame in that of the one before it.",
            1.0,
            [0.0, 1.0],
        ),
    ]),
    window: Window::CLIP,
    accepts: load::accepts,
    refuses: load::refuses,
    reference: |input, options| Ok(reference::reference(input, &Settings::of(options))),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::Ordered],
            work: Work::Clip(|shape, frames, options| {
                twin::plan(shape, frames, &Settings::of(options), Arithmetic::Exact)
            }),
            finish: Finish::Clip(|shape, _, left| twin::finish(shape, left)),
            stages: Some(|input, options, frame| Ok(twin::stages(input, &Settings::of(options), frame))),
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

const fn plane(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::ClipPlane(None),
        nan: NanPolicy::Never,
    }
}

/// Where frames lie and what they weigh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How samples between samples are formed.
    pub interpolation: Interpolation,
    /// Samples to the right and downwards by which the picture moves from frame to frame.
    pub drift: [f64; 2],
    /// The weight of a frame in that of the one before it, from 0 to 1.
    pub fade: f32,
}

impl Settings {
    /// What options of the kernel say.
    pub fn of(options: &Options) -> Self {
        Self {
            interpolation: match options.choice(METHOD) {
                "bilinear" => Interpolation::Bilinear,
                _ => Interpolation::Lanczos3,
            },
            drift: [DRIFT_X, DRIFT_Y].map(|name| options.number(name)),
            fade: options.number(FADE) as f32,
        }
    }

    /// How far the picture has moved in frame `frame`, and what the frame weighs.
    pub fn placed(&self, frame: usize) -> (Shift, f32) {
        let [x, y] = self.drift.map(|drift| (16.0 * drift * frame as f64).round() as i32);
        // Beyond the frame's own size nothing is left of it, however far it is.
        let shift = |sixteenths: i32| sixteenths.clamp(-Shift::MOST, Shift::MOST);
        let weight = (0..frame).fold(1.0, |weight: f32, _| weight * self.fade);
        let least = 0.5f32.powi(30);
        (
            Shift {
                x: shift(x),
                y: shift(y),
            },
            if weight < least { 0.0 } else { weight },
        )
    }
}
