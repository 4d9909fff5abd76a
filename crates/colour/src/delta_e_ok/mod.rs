//! Colour differences in Oklab.

mod reference;
mod twin;

pub use reference::delta_e_ok;

use isobit::kernel::{Kernel, Route, Twin};

use crate::{delta_e, pixel_map};

/// The kernel, over two clips in sRGB.
pub const KERNEL: Kernel = Kernel {
    name: "delta_e_ok",
    summary: "The distance of each pixel pair in Oklab, from sRGB, and its mean.",
    clips: 2,
    metrics: delta_e::METRICS,
    accepts: pixel_map::accepts,
    refuses: pixel_map::refuses,
    reference: reference::reference,
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::SharedMath, Route::Host],
            plan: twin::exact,
            finish: delta_e::finish,
        },
        Twin {
            name: "native",
            routes: &[],
            plan: twin::native,
            finish: delta_e::finish,
        },
    ],
};
