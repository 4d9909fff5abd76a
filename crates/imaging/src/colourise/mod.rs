//! A mono image in the colours of a palette: each sample by itself.
//!
//! With v the sample, clipped to 0…1, and p its place in the palette, which is v, or 1 − v if the palette is inverted, each of
//! red, green and blue is (1 − strength) · v + strength · palette(p). The planes are encoded as the image is, which is how
//! palettes are meant: sRGB. At a strength of 0 the image stays grey, at 1 it holds the colours of the palette alone.
//!
//! # Samples that are not finite
//!
//! The kernel reads samples as they are stored and fills no holes: NaN stays NaN in all three planes, so that a hole is not
//! taken for a colour of the palette; −∞ and +∞ are clipped as all numbers beyond 0…1 are. Which is which is told by the bits.
//!
//! # Numbers
//!
//! v, the shares of grey and colour and the places within a palette's steps are zero or at least 2^-40. The colours of a palette
//! are multiples of 2^-31 and what a step adds to them is at least 2^-9, so that their sum is zero or at least 2^-72, no product
//! below 2^-112, and nothing subnormal.

pub mod palette;
mod reference;
mod twin;

pub use reference::{Settings, apply, colourise};

use isobit::format::{Format, Layout};
use isobit::kernel::{Encoding, Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::{PlanFrame, Work};

use crate::arithmetic::Arithmetic;
use crate::load;

const NAME: &str = "colourise";
const COLOUR: &str = "colour";

/// The kernel: red, green and blue of every sample of each frame.
pub const KERNEL: Kernel = Kernel {
    name: NAME,
    summary: "A mono image in the colours of a palette, inverted or not, mixed with its grey.",
    clips: 1,
    metrics: &[Metric {
        name: COLOUR,
        kind: MetricKind::Plane(Some(Encoding::Srgb)),
        nan: NanPolicy::Class,
    }],
    options: Options::of(&[PRESET, INVERT, STRENGTH]),
    window: Window::FRAME,
    accepts,
    refuses: load::refuses,
    reference: |input, options| Ok(reference::reference(input, &Settings::of(options))),
    twins: &[
        twin("exact", &[Route::Sealed], |shape, options| {
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
        finish: Finish::Frame(|shape, _, frame, readback| twin::finish(shape, frame, readback)),
        stages: None,
    }
}

const PRESET: KernelOption = KernelOption::choice("preset", "preset", "The palette.", palette::PRESETS);

const INVERT: KernelOption = KernelOption::flag(
    "invert",
    "inverted",
    "Takes the colour of black for white, and that of white for black.",
);

const STRENGTH: KernelOption = KernelOption::number(
    "strength",
    "strength",
    "The share of the palette's colours; the rest is grey.",
    1.0,
    [0.0, 1.0],
);

fn accepts(format: Format) -> bool {
    format.layout == Layout::Mono
}
