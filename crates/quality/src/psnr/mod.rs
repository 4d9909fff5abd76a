//! Peak signal-to-noise ratio and mean squared error of each plane, frame by frame, and the ratio over all frames so far.

mod reference;
mod settings;
mod twin;

pub use reference::{mse, psnr};

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use self::settings::Settings;
use crate::planes;

/// The kernel.
///
/// The exact twin sums squared errors in integers on the device and leaves both the quotient and the logarithm to the
/// reference's own functions on the host.
pub const KERNEL: Kernel = Kernel {
    name: "psnr",
    summary: "PSNR and MSE of each plane, after `integer_psnr.c` of libvmaf with `enable_mse`.",
    clips: 2,
    metrics: &[
        score(reference::PSNR[0]),
        score(reference::PSNR[1]),
        score(reference::PSNR[2]),
        score(reference::MSE[0]),
        score(reference::MSE[1]),
        score(reference::MSE[2]),
    ],
    options: Options::of(settings::OPTIONS),
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses: planes::refuses,
    reference: |input, options| Ok(reference::reference(input, &Settings::new(input.shape(), options))),
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Host],
        work: Work::Frame(|shape, _| twin::plan(shape)),
        finish: Finish::Frame(|shape, options, frame, readback| {
            let sums = twin::sums(shape, readback)?;
            Ok(reference::scores(frame, sums, shape, &Settings::new(shape, options)))
        }),
        stages: None,
    }],
};

/// The ratio over all frames up to each, of which libvmaf reports the last one's as the clip's where `enable_apsnr` is set.
///
/// Its outputs depend on all earlier frames, which is why it is a kernel of its own; the twin is that of [`KERNEL`].
pub const APSNR: Kernel = Kernel {
    name: "apsnr",
    summary: "PSNR of each plane over all frames so far, after `integer_psnr.c` of libvmaf with `enable_apsnr`.",
    metrics: &[
        score(reference::APSNR[0]),
        score(reference::APSNR[1]),
        score(reference::APSNR[2]),
    ],
    options: Options::of(settings::APSNR_OPTIONS),
    window: Window {
        before: usize::MAX,
        after: 0,
    },
    reference: |input, options| {
        Ok(reference::apsnr(
            input,
            settings::peak(input.shape().format.depth, options),
        ))
    },
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Host],
        work: Work::Frame(|shape, _| twin::plan(shape)),
        finish: Finish::Clip(|shape, options, readbacks| {
            let sums = readbacks.iter().map(|readback| twin::sums(shape, readback));
            let sums = sums.collect::<Result<Vec<_>, _>>()?;
            let peak = settings::peak(shape.format.depth, options);
            Ok(reference::running_scores(sums, shape, peak))
        }),
        stages: None,
    }],
    ..KERNEL
};

const fn score(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}
