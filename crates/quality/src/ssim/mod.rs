//! Structural similarity of the luma plane, in fixed point.

mod bands;
mod reference;
mod twin;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

/// The kernel.
///
/// The exact twin forms the moments of every window in integers; the host makes terms of them and adds those, with the
/// reference's own functions and in its order. In software f64 the terms could be formed on the device as well, which takes
/// SwiftShader ten times as long as all the rest.
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
        routes: &[Route::Integer, Route::Host],
        work: Work::Frame(|shape, _| twin::plan(shape)),
        finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
        stages: Some(|input, _, frame| Ok(twin::stages(input, frame))),
    }],
};
