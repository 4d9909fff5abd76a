//! First and second raw moments of the luma plane of both clips.

mod reference;
mod twin;

pub use reference::{Sums, moments};

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::planes;

/// The kernel.
///
/// The exact twin sums codes and rounded squares in integers on the device; the host adds the partial sums and scales
/// them with the reference's own function.
pub const KERNEL: Kernel = Kernel {
    name: "float_moment",
    summary: "Mean and mean square of the luma of both clips, after `float_moment.c` of libvmaf.",
    clips: 2,
    metrics: &[
        score(reference::FIRST[0]),
        score(reference::FIRST[1]),
        score(reference::SECOND[0]),
        score(reference::SECOND[1]),
    ],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses: planes::refuses,
    reference: |input, _| reference::reference(input),
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Host],
        work: Work::Frame(|shape, _| twin::plan(shape)),
        finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
        stages: None,
    }],
};

const fn score(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}
