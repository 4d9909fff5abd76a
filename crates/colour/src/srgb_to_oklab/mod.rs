//! sRGB to Oklab.

mod reference;
mod twin;

pub use reference::srgb_to_oklab;

use isobit::kernel::{Kernel, Metric, MetricKind, NanPolicy, Route, Twin};

use crate::pixel_map;

const OKLAB: &str = "oklab";

/// The kernel: each pixel with [`srgb_to_oklab`] applied.
pub const KERNEL: Kernel = Kernel {
    name: "srgb_to_oklab",
    summary: "L, a and b of sRGB colours in Oklab, with the matrices of 2021.",
    clips: 1,
    metrics: &[Metric {
        name: OKLAB,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Class,
    }],
    accepts: pixel_map::accepts,
    refuses: pixel_map::refuses,
    reference: reference::reference,
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
