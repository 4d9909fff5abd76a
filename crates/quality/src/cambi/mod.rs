//! Banding: the contrast-aware multiscale banding index of a distorted clip.

mod luminance;
mod reference;
mod settings;

use isobit::frame::ClipShape;
use isobit::kernel::{Kernel, Metric, MetricKind, NanPolicy, Window};
use isobit::options::Options;

use self::settings::{Choices, Settings};
use crate::planes;

/// The kernel.
pub const KERNEL: Kernel = Kernel {
    name: reference::CAMBI,
    summary: "Banding of the distorted clip's luma, after `cambi.c` of libvmaf.",
    clips: 2,
    metrics: &[Metric {
        name: reference::CAMBI,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses,
    reference: |input, _| reference::reference(input),
    twins: &[],
};

fn refuses(shape: &ClipShape) -> Option<String> {
    planes::refuses(shape).or_else(|| Settings::new(shape, &Choices::default()).err())
}
