//! How sharp a frame is: the energies of its gradient and of its Laplacian.

mod reference;
mod twin;

pub(crate) use reference::blocks;
pub use reference::{Sharpness, sharpness};
pub(crate) use twin::{WORDS, append};

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::arithmetic::Arithmetic;
use crate::load;

const GRADIENT: &str = "gradient";
const LAPLACIAN: &str = "laplacian";
const SHARPNESS: &str = "sharpness";

/// The kernel: three scores a frame, of the [`luminance`](crate::luminance) of its rasters.
///
/// Scores are squares of differences, a mean over all samples, in units of the squared mean level: they are numbers from 0
/// up without a unit, 0 for a flat frame, and do not change when all light is multiplied. [`sharpness()`] says how they are
/// formed.
///
/// The exact twin leaves the scores themselves; the native one differs in the rounding of differences, of their sums and of
/// quotients, by a few parts in 10^7.
pub const KERNEL: Kernel = Kernel {
    name: "sharpness",
    summary: "Energy of gradient and Laplacian of the luminance of a frame, in units of its squared mean level.",
    clips: 1,
    metrics: &[score(GRADIENT), score(LAPLACIAN), score(SHARPNESS)],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: load::accepts,
    refuses: load::refuses,
    reference: |input, _| Ok(reference::reference(input)),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::Ordered],
            work: Work::Frame(|shape, _| twin::plan(shape, Arithmetic::Exact)),
            finish: Finish::Frame(|_, _, frame, left| twin::finish(frame, left)),
            stages: Some(|input, _, frame| Ok(twin::stages(input, frame))),
        },
        Twin {
            name: "native",
            routes: &[],
            work: Work::Frame(|shape, _| twin::plan(shape, Arithmetic::Native)),
            finish: Finish::Frame(|_, _, frame, left| twin::finish(frame, left)),
            stages: None,
        },
    ],
};

const fn score(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}
