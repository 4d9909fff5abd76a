//! Peak signal-to-noise ratio of the luma plane, as libvmaf's float features form it.

mod reference;
mod twin;

pub use reference::psnr;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

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
