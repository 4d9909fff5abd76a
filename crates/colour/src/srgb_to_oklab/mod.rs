//! sRGB to Oklab.

mod reference;
mod twin;

pub use reference::srgb_to_oklab;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

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
