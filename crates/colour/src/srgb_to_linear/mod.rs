//! sRGB to linear light: the electro-optical transfer function of IEC 61966-2-1.

mod reference;
mod twin;

pub use reference::{TRANSFER, srgb_to_linear};

use isobit::kernel::{Encoding, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin};

use crate::plane_map;

const LINEAR: &str = "linear";

/// The kernel: each plane with [`srgb_to_linear`] applied.
pub const KERNEL: Kernel = Kernel {
    name: "srgb_to_linear",
    summary: "Linear light of sRGB values, after IEC 61966-2-1, extended oddly below zero.",
    clips: 1,
    metrics: &[Metric {
        name: LINEAR,
        kind: MetricKind::Plane(Some(Encoding::Linear)),
        nan: NanPolicy::Class,
    }],
    accepts: plane_map::accepts,
    refuses: plane_map::refuses,
    reference: |input| Ok::<_, KernelError>(plane_map::reference(input, LINEAR, &TRANSFER)),
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
