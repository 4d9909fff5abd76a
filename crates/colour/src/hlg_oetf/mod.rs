//! Scene light to HLG: the opto-electronic transfer function of ARIB STD-B67.

mod reference;
mod twin;

pub use reference::{TRANSFER, hlg_oetf};

use isobit::kernel::{Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin};

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
    accepts: plane_map::accepts,
    refuses: plane_map::refuses,
    reference: |input| Ok::<_, KernelError>(plane_map::reference(input, SIGNAL, &TRANSFER)),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::SharedMath],
            plan: twin::exact,
            finish: twin::finish,
        },
        Twin {
            name: "native",
            routes: &[],
            plan: twin::native,
            finish: twin::finish,
        },
    ],
};
