//! Crop, rotation, flip and resizing of a picture, in this order.
//!
//! | step | what it does |
//! |---|---|
//! | crop | the rectangle of `crop_width` × `crop_height` samples from (`crop_x`, `crop_y`) on; 0 reaches to the edge |
//! | rotate | by `angle` degrees, clockwise, about the centre; beyond the picture all is 0 |
//! | flip | left and right exchanged, or top and bottom |
//! | resize | to `width` × `height`; 0 keeps what it is |
//!
//! Quarter turns take the frame with them; at other angles it stays as it is, or with `expand` becomes as large as the rotated
//! picture. Crops, flips and quarter turns move samples and change none. A rotation interpolates at places rounded to 2^-16 of a
//! sample, linearly or by the cubic convolution of R. G. Keys ("Cubic convolution interpolation for digital image processing",
//! IEEE Transactions on Acoustics, Speech and Signal Processing 29, 1981; a = −½). Resizing weighs the samples of each row, then
//! those of each column ([`resize`]).
//!
//! Matrix and weights are formed once, on the host, by the functions here, for reference and twins alike.
//!
//! # Numbers
//!
//! A sine is held, half a sample the least distance from a centre: places are multiples of 2^-64 before they are rounded.
//! Interpolation's weights are zero or at least 2^-34, those of resizing at least 2^-30, and the sum of each row is held before it is
//! weighed again, so that no product is below 2^-74 and nothing subnormal.

mod reference;
pub mod resize;
pub mod turn;
mod twin;

pub use reference::{Crop, Flip, Geometry, Interpolation, LARGEST_SIDE, Rotation, Settings, apply};

use isobit::frame::ClipShape;
use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::{PlanFrame, Work};

use crate::arithmetic::Arithmetic;
use crate::{filter, load};

const NAME: &str = "geometry";
const PICTURE: &str = "picture";

/// The kernel: each raster of each frame with [`apply`] applied, of a size that follows from the options.
pub const KERNEL: Kernel = Kernel {
    name: NAME,
    summary: "Crop, rotation, flip and resizing by interpolation and weighted means.",
    clips: 1,
    metrics: &[Metric {
        name: PICTURE,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    }],
    options: Options::of(&[
        CROP_X,
        CROP_Y,
        CROP_WIDTH,
        CROP_HEIGHT,
        ANGLE,
        EXPAND,
        INTERPOLATION,
        FLIP,
        WIDTH,
        HEIGHT,
        RESAMPLE,
    ]),
    window: Window::FRAME,
    accepts: load::accepts,
    refuses,
    reference: |input, options| {
        let geometry = Geometry::new(&Settings::of(options), [input.shape().width, input.shape().height])?;
        Ok(filter::reference(input, PICTURE, |raster| geometry.apply(raster)))
    },
    twins: &[
        twin("exact", &[Route::Sealed, Route::Ordered], |shape, options| {
            twin::plan(shape, options, Arithmetic::Exact)
        }),
        twin("native", &[], |shape, options| {
            twin::plan(shape, options, Arithmetic::Native)
        }),
    ],
};

const fn twin(name: &'static str, routes: &'static [Route], plan: PlanFrame) -> Twin {
    Twin {
        name,
        routes,
        work: Work::Frame(plan),
        finish: Finish::Frame(|shape, options, frame, readback| {
            let geometry = Geometry::new(&Settings::of(options), [shape.width, shape.height])?;
            filter::finish(shape.format, geometry.size(), PICTURE, frame, readback)
        }),
        stages: if routes.is_empty() { None } else { Some(twin::stages) },
    }
}

pub(crate) fn refuses(shape: &ClipShape) -> Option<String> {
    let side = shape.width.max(shape.height);
    if side > LARGEST_SIDE {
        return Some(format!(
            "a side has {side} samples, and places are known to 2^-16 of a sample up to {LARGEST_SIDE}"
        ));
    }
    load::refuses(shape)
}

const CROP_X: KernelOption = side("crop_x", "cx", "The first column that is kept.");
const CROP_Y: KernelOption = side("crop_y", "cy", "The first row that is kept.");
const CROP_WIDTH: KernelOption = side(
    "crop_width",
    "cw",
    "The number of columns that are kept; 0 keeps all that follow.",
);
const CROP_HEIGHT: KernelOption = side(
    "crop_height",
    "ch",
    "The number of rows that are kept; 0 keeps all that follow.",
);
const WIDTH: KernelOption = side("width", "w", "The width after resizing; 0 keeps what it is.");
const HEIGHT: KernelOption = side("height", "h", "The height after resizing; 0 keeps what it is.");

const ANGLE: KernelOption = KernelOption::number(
    "angle",
    "angle",
    "Degrees by which the picture is rotated, clockwise.",
    0.0,
    [-360.0, 360.0],
);

const EXPAND: KernelOption = KernelOption::flag(
    "expand",
    "expand",
    "Makes the frame as large as the rotated picture, which else is cut at the frame that it had.",
);

const INTERPOLATION: KernelOption = KernelOption::choice(
    "interpolation",
    "by",
    "How a rotated picture is interpolated.",
    &["bicubic", "bilinear"],
);

const FLIP: KernelOption = KernelOption::choice(
    "flip",
    "flip",
    "Exchanges left and right, or top and bottom.",
    &["none", "horizontal", "vertical"],
);

const RESAMPLE: KernelOption = KernelOption::choice(
    "resample",
    "with",
    "The weights of resizing.",
    &["lanczos3", "bilinear", "area"],
);

const fn side(name: &'static str, alias: &'static str, summary: &'static str) -> KernelOption {
    KernelOption::integer(name, alias, summary, 0, [0, LARGEST_SIDE as i64])
}
