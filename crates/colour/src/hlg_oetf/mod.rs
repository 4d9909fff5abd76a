//! Scene light to HLG: the opto-electronic transfer function of ARIB STD-B67.

mod reference;
mod twin;

pub use reference::{TRANSFER, hlg_oetf};

use isobit::kernel::{Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::plane_map;

const SIGNAL: &str = "signal";

/// The kernel: each plane with [`hlg_oetf`] applied.
pub const KERNEL: Kernel = Kernel {
    name: "hlg_oetf",
    summary: "HLG signals of scene light, after ARIB STD-B67 and ITU-R BT.2100.",
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
