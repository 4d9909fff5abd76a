//! Peak signal-to-noise ratio and mean squared error of each plane.

mod reference;
mod twin;

pub use reference::{mse, psnr};

use isobit::kernel::{Kernel, Metric, MetricKind, NanPolicy, Route, Twin};

use crate::planes;

/// The kernel.
///
/// The exact twin sums squared errors in integers on the device and leaves both the quotient and the logarithm to the
/// reference's own functions on the host.
pub const KERNEL: Kernel = Kernel {
    name: "psnr",
    summary: "PSNR and MSE of each plane, after `integer_psnr.c` of libvmaf.",
    clips: 2,
    metrics: &[
        score(reference::PSNR[0]),
        score(reference::PSNR[1]),
        score(reference::PSNR[2]),
        score(reference::MSE[0]),
        score(reference::MSE[1]),
        score(reference::MSE[2]),
    ],
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

const fn score(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}
