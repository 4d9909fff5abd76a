//! Denoising by wavelet shrinkage, with an estimate of the noise from the raster itself.
//!
//! The raster is taken apart into layers of detail ([`crate::wavelet::layers`]). White noise of standard deviation σ has one of
//! σ · [`SPREAD`] in each; a coefficient `w` of a layer is shrunk by t = strength · σ · spread, and the layers and what is left
//! of the raster are added up again, the finest layer first:
//!
//! ```text
//! w − t · (t / w)    where |w| > t, and 0 elsewhere
//! ```
//!
//! This is the non-negative garrote (Gao 1998, Journal of Computational and Graphical Statistics 7, 469–488). It is
//! continuous, as soft thresholding is, and takes less from a coefficient the larger it is, as hard thresholding does: noise
//! goes, edges and stars stay. Where `noise` is zero, σ is estimated by the median of the magnitudes of the finest layer
//! (Donoho and Johnstone 1994, Biometrika 81, 425–455; for the à-trous transform Starck and Murtagh, Astronomical Image and
//! Data Analysis, section 2.3). A median, the lower of two middle ones, is a selection and needs no arithmetic, and stars move
//! it little. Where more than half of a raster is flat, there is no noise to estimate, and nothing is taken.
//!
//! Chosen over a bilateral filter, which costs an exponential for each of its places, and over non-local means, which costs a
//! window of patches a sample: here a sample costs four taps and a quotient a layer, at any strength of noise.
//!
//! What was decided is recorded in `docs/adr/0016-wavelet.md`.
//!
//! # Numbers
//!
//! Smoothed samples are held, so that coefficients are zero or at least 2^-63 and at most 2^41, and t is held. Where
//! |w| > t > 0, t / w lies from 2^-81 to 1 and t · (t / w) is at least 2^-121. The difference is at least w less t of the
//! number before it, and so at least 2^-64; sums are rounded to multiples of 2^-87, and the last one is held.

mod reference;
mod twin;

pub use reference::{LAYERS, SPREAD, Settings, apply};
pub(crate) use twin::append;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, StagesOf, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::{PlanFrame, Work};

use crate::arithmetic::Arithmetic;
use crate::{filter, load};

const NAME: &str = "denoise";
const DENOISED: &str = "denoised";

/// The kernel: each raster of each frame with [`apply`] applied, of the size of the frame.
pub const KERNEL: Kernel = Kernel {
    name: NAME,
    summary: "Wavelet shrinkage by the non-negative garrote, with the noise estimated by a median.",
    clips: 1,
    metrics: &[Metric {
        name: DENOISED,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    }],
    options: Options::of(&[STRENGTH, DEPTH, NOISE]),
    window: Window::FRAME,
    accepts: load::accepts,
    refuses: load::refuses,
    reference: |input, options| {
        let settings = Settings::of(options);
        Ok(filter::reference(input, DENOISED, |raster| apply(raster, &settings)))
    },
    twins: &[
        twin(
            "exact",
            &[Route::Sealed, Route::Integer],
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
            filter::finish(shape.format, [shape.width, shape.height], DENOISED, frame, readback)
        }),
        stages,
    }
}

const STRENGTH: KernelOption = KernelOption::number(
    "strength",
    "strength",
    "How many standard deviations of the noise count as noise.",
    3.0,
    [0.0, 20.0],
);

const DEPTH: KernelOption = KernelOption::integer(
    "layers",
    "layers",
    "How many layers of detail are shrunk; each is twice as coarse as the one before.",
    4,
    [1, LAYERS as i64],
);

const NOISE: KernelOption = KernelOption::number(
    "noise",
    "noise",
    "The standard deviation of the noise as a part of full scale; zero estimates it.",
    0.0,
    [0.0, 1.0],
);
