//! Oklab to sRGB.

mod reference;
mod twin;

pub use reference::{lab_of_codes, oklab_to_srgb};

use isobit::kernel::{Encoding, Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

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
    options: Options::NONE,
    window: Window::FRAME,
    accepts: pixel_map::accepts,
    refuses: pixel_map::refuses,
    reference: |input, _| reference::reference(input),
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
