//! Colour differences by CIEDE2000.

mod reference;
mod twin;

pub use reference::{ciede2000, cielab};

use isobit::kernel::{Kernel, Route, Twin};

use crate::{delta_e, pixel_map};

/// The kernel, over two clips in sRGB.
pub const KERNEL: Kernel = Kernel {
    name: "delta_e_2000",
    summary: "The CIEDE2000 difference of each pixel pair, from sRGB under D65, and its mean.",
    clips: 2,
    metrics: delta_e::METRICS,
    accepts: pixel_map::accepts,
    refuses: pixel_map::refuses,
    reference: reference::reference,
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::Soft, Route::SharedMath, Route::Host],
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
