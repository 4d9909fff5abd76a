//! Linear light of Display P3 in ACEScg and the reverse: a change of primaries and of white.

mod reference;
mod spaces;
mod twin;

pub use reference::{codes_matrix, convert, light_matrix};
pub use spaces::{ACESCG, DISPLAY_P3, Matrix, Space, adaptation, between, to_xyz};

use isobit::kernel::{Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::pixel_map;

/// The kernel `display_p3_to_acescg`: [`convert`] by the matrix between the two spaces.
pub const DISPLAY_P3_TO_ACESCG: Kernel = Kernel {
    name: "display_p3_to_acescg",
    summary: "Linear light of Display P3 as ACEScg, adapted from D65 to the ACES white by Bradford.",
    clips: 1,
    metrics: &[light("acescg")],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: pixel_map::accepts,
    refuses: pixel_map::refuses,
    reference: |input, _| Ok::<_, KernelError>(reference::reference(input, "acescg", &TO_ACESCG)),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Integer, Route::Sealed],
            work: Work::Frame(|shape, _| twin::plan("display_p3_to_acescg", shape, &TO_ACESCG, twin::EXACT)),
            finish: Finish::Frame(|shape, _, frame, readback| pixel_map::finish(shape, frame, readback, "acescg")),
            stages: None,
        },
        Twin {
            name: "native",
            routes: &[],
            work: Work::Frame(|shape, _| twin::plan("display_p3_to_acescg", shape, &TO_ACESCG, twin::NATIVE)),
            finish: Finish::Frame(|shape, _, frame, readback| pixel_map::finish(shape, frame, readback, "acescg")),
            stages: None,
        },
    ],
};

/// The kernel `acescg_to_display_p3`: [`convert`] by the matrix between the two spaces.
pub const ACESCG_TO_DISPLAY_P3: Kernel = Kernel {
    name: "acescg_to_display_p3",
    summary: "Linear light of ACEScg as Display P3, adapted from the ACES white to D65 by Bradford.",
    clips: 1,
    metrics: &[light("display_p3")],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: pixel_map::accepts,
    refuses: pixel_map::refuses,
    reference: |input, _| Ok::<_, KernelError>(reference::reference(input, "display_p3", &TO_DISPLAY_P3)),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Integer, Route::Sealed],
            work: Work::Frame(|shape, _| twin::plan("acescg_to_display_p3", shape, &TO_DISPLAY_P3, twin::EXACT)),
            finish: Finish::Frame(|shape, _, frame, readback| pixel_map::finish(shape, frame, readback, "display_p3")),
            stages: None,
        },
        Twin {
            name: "native",
            routes: &[],
            work: Work::Frame(|shape, _| twin::plan("acescg_to_display_p3", shape, &TO_DISPLAY_P3, twin::NATIVE)),
            finish: Finish::Frame(|shape, _, frame, readback| pixel_map::finish(shape, frame, readback, "display_p3")),
            stages: None,
        },
    ],
};

const TO_ACESCG: Matrix = between(&DISPLAY_P3, &ACESCG);
const TO_DISPLAY_P3: Matrix = between(&ACESCG, &DISPLAY_P3);

/// Three planes of linear light, in primaries for which no colour difference is defined here.
const fn light(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Class,
    }
}
