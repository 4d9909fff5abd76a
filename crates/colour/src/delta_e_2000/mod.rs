//! Colour differences by CIEDE2000.

mod reference;
mod twin;

pub use reference::{ciede2000, cielab};

use isobit::kernel::{Finish, Kernel, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::{delta_e, pixel_map};

/// The kernel, over two clips in sRGB.
pub const KERNEL: Kernel = Kernel {
    name: "delta_e_2000",
    summary: "The CIEDE2000 difference of each pixel pair, from sRGB under D65, and its mean.",
    clips: 2,
    metrics: delta_e::METRICS,
    options: Options::NONE,
    window: Window::FRAME,
    accepts: pixel_map::accepts,
    refuses: pixel_map::refuses,
    reference: |input, _| reference::reference(input),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::Soft, Route::SharedMath, Route::Host],
            work: Work::Frame(|shape, _| twin::exact(shape)),
            finish: Finish::Frame(|shape, _, frame, readback| delta_e::finish(shape, frame, readback)),
            stages: None,
        },
        Twin {
            name: "native",
            routes: &[],
            work: Work::Frame(|shape, _| twin::native(shape)),
            finish: Finish::Frame(|shape, _, frame, readback| delta_e::finish(shape, frame, readback)),
            stages: None,
        },
    ],
};
