//! Banding: the contrast-aware multiscale banding index of a distorted clip.

mod luminance;
mod reference;
mod settings;
mod twin;

use isobit::frame::ClipShape;
use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;

use self::settings::{Choices, Settings};
use crate::planes;

/// The kernel.
///
/// The exact twin counts in integers on the device; a contrast is one product of two f32 that have the reference's bits, and
/// the contrasts are pooled by the reference's own function on the host, in its order.
pub const KERNEL: Kernel = Kernel {
    name: reference::CAMBI,
    summary: "Banding of the distorted clip's luma, after `cambi.c` of libvmaf.",
    clips: 2,
    metrics: &[Metric {
        name: reference::CAMBI,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses,
    reference: |input, _| reference::reference(input),
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Soft, Route::Sealed, Route::Host],
        plan: |shape, _| twin::plan(shape),
        finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
        stages: None,
    }],
};

fn refuses(shape: &ClipShape) -> Option<String> {
    planes::refuses(shape).or_else(|| Settings::new(shape, &Choices::default()).err())
}
