//! Display light to PQ: the inverse of the electro-optical transfer function of SMPTE ST 2084.

mod reference;
mod twin;

pub use reference::{TRANSFER, pq_inverse_eotf};

use isobit::kernel::{Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::plane_map;

const SIGNAL: &str = "signal";

/// The kernel: each plane with [`pq_inverse_eotf`] applied.
pub const KERNEL: Kernel = Kernel {
    name: "pq_inverse_eotf",
    summary: "PQ signals of display light in units of 10,000 cd/m², after SMPTE ST 2084.",
    clips: 1,
    metrics: &[Metric {
        name: SIGNAL,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Class,
    }],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: plane_map::accepts,
    refuses: plane_map::refuses,
    reference: |input, _| Ok::<_, KernelError>(plane_map::reference(input, SIGNAL, &TRANSFER)),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::SharedMath],
            work: Work::Frame(|shape, _| twin::exact(shape)),
            finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
            stages: None,
        },
        Twin {
            name: "native",
            routes: &[],
            work: Work::Frame(|shape, _| twin::native(shape)),
            finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
            stages: None,
        },
    ],
};
