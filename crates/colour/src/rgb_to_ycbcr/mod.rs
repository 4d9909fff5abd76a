//! R'G'B' of the full range to Y'CbCr, at the same depth: one kernel a matrix and a range.
//!
//! Luma and each subsampling of chroma are metrics, and dispatches, of their own: a program runs those of its layout.

mod reference;
mod twin;

pub use reference::{Filter, chroma, downsampled, luma};

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::work::Work;

use crate::ycbcr::codes;

const LUMA: &str = "luma";

/// BT.601, luma from 16 to 235.
pub const BT601_LIMITED: Kernel = kernel::<0>(
    "rgb_to_ycbcr_601_limited",
    "Limited-range Y'CbCr codes after ITU-R BT.601, chroma in 4:4:4, 4:2:2 and 4:2:0.",
);
/// BT.601, luma over all codes.
pub const BT601_FULL: Kernel = kernel::<1>(
    "rgb_to_ycbcr_601_full",
    "Full-range Y'CbCr codes after ITU-R BT.601, chroma in 4:4:4, 4:2:2 and 4:2:0.",
);
/// BT.709, luma from 16 to 235.
pub const BT709_LIMITED: Kernel = kernel::<2>(
    "rgb_to_ycbcr_709_limited",
    "Limited-range Y'CbCr codes after ITU-R BT.709, chroma in 4:4:4, 4:2:2 and 4:2:0.",
);
/// BT.709, luma over all codes.
pub const BT709_FULL: Kernel = kernel::<3>(
    "rgb_to_ycbcr_709_full",
    "Full-range Y'CbCr codes after ITU-R BT.709, chroma in 4:4:4, 4:2:2 and 4:2:0.",
);
/// BT.2020 with non-constant luminance, luma from 16 to 235.
pub const BT2020_LIMITED: Kernel = kernel::<4>(
    "rgb_to_ycbcr_2020_limited",
    "Limited-range Y'CbCr codes after ITU-R BT.2020 (non-constant luminance), chroma in 4:4:4, 4:2:2 and 4:2:0.",
);
/// BT.2020 with non-constant luminance, luma over all codes.
pub const BT2020_FULL: Kernel = kernel::<5>(
    "rgb_to_ycbcr_2020_full",
    "Full-range Y'CbCr codes after ITU-R BT.2020 (non-constant luminance), chroma in 4:4:4, 4:2:2 and 4:2:0.",
);

/// A subsampling of chroma.
#[derive(Clone, Copy, Debug)]
struct Chroma {
    /// Name of the metric.
    metric: &'static str,
    /// The layout whose chroma it is.
    layout: Layout,
    /// Names of the buffers of Cb and Cr.
    buffers: [&'static str; 2],
}

const CHROMA: [Chroma; 3] = [
    Chroma {
        metric: "chroma_444",
        layout: Layout::Yuv444,
        buffers: ["cb_444", "cr_444"],
    },
    Chroma {
        metric: "chroma_422",
        layout: Layout::Yuv422,
        buffers: ["cb_422", "cr_422"],
    },
    Chroma {
        metric: "chroma_420",
        layout: Layout::Yuv420,
        buffers: ["cb_420", "cr_420"],
    },
];

/// The kernel of entry `V` of [`crate::ycbcr::VARIANTS`].
const fn kernel<const V: usize>(name: &'static str, summary: &'static str) -> Kernel {
    Kernel {
        name,
        summary,
        clips: 1,
        metrics: &METRICS,
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

const METRICS: [Metric; 4] = [
    codes_metric(LUMA),
    codes_metric(CHROMA[0].metric),
    codes_metric(CHROMA[1].metric),
    codes_metric(CHROMA[2].metric),
];

const fn codes_metric(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    }
}

/// R'G'B' codes.
fn accepts(format: Format) -> bool {
    format.layout == Layout::Rgb && Depth::INTEGER.contains(&format.depth)
}
