//! Levels and a tone curve: each sample by itself.
//!
//! | step | formula |
//! |---|---|
//! | levels | v = (x − black) / (white − black), clipped to 0…1 |
//! | gamma | v^(1/gamma) |
//! | output | output_black + v · (output_white − output_black) |
//! | curve | a monotone cubic through five points ([`curve`]), clipped to 0…1 |
//!
//! The first three are the levels that editors of pictures offer; gamma above 1 brightens. Samples in and out are parts of
//! full scale. Each raster is toned alone, so that colour-filter samples are interpolated first and holes filled
//! ([`crate::load`]): alone and within a list of edits the filter sees the same.
//!
//! # Numbers
//!
//! Black, white, the output and the cubics are held as samples are, and so is what goes into the curve, so that sums of the
//! levels are multiples of 2^-63, and a cubic's first product is at least 2^-78. A power, and a product of it or of a cubic, may be
//! so small that a device flushes it to zero. It is then multiplied by numbers of at most 1, and added to numbers that are zero or
//! at least 2^-40, which do not feel it; alone it is held at zero in the end.

pub mod curve;
mod reference;
mod twin;

pub use reference::{Levels, Settings, apply};
pub(crate) use twin::append;

use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::Work;

use crate::arithmetic::Arithmetic;
use crate::{filter, load};

const NAME: &str = "tone";
const TONED: &str = "toned";

/// The kernel: each raster of each frame with [`apply`] applied, of the size of the frame.
pub const KERNEL: Kernel = Kernel {
    name: NAME,
    summary: "Levels with gamma and a monotone cubic tone curve after Fritsch and Carlson.",
    clips: 1,
    metrics: &[Metric {
        name: TONED,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    }],
    options: Options::of(&[
        BLACK,
        WHITE,
        GAMMA,
        OUTPUT_BLACK,
        OUTPUT_WHITE,
        CURVE[0],
        CURVE[1],
        CURVE[2],
        CURVE[3],
        CURVE[4],
    ]),
    window: Window::FRAME,
    accepts: load::accepts,
    refuses: load::refuses,
    reference: |input, options| {
        let settings = Settings::of(options)?;
        Ok(filter::reference(input, TONED, |raster| apply(raster, &settings)))
    },
    twins: &[
        twin("exact", &[Route::Sealed, Route::SharedMath], |shape, options| {
            twin::plan(shape, options, Arithmetic::Exact)
        }),
        twin("native", &[], |shape, options| {
            twin::plan(shape, options, Arithmetic::Native)
        }),
    ],
};

const fn twin(name: &'static str, routes: &'static [Route], plan: isobit::work::PlanFrame) -> Twin {
    Twin {
        name,
        routes,
        work: Work::Frame(plan),
        finish: Finish::Frame(|shape, _, frame, readback| {
            filter::finish(shape.format, [shape.width, shape.height], TONED, frame, readback)
        }),
        stages: if routes.is_empty() { None } else { Some(twin::stages) },
    }
}

const BLACK: KernelOption = KernelOption::number("black", "black", "The sample that becomes black.", 0.0, [0.0, 1.0]);

const WHITE: KernelOption = KernelOption::number("white", "white", "The sample that becomes white.", 1.0, [0.0, 1.0]);

const GAMMA: KernelOption = KernelOption::number(
    "gamma",
    "gamma",
    "The gamma of the middle tones; above 1 they become brighter.",
    1.0,
    [0.1, 10.0],
);

const OUTPUT_BLACK: KernelOption = KernelOption::number(
    "output_black",
    "ob",
    "What black becomes, before the curve.",
    0.0,
    [0.0, 1.0],
);

const OUTPUT_WHITE: KernelOption = KernelOption::number(
    "output_white",
    "ow",
    "What white becomes, before the curve; below what black becomes, the picture is inverted.",
    1.0,
    [0.0, 1.0],
);

const CURVE: [KernelOption; 5] = [
    point("curve_0", "c0", "What the curve makes of 0.", 0.0),
    point("curve_25", "c25", "What the curve makes of 0.25.", 0.25),
    point("curve_50", "c50", "What the curve makes of 0.5.", 0.5),
    point("curve_75", "c75", "What the curve makes of 0.75.", 0.75),
    point("curve_100", "c100", "What the curve makes of 1.", 1.0),
];

const fn point(name: &'static str, alias: &'static str, summary: &'static str, default: f64) -> KernelOption {
    KernelOption::number(name, alias, summary, default, [0.0, 1.0])
}
