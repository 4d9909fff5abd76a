//! Y'CbCr to R'G'B' of the full range, at the same depth: one kernel a matrix and a range.

mod reference;
mod twin;

pub use reference::{pixel, upsampled};

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::ycbcr::codes;

const RGB: &str = "rgb";

/// BT.601, luma from 16 to 235.
pub const BT601_LIMITED: Kernel = kernel::<0>(
    "ycbcr_to_rgb_601_limited",
    "R'G'B' codes of limited-range Y'CbCr after ITU-R BT.601.",
);
/// BT.601, luma over all codes.
pub const BT601_FULL: Kernel = kernel::<1>(
    "ycbcr_to_rgb_601_full",
    "R'G'B' codes of full-range Y'CbCr after ITU-R BT.601.",
);
/// BT.709, luma from 16 to 235.
pub const BT709_LIMITED: Kernel = kernel::<2>(
    "ycbcr_to_rgb_709_limited",
    "R'G'B' codes of limited-range Y'CbCr after ITU-R BT.709.",
);
/// BT.709, luma over all codes.
pub const BT709_FULL: Kernel = kernel::<3>(
    "ycbcr_to_rgb_709_full",
    "R'G'B' codes of full-range Y'CbCr after ITU-R BT.709.",
);
/// BT.2020 with non-constant luminance, luma from 16 to 235.
pub const BT2020_LIMITED: Kernel = kernel::<4>(
    "ycbcr_to_rgb_2020_limited",
    "R'G'B' codes of limited-range Y'CbCr after ITU-R BT.2020, non-constant luminance.",
);
/// BT.2020 with non-constant luminance, luma over all codes.
pub const BT2020_FULL: Kernel = kernel::<5>(
    "ycbcr_to_rgb_2020_full",
    "R'G'B' codes of full-range Y'CbCr after ITU-R BT.2020, non-constant luminance.",
);

/// The kernel of entry `V` of [`crate::ycbcr::VARIANTS`].
const fn kernel<const V: usize>(name: &'static str, summary: &'static str) -> Kernel {
    Kernel {
        name,
        summary,
        clips: 1,
        metrics: &[Metric {
            name: RGB,
            kind: MetricKind::Plane(None),
            nan: NanPolicy::Never,
        }],
        options: Options::NONE,
        window: Window::FRAME,
        accepts,
        refuses: codes::refuses,
        reference: |input, _| reference::reference::<V>(input),
        twins: &[
            Twin {
                name: "exact",
                routes: &[Route::Integer],
                work: Work::Frame(|shape, _| twin::exact::<V>(shape)),
                finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
                stages: None,
            },
            Twin {
                name: "native",
                routes: &[],
                work: Work::Frame(|shape, _| twin::native::<V>(shape)),
                finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
                stages: None,
            },
        ],
    }
}

/// Y'CbCr codes of any subsampling.
fn accepts(format: Format) -> bool {
    Layout::YUV.contains(&format.layout) && Depth::INTEGER.contains(&format.depth)
}
