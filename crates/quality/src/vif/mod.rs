//! Visual information fidelity of the luma at four scales, in fixed point.

mod reference;
mod stages;
mod twin;

pub use reference::{
    ColumnMoments, FILTERS, LEAST_SIDE, Level, SCALES, Settings, Sums, Variances, channel, levels, quotient, score,
    sums, variances,
};

use isobit::frame::ClipShape;
use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::Work;

use crate::planes;

/// The kernel.
///
/// Beside the scores it yields their numerators and denominators, which libvmaf prints, rounded to f32, in its debug mode: a
/// single window that differs is lost in the rounding of a score, and not in theirs.
///
/// The exact twin filters in integers, forms the gain of each window as f64 would, and sums logarithms from the reference's
/// table; the host adds the partial sums and forms the quotients with the reference's own functions.
pub const KERNEL: Kernel = Kernel {
    name: "vif",
    summary: "Visual information fidelity of the luma at four scales, after `integer_vif.c` of libvmaf.",
    clips: 2,
    metrics: &[
        metric(reference::SCORE[0]),
        metric(reference::SCORE[1]),
        metric(reference::SCORE[2]),
        metric(reference::SCORE[3]),
        metric(reference::NUMERATOR[0]),
        metric(reference::NUMERATOR[1]),
        metric(reference::NUMERATOR[2]),
        metric(reference::NUMERATOR[3]),
        metric(reference::DENOMINATOR[0]),
        metric(reference::DENOMINATOR[1]),
        metric(reference::DENOMINATOR[2]),
        metric(reference::DENOMINATOR[3]),
    ],
    options: Options::of(&[GAIN_LIMIT, SKIP_FIRST]),
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses,
    reference: |input, options| reference::reference(input, settings(options)),
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Soft, Route::Host],
        work: Work::Frame(|shape, options| twin::plan(shape, settings(options))),
        finish: Finish::Frame(|shape, options, frame, readback| {
            twin::finish(shape, settings(options), frame, readback)
        }),
        stages: Some(|input, options, frame| Ok(stages::stages(input, settings(options), frame))),
    }],
};

const GAIN_LIMIT: KernelOption = KernelOption::number(
    "vif_enhn_gain_limit",
    "egl",
    "The largest gain of the distorted clip on the reference that counts as information kept; 1 gives no credit for enhancement.",
    100.0,
    [1.0, 100.0],
);

const SKIP_FIRST: KernelOption = KernelOption::flag(
    "vif_skip_scale0",
    "ssclz",
    "Leaves out the first scale, whose score is then 0.",
);

fn settings(options: &Options) -> Settings {
    Settings {
        gain_limit: options.number(GAIN_LIMIT.name),
        skip_first: options.flag(SKIP_FIRST.name),
    }
}

fn refuses(shape: &ClipShape) -> Option<String> {
    let side = shape.width.min(shape.height);
    if side < LEAST_SIDE {
        return Some(format!(
            "a side of {side} samples has no mirror image at all four scales, which takes {LEAST_SIDE}"
        ));
    }
    planes::refuses(shape)
}

const fn metric(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}
