//! PQ to display light: the electro-optical transfer function of SMPTE ST 2084.

mod reference;
mod twin;

pub use reference::{TRANSFER, pq_eotf};

use isobit::kernel::{Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::plane_map;

const DISPLAY: &str = "display";

/// The kernel: each plane with [`pq_eotf`] applied.
pub const KERNEL: Kernel = Kernel {
    name: "pq_eotf",
    summary: "Display light of PQ signals, after SMPTE ST 2084, in units of 10,000 cd/m².",
    clips: 1,
    metrics: &[Metric {
        name: DISPLAY,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Class,
    }],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: plane_map::accepts,
    refuses: plane_map::refuses,
    reference: |input, _| Ok::<_, KernelError>(plane_map::reference(input, DISPLAY, &TRANSFER)),
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
