//! Detail loss and additive impairment of the luma: integer ADM, AIM and ADM3.

mod csf;
mod parameters;
mod reference;
mod scores;
mod twin;

pub use csf::{Weights, weights};
pub use parameters::{Parameters, Sensitivity};
pub use reference::{Bands, Decoupled, Details, Mask, Rows, SCALES, Size, Stages, interior, margin, stages};
pub use scores::scores;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::planes;

/// The kernel.
///
/// The exact twin computes in integers down to sums over rows, except that angles are compared and gains applied in soft f64;
/// the host adds the rows and takes the cube roots with the reference's own functions.
pub const KERNEL: Kernel = Kernel {
    name: "adm",
    summary: "Detail loss and additive impairment of the luma at four scales, after `integer_adm.c` of libvmaf.",
    clips: 2,
    metrics: &[
        score(scores::NAMES[0], NanPolicy::Never),
        score(scores::NAMES[1], NanPolicy::Never),
        score(scores::NAMES[2], NanPolicy::Never),
        // A scale without detail and, by option, without noise has no score.
        score(scores::NAMES[3], NanPolicy::Class),
        score(scores::NAMES[4], NanPolicy::Class),
        score(scores::NAMES[5], NanPolicy::Class),
        score(scores::NAMES[6], NanPolicy::Class),
    ],
    options: Options::of(parameters::OPTIONS),
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses: |shape| scores::refuses(shape).or_else(|| planes::refuses(shape)),
    reference: reference::reference,
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Soft, Route::Host],
        work: Work::Frame(twin::plan),
        finish: Finish::Frame(twin::finish),
        stages: Some(twin::stages),
    }],
};

const fn score(name: &'static str, nan: NanPolicy) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan,
    }
}
