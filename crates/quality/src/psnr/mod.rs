//! Peak signal-to-noise ratio and mean squared error of each plane.

mod reference;
mod twin;

pub use reference::{mse, psnr};

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

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
    options: Options::NONE,
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses: planes::refuses,
    reference: |input, _| reference::reference(input),
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Host],
        work: Work::Frame(|shape, _| twin::plan(shape)),
        finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
        stages: None,
    }],
};

const fn score(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}
