//! Structural similarity of the luma plane, in fixed point.

mod bands;
mod reference;
mod twin;

use isobit::kernel::{Kernel, Metric, MetricKind, NanPolicy, Route, Twin};

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
    accepts: crate::planes::accepts,
    refuses: bands::refuses,
    reference: reference::reference,
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Soft, Route::Host],
        plan: twin::plan,
        finish: twin::finish,
    }],
};
