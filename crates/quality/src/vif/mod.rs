//! Visual information fidelity of the luma at four scales, in fixed point.

mod reference;

pub use reference::{
    ColumnMoments, FILTERS, LEAST_SIDE, Level, SCALES, Settings, Sums, Variances, channel, levels, quotient, score,
    sums, variances,
};

use isobit::frame::ClipShape;
use isobit::kernel::{Kernel, Metric, MetricKind, NanPolicy, Window};
use isobit::options::Options;

use crate::planes;
/// The kernel.
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
    options: Options::NONE,
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses,
    reference: |input, _| reference::reference(input, Settings::DEFAULT),
    twins: &[],
};

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
