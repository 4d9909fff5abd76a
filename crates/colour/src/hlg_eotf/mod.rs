//! HLG to display light: the electro-optical transfer function of ITU-R BT.2100 for a display of 1,000 cd/m².

mod reference;
mod twin;

pub use reference::{INVERSE_OETF, hlg_eotf};

use isobit::frame::Input;
use isobit::kernel::{Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::output::Output;
use isobit::work::Work;

use crate::pixel_map;

const DISPLAY: &str = "display";

/// The kernel: each pixel with [`hlg_eotf`] applied.
pub const KERNEL: Kernel = Kernel {
    name: "hlg_eotf",
    summary: "Display light of HLG pixels on a display of 1,000 cd/m², after ARIB STD-B67 and ITU-R BT.2100.",
    clips: 1,
    metrics: &[Metric {
        name: DISPLAY,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Class,
    }],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: pixel_map::accepts,
    refuses: pixel_map::refuses,
    reference: |input, _| kernel_reference(input),
    twins: &[
        Twin {
            name: "exact",
            routes: &[Route::Sealed, Route::SharedMath],
            work: Work::Frame(|shape, _| twin::exact(shape)),
            finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
            stages: None,
        },
        Twin {
            name: "native",
            routes: &[],
            work: Work::Frame(|shape, _| twin::native(shape)),
            finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
            stages: None,
        },
    ],
};

fn kernel_reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let scene = INVERSE_OETF.samples(input.shape().format.depth);
    let display = |signal: [f32; 3]| reference::display(signal.map(|component| scene.of(component)));
    Ok(pixel_map::reference(input, DISPLAY, display))
}
