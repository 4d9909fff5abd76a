//! Deconvolution after Richardson and Lucy: the picture that, spread by a point spread function, explains the one observed.
//!
//! With `o` the observed raster, samples below zero taken for zero since there is no less light than none, and ⊗ the
//! convolution with a symmetric PSF ([`psf`]), an estimate `e` that begins as `o` is improved in each iteration (Richardson 1972,
//! Journal of the Optical Society of America 62, 55–59; Lucy 1974, Astronomical Journal 79, 745–754):
//!
//! ```text
//! ratio      = o / max(e ⊗ psf, 2^-20)
//! correction = ratio ⊗ psf
//! e          ← e · correction
//! ```
//!
//! The floor, about a millionth of full scale, is far below a code of 16 bits and keeps the quotient in bounds. A flat field
//! above it stays as it is. Light is neither gained nor lost but across the edges, beyond which a sample counts on.
//!
//! # Limb guard
//!
//! Iterations overshoot beside a steep edge, and along the limb of a planet this shows as a bright ring. The guard damps the
//! ratio there, before it is convolved, so that the limb tells the places around it less (as White 1994, ADASS III, 292–295,
//! damps the ratio where it is noise): ratio ← 1 + (1 − guard · s) · (ratio − 1). How much of a limb a place is, s from 0 to 1,
//! is the slope
//! of the observed raster smoothed by a normal distribution of two samples, over two fifths of that of a straight limb: of the
//! brightest level of the smoothed raster against black, level / (2 · √(2π)) a sample. It is 1 up to about three samples from
//! the limb, where the ring would be. The smoothing tells a disc from stars, whose light it spreads.
//!
//! What was decided is recorded in `docs/adr/0017-deconvolve.md`.
//!
//! # Numbers
//!
//! Observed, convolved, ratio and estimate are held, hence each product of two is at least 2^-80. A damped ratio is 1 and a
//! number from −1 on, so that it is zero or a multiple of 2^-25.

pub mod psf;
mod reference;
mod twin;

pub use reference::{Settings, apply};
pub(crate) use twin::append;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, StagesOf, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::{PlanFrame, Work};

use crate::arithmetic::Arithmetic;
use crate::{filter, load};

const NAME: &str = "deconvolve";
const RESTORED: &str = "restored";

/// The kernel: each raster of each frame with [`apply`] applied, of the size of the frame.
pub const KERNEL: Kernel = Kernel {
    name: NAME,
    summary: "Richardson-Lucy deconvolution with a Gaussian, Airy or measured PSF and a limb guard.",
    clips: 1,
    metrics: &[Metric {
        name: RESTORED,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    }],
    options: Options::of(&[ITERATIONS, PSF, SIGMA, RADIUS, LIMB_GUARD]),
    window: Window::FRAME,
    accepts: load::accepts,
    refuses: load::refuses,
    reference: |input, options| {
        let settings = Settings::of(options);
        Ok(filter::reference(input, RESTORED, |raster| apply(raster, &settings)))
    },
    twins: &[
        twin(
            "exact",
            &[Route::Sealed, Route::SharedMath, Route::Ordered],
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
            filter::finish(shape.format, [shape.width, shape.height], RESTORED, frame, readback)
        }),
        stages,
    }
}

const ITERATIONS: KernelOption =
    KernelOption::integer("iterations", "i", "How often the estimate is improved.", 8, [1, 100]);

const PSF: KernelOption = KernelOption::choice(
    "psf",
    "psf",
    "How a point spreads: as a normal distribution, as the image of an aperture, or as the brightest star does.",
    &["gaussian", "airy", "automatic"],
);

const SIGMA: KernelOption = KernelOption::number(
    "sigma",
    "sigma",
    "The standard deviation of the Gaussian PSF in samples.",
    1.5,
    [0.3, 3.0],
);

const RADIUS: KernelOption = KernelOption::number(
    "radius",
    "radius",
    "The radius of the first dark ring of the Airy PSF in samples.",
    2.5,
    [1.0, 4.0],
);

const LIMB_GUARD: KernelOption = KernelOption::number(
    "limb_guard",
    "guard",
    "How much the ratio is damped along the limb of a bright disc.",
    0.0,
    [0.0, 1.0],
);
