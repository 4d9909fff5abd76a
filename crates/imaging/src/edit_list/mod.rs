//! A list of edits, one behind the other: filters on the device, geometry on the host.
//!
//! An application makes an [`EditList`] of its own. The kernel runs the lists that [`Recipe`] names, so that filters meet what
//! geometry left them, of another size than the frame's, and the other way round.
//!
//! Filters that follow each other are one step of the device, with one upload and one read-back however many they are. Crop,
//! rotation, flip and resizing belong to the host, as their sizes follow from the list and not from the samples: a receipt says
//! so for each of them, and of every filter on which device it ran.

mod reference;
mod twin;

pub use reference::{Edit, EditList, Recipe};

use isobit::frame::ClipShape;
use isobit::kernel::{Finish, Kernel, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::{KernelOption, Options};
use isobit::work::{StepsOf, Work};

use crate::arithmetic::Arithmetic;
use crate::load;

const NAME: &str = "edit_list";
const EDITED: &str = "edited";
const RECIPE: &str = "recipe";

/// The kernel: each raster of each frame with a list of edits applied, of a size that follows from the list.
pub const KERNEL: Kernel = Kernel {
    name: NAME,
    summary: "A list that mixes filters, which the device runs, with geometry, which the host runs.",
    clips: 1,
    metrics: &[Metric {
        name: EDITED,
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    }],
    options: Options::of(&[KernelOption::choice(
        RECIPE,
        "recipe",
        "The list: filters around geometry, geometry first, or filters alone.",
        Recipe::NAMES,
    )]),
    window: Window::FRAME,
    accepts: load::accepts,
    refuses,
    reference: |input, options| {
        let list = Recipe::of(options).list([input.shape().width, input.shape().height])?;
        reference::outputs(input, EDITED, &list)
    },
    twins: &[
        twin(
            "exact",
            &[Route::Sealed, Route::SharedMath, Route::Ordered, Route::Host],
            |shape, options| twin::steps(shape, options, Arithmetic::Exact),
        ),
        twin("native", &[], |shape, options| {
            twin::steps(shape, options, Arithmetic::Native)
        }),
    ],
};

const fn twin(name: &'static str, routes: &'static [Route], steps: StepsOf) -> Twin {
    Twin {
        name,
        routes,
        work: Work::Steps(steps),
        finish: Finish::Frame(twin::finish),
        stages: None,
    }
}

fn refuses(shape: &ClipShape) -> Option<String> {
    crate::geometry::refuses(shape)
}
