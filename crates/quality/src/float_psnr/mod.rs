//! Peak signal-to-noise ratio of the luma plane, as libvmaf's float features form it.

mod reference;
mod twin;

pub use reference::psnr;

use isobit::kernel::{Kernel, Metric, MetricKind, NanPolicy, Route, Twin};

use crate::planes;

/// The kernel.
///
/// The exact twin sums rounded squares of errors in integers on the device and leaves both the quotient and the logarithm to
/// the reference's own function on the host.
pub const KERNEL: Kernel = Kernel {
    name: "float_psnr",
    summary: "PSNR of the luma from errors squared in f32, after `float_psnr.c` of libvmaf.",
    clips: 2,
    metrics: &[Metric {
        name: reference::PSNR,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }],
    accepts: planes::accepts,
    refuses: planes::refuses,
    reference: reference::reference,
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Host],
        plan: twin::plan,
        finish: twin::finish,
    }],
};
