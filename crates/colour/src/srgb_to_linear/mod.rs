//! sRGB to linear light: the electro-optical transfer function of IEC 61966-2-1.

mod reference;
mod twin;

pub use reference::{TRANSFER, srgb_to_linear};

use isobit::kernel::{Encoding, Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

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
    options: Options::NONE,
    window: Window::FRAME,
    accepts: plane_map::accepts,
    refuses: plane_map::refuses,
    reference: |input, _| Ok::<_, KernelError>(plane_map::reference(input, LINEAR, &TRANSFER)),
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
