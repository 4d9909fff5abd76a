//! What a filter leaves on its way, as the stages of its twins. Knows no filter.

use isobit::frame::Input;
use isobit::stage::Stage;

use crate::filter;
use crate::load;
use crate::raster::Raster;

/// What a dispatch leaves: its label, the buffer, and what is in it.
pub(crate) type Step = (String, String, Raster);

/// The stages of frame `frame`: those that `steps` gives for each raster under the tag that its buffers carry.
pub(crate) fn of(input: &Input, frame: usize, steps: impl Fn(&Raster, &str) -> Vec<Step>) -> Vec<Stage> {
    let rasters = load::load(input, 0, frame).into_iter().enumerate();
    rasters
        .flat_map(|(tag, raster)| steps(&raster, &tag.to_string()))
        .map(|(label, buffer, raster)| filter::stage(&label, &buffer, raster))
        .collect()
}
