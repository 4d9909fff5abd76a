//! Structural similarity of the luma plane, in fixed point.

mod bands;
mod reference;
mod twin;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;

/// The kernel.
///
/// The exact twin filters in integers and forms each sample's term in software f64; the host adds the terms in the order of
/// the reference and divides.
pub const KERNEL: Kernel = Kernel {
    name: "ssim",
    summary: "SSIM of the luma with a fixed-point window, after `integer_ssim.c` of libvmaf.",
    clips: 2,
    metrics: &[Metric {
        name: reference::SSIM,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: crate::planes::accepts,
    refuses: bands::refuses,
    reference: |input, _| reference::reference(input),
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Soft, Route::Host],
        plan: |shape, _| twin::plan(shape),
        finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
        stages: None,
    }],
};
