//! First and second raw moments of the luma plane of both clips.

mod reference;
mod twin;

pub use reference::{Sums, moments};

use isobit::kernel::{Kernel, Metric, MetricKind, NanPolicy, Route, Twin};

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
    accepts: planes::accepts,
    refuses: planes::refuses,
    reference: reference::reference,
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Host],
        plan: twin::plan,
        finish: twin::finish,
    }],
};

const fn score(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}
