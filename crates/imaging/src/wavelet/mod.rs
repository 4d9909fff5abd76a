//! À-trous wavelet sharpening: six layers of detail, each with a gain and a noise cut.
//!
//! The raster is taken apart into [`LAYERS`] layers and what is left when they are smoothed away ([`layers`]); layer 1 holds
//! the finest detail, layer 6 that of about 64 samples. A coefficient `w` of a layer becomes gain · cut(w), and the layers are
//! added, the first one first, then what was left:
//!
//! | thresholding | cut(w) for \|w\| > cut; it is 0 elsewhere |
//! |---|---|
//! | soft | w less the cut, towards zero |
//! | hard | w |
//!
//! Gains and cuts per layer are what editors of planetary images offer, RegiStax first among them. A cut is a part of full
//! scale.
//!
//! What was decided is recorded in `docs/adr/0016-wavelet.md`.
//!
//! # All gains 1 and no cut
//!
//! The layers then add up to the raster, so that it is returned as it is, without arithmetic. A frame of mono or RGB samples in
//! f32 keeps all of its bits, of NaN, infinities, signed zeros and subnormals too; codes are parts of the largest, and
//! colour-filter samples the three rasters of [`crate::load`].
//!
//! # Numbers
//!
//! Smoothed samples are held, so that coefficients and cuts are multiples of 2^-63, their products with gains of zero or at
//! least 2^-30 zero or at least 2^-93, and sums of these multiples of 2^-116. The last sum is held.

pub(crate) mod layers;
mod reference;
mod twin;

pub use reference::{LAYERS, Settings, apply};
pub(crate) use twin::append;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, StagesOf, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::{PlanFrame, Work};

use crate::arithmetic::Arithmetic;
use crate::{filter, load};

const NAME: &str = "wavelet";
const SHARPENED: &str = "sharpened";

/// The kernel: each raster of each frame with [`apply`] applied, of the size of the frame.
pub const KERNEL: Kernel = Kernel {
    name: NAME,
    summary: "Six layers of the à-trous B-spline wavelet transform, each with a gain and a noise cut.",
    clips: 1,
    metrics: &[Metric {
        name: SHARPENED,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Class,
    }],
    options: Options::of(&[
        GAINS[0],
        GAINS[1],
        GAINS[2],
        GAINS[3],
        GAINS[4],
        GAINS[5],
        CUTS[0],
        CUTS[1],
        CUTS[2],
        CUTS[3],
        CUTS[4],
        CUTS[5],
        THRESHOLDING,
    ]),
    window: Window::FRAME,
    accepts: load::accepts,
    refuses: load::refuses,
    reference: |input, options| Ok(reference::outputs(input, &Settings::of(options), SHARPENED)),
    twins: &[
        twin(
            "exact",
            &[Route::Sealed],
            |shape, options| twin::plan(shape, options, Arithmetic::Exact),
            Some(|input, options, frame| Ok(twin::stages(input, &Settings::of(options), frame))),
        ),
        twin(
            "native",
            &[],
            |shape, options| twin::plan(shape, options, Arithmetic::Native),
            None,
        ),
    ],
};

const fn twin(name: &'static str, routes: &'static [Route], plan: PlanFrame, stages: Option<StagesOf>) -> Twin {
    Twin {
        name,
        routes,
        work: Work::Frame(plan),
        finish: Finish::Frame(|shape, _, frame, readback| {
            filter::finish(shape.format, [shape.width, shape.height], SHARPENED, frame, readback)
        }),
        stages,
    }
}

const GAINS: [KernelOption; LAYERS] = [
    gain("gain_1", "g1", "How much of layer 1, the finest, is kept."),
    gain("gain_2", "g2", "How much of layer 2 is kept."),
    gain("gain_3", "g3", "How much of layer 3 is kept."),
    gain("gain_4", "g4", "How much of layer 4 is kept."),
    gain("gain_5", "g5", "How much of layer 5 is kept."),
    gain("gain_6", "g6", "How much of layer 6, the coarsest, is kept."),
];

const fn gain(name: &'static str, alias: &'static str, summary: &'static str) -> KernelOption {
    KernelOption::number(name, alias, summary, 1.0, [0.0, 100.0])
}

const CUTS: [KernelOption; LAYERS] = [
    cut(
        "cut_1",
        "c1",
        "What counts as noise in layer 1, the finest, as a part of full scale.",
    ),
    cut(
        "cut_2",
        "c2",
        "What counts as noise in layer 2, as a part of full scale.",
    ),
    cut(
        "cut_3",
        "c3",
        "What counts as noise in layer 3, as a part of full scale.",
    ),
    cut(
        "cut_4",
        "c4",
        "What counts as noise in layer 4, as a part of full scale.",
    ),
    cut(
        "cut_5",
        "c5",
        "What counts as noise in layer 5, as a part of full scale.",
    ),
    cut(
        "cut_6",
        "c6",
        "What counts as noise in layer 6, the coarsest, as a part of full scale.",
    ),
];

const fn cut(name: &'static str, alias: &'static str, summary: &'static str) -> KernelOption {
    KernelOption::number(name, alias, summary, 0.0, [0.0, 1.0])
}

const THRESHOLDING: KernelOption = KernelOption::choice(
    "thresholding",
    "th",
    "Whether what exceeds a cut is lessened by it.",
    &["soft", "hard"],
);
