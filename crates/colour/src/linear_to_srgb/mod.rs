//! Linear light to sRGB: the inverse of the electro-optical transfer function of IEC 61966-2-1.

mod reference;
mod twin;

pub use reference::{TRANSFER, linear_to_srgb};

use isobit::kernel::{Encoding, Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::plane_map;

const SRGB: &str = "srgb";

/// The kernel: each plane with [`linear_to_srgb`] applied.
pub const KERNEL: Kernel = Kernel {
    name: "linear_to_srgb",
    summary: "sRGB values of linear light, after IEC 61966-2-1, extended oddly below zero.",
    clips: 1,
    metrics: &[Metric {
        name: SRGB,
        kind: MetricKind::Plane(Some(Encoding::Srgb)),
        nan: NanPolicy::Class,
    }],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: plane_map::accepts,
    refuses: plane_map::refuses,
    reference: |input, _| Ok::<_, KernelError>(plane_map::reference(input, SRGB, &TRANSFER)),
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
