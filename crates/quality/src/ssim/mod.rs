//! Structural similarity of the luma plane, in fixed point.

mod bands;
mod reference;
mod twin;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

/// The kernel.
///
/// The exact twin forms the moments of every window in integers, and their term with the roundings of f64; the host adds the
/// terms in the reference's order. It reads back 8 bytes a sample: the terms of a plane of 8192 by 4320 take 283 MB, beside
/// 143 MB of samples at 16 bits and 101 MB of moments in rows, a band at a time.
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
        work: Work::Frame(|shape, _| twin::plan(shape)),
        finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
        stages: Some(|input, _, frame| Ok(twin::stages(input, frame))),
    }],
};
