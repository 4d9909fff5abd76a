//! Oklab to sRGB.

mod reference;
mod twin;

pub use reference::{lab_of_codes, oklab_to_srgb};

use isobit::kernel::{Encoding, Kernel, Metric, MetricKind, NanPolicy, Route, Twin};

use crate::pixel_map;

const SRGB: &str = "srgb";

/// The kernel: each pixel with [`oklab_to_srgb`] applied.
pub const KERNEL: Kernel = Kernel {
    name: "oklab_to_srgb",
    summary: "sRGB colours of L, a and b in Oklab, with the matrices of 2021.",
    clips: 1,
    metrics: &[Metric {
        name: SRGB,
        kind: MetricKind::Plane(Some(Encoding::Srgb)),
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
