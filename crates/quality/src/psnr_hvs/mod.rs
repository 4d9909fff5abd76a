//! Peak signal-to-noise ratio of what the eye sees of an error, for each plane and for all three.

mod reference;
mod weights;

pub use weights::{WEIGHTS, Weights};

use isobit::format::{Depth, Format};
use isobit::frame::ClipShape;
use isobit::kernel::{Kernel, Metric, MetricKind, NanPolicy, Window};
use isobit::options::Options;

use crate::planes;

/// The kernel.
pub const KERNEL: Kernel = Kernel {
    name: "psnr_hvs",
    summary: "PSNR-HVS-M of each plane and of all, after `psnr_hvs.c` of libvmaf.",
    clips: 2,
    metrics: &[
        score(reference::PLANES[0]),
        score(reference::PLANES[1]),
        score(reference::PLANES[2]),
        score(reference::COMBINED),
    ],
    options: Options::NONE,
    window: Window::FRAME,
    accepts,
    refuses,
    reference: |input, _| reference::reference(input),
    twins: &[],
};

/// Codes of up to 12 bits in luma and chroma planes: those of 16 would overflow the transform.
fn accepts(format: Format) -> bool {
    planes::accepts(format) && format.depth != Depth::U16
}

fn refuses(shape: &ClipShape) -> Option<String> {
    planes::refuses(shape).or_else(|| shape.planes.iter().find_map(reference::Blocks::refuses))
}

const fn score(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}
