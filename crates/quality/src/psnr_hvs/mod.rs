//! Peak signal-to-noise ratio of what the eye sees of an error, for each plane and for all three.

mod reference;
mod twin;
mod weights;

pub use weights::{WEIGHTS, Weights};

use isobit::format::{Depth, Format};
use isobit::frame::ClipShape;
use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::planes;

/// The kernel.
///
/// The exact twin leaves the squared error of each coefficient, by an integer DCT and sealed f32 with quotients, roots and
/// conversions rounded once; the host forms the running sum of a plane in the reference's order.
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
    twins: &[Twin {
        name: "exact",
        routes: &[Route::Integer, Route::Sealed, Route::Soft, Route::Host],
        work: Work::Frame(|shape, _| twin::plan(shape)),
        finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
        stages: Some(|input, _, frame| twin::stages(input, frame)),
    }],
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
