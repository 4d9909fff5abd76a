//! Unsharp mask: what blurring takes away, once more.
//!
//! With `b` the sample blurred by a normal distribution of standard deviation `radius`, cut beyond three of them
//! ([`crate::convolve`]), a sample `x` becomes
//!
//! ```text
//! x + amount · (x − b)    where |x − b| ≥ threshold, and stays x elsewhere
//! ```
//!
//! Names and defaults are those of GIMP. `radius` is in samples, `threshold` a part of full scale. A flat field stays as it is.
//!
//! # Numbers
//!
//! Samples and blurred samples are held, hence a difference is zero or at least 2^-63, and with an amount of zero or at least
//! 2^-30 the sum a multiple of 2^-116. It is held again.

mod reference;
mod twin;

pub use reference::{Settings, apply};
pub(crate) use twin::append;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, StagesOf, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::{PlanFrame, Work};

use crate::arithmetic::Arithmetic;
use crate::{filter, load};

const NAME: &str = "unsharp";
const SHARPENED: &str = "sharpened";

/// The kernel: each raster of each frame with [`apply`] applied, of the size of the frame.
pub const KERNEL: Kernel = Kernel {
    name: NAME,
    summary: "Unsharp mask over a Gaussian blur, with amount and threshold.",
    clips: 1,
    metrics: &[Metric {
        name: SHARPENED,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    }],
    options: Options::of(&[RADIUS, AMOUNT, THRESHOLD]),
    window: Window::FRAME,
    accepts: load::accepts,
    refuses: load::refuses,
    reference: |input, options| {
        let settings = Settings::of(options);
        Ok(filter::reference(input, SHARPENED, |raster| apply(raster, &settings)))
    },
    twins: &[
        twin(
            "exact",
            &[Route::Sealed, Route::SharedMath],
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

const RADIUS: KernelOption = KernelOption::number(
    "radius",
    "radius",
    "The standard deviation of the blur in samples.",
    3.0,
    [0.2, 20.0],
);

const AMOUNT: KernelOption = KernelOption::number(
    "amount",
    "amount",
    "How often what the blur takes away is added.",
    0.5,
    [0.0, 10.0],
);

const THRESHOLD: KernelOption = KernelOption::number(
    "threshold",
    "threshold",
    "The least difference from the blurred sample that is added, as a part of full scale.",
    0.0,
    [0.0, 1.0],
);
