//! The steps of `edit_list`: each run of filters a plan, each geometry a function of the host.

use std::collections::BTreeMap;

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::work::Step;

use super::{EDITED, Edit, EditList, NAME, Recipe};
use crate::arithmetic::Arithmetic;
use crate::raster::Raster;
use crate::{deconvolve, denoise, filter, load, tone, unsharp, wavelet};

/// Why geometry is the host's.
const ON_HOST: &str = "geometry is declared to run there: its sizes follow from the list";

/// The steps of the recipe that `options` name.
pub(super) fn steps(
    shape: &ClipShape,
    options: &Options,
    arithmetic: Arithmetic,
) -> Result<Vec<Box<dyn Step>>, KernelError> {
    of_list(
        shape,
        &Recipe::of(options).list([shape.width, shape.height])?,
        arithmetic,
    )
}

/// The steps of `list` for frames of `shape`.
fn of_list(shape: &ClipShape, list: &EditList, arithmetic: Arithmetic) -> Result<Vec<Box<dyn Step>>, KernelError> {
    let mut size = [shape.width, shape.height];
    let mut steps: Vec<Box<dyn Step>> = Vec::new();
    let together = |a: &Edit, b: &Edit| !a.is_geometry() && !b.is_geometry();
    for (index, edits) in list.edits().chunk_by(together).enumerate() {
        let part = Part {
            shape: shape.clone(),
            arithmetic,
            index,
            size,
            edits: edits.to_vec(),
        };
        size = edits.iter().try_fold(size, |size, edit| edit.size(size))?;
        steps.push(Box::new(part));
    }
    Ok(steps)
}

/// Filters that follow each other, or one geometry.
struct Part {
    shape: ClipShape,
    arithmetic: Arithmetic,
    /// Which step it is.
    index: usize,
    /// The size of what it is handed.
    size: [u32; 2],
    edits: Vec<Edit>,
}

/// The buffer in which step `index` leaves raster `raster`.
fn left_in(index: usize, raster: usize) -> String {
    format!("edited_{index}_{raster}")
}

impl Part {
    fn rasters(&self) -> usize {
        load::rasters(self.shape.format)
    }

    /// What it is handed, as rasters.
    fn handed(&self, input: &Input, frame: usize, handed: &Readback) -> Result<Vec<Raster>, KernelError> {
        let Some(before) = self.index.checked_sub(1) else {
            return Ok(load::load(input, 0, frame));
        };
        let [width, height] = self.size;
        let raster = |raster| {
            Ok(Raster {
                width,
                height,
                samples: handed.f32s(&left_in(before, raster))?,
            })
        };
        (0..self.rasters()).map(raster).collect()
    }
}

impl Step for Part {
    fn name(&self) -> String {
        self.edits.iter().map(Edit::name).collect::<Vec<_>>().join(" + ")
    }

    fn host_reason(&self) -> Option<&'static str> {
        self.edits.iter().any(Edit::is_geometry).then_some(ON_HOST)
    }

    fn plan(&self) -> Result<Plan, KernelError> {
        let samples = u64::from(self.size[0]) * u64::from(self.size[1]);
        let mut plan = match self.index {
            0 => load::plan(filter::empty(), NAME, &self.shape, 0, "frame", self.arithmetic)?,
            _ => filter::empty(),
        };
        for raster in 0..self.rasters() {
            let mut from = match self.index.checked_sub(1) {
                None => filter::loaded(raster),
                Some(before) => {
                    let from = left_in(before, raster);
                    plan = plan.handed_over(&from, samples);
                    from
                }
            };
            for (place, edit) in self.edits.iter().enumerate() {
                let tag = format!("{}_{place}_{raster}", self.index);
                let to = if place + 1 == self.edits.len() {
                    let to = left_in(self.index, raster);
                    plan = plan.output(&to, samples, 4);
                    to
                } else {
                    let to = format!("between_{tag}");
                    plan = plan.scratch(&to, samples, 4);
                    to
                };
                plan = append(edit, plan, self.arithmetic, self.size, [&from, &to], &tag)?;
                from = to;
            }
        }
        Ok(plan)
    }

    fn on_host(&self, input: &Input, frame: usize, handed: &Readback) -> Result<Readback, KernelError> {
        let mut buffers = BTreeMap::new();
        for (index, mut raster) in self.handed(input, frame, handed)?.into_iter().enumerate() {
            for edit in &self.edits {
                raster = edit.apply(&raster)?;
            }
            let bytes = raster.samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            buffers.insert(left_in(self.index, index), bytes);
        }
        Ok(Readback { buffers })
    }
}

/// Adds a filter to a plan, from one buffer to another.
fn append(
    edit: &Edit,
    plan: Plan,
    arithmetic: Arithmetic,
    size: [u32; 2],
    [from, to]: [&str; 2],
    tag: &str,
) -> Result<Plan, KernelError> {
    match edit {
        Edit::Unsharp(settings) => unsharp::append(plan, arithmetic, size, from, to, tag, settings),
        Edit::Wavelet(settings) => wavelet::append(plan, arithmetic, size, from, to, tag, settings),
        Edit::Denoise(settings) => denoise::append(plan, arithmetic, size, from, to, tag, settings),
        Edit::Deconvolve(settings) => deconvolve::append(plan, arithmetic, size, from, to, tag, settings),
        Edit::Tone(settings) => tone::append(plan, arithmetic, size, from, to, tag, settings),
        Edit::Geometry(_) => Err(KernelError::Unsupported {
            kernel: NAME,
            reason: ON_HOST.to_owned(),
        }),
    }
}

/// The planes that the last step left.
pub(super) fn finish(
    shape: &ClipShape,
    options: &Options,
    frame: usize,
    readback: &Readback,
) -> Result<Vec<Output>, KernelError> {
    let size = [shape.width, shape.height];
    let list = Recipe::of(options).list(size)?;
    let [width, height] = list.size(size)?;
    let together = |a: &Edit, b: &Edit| !a.is_geometry() && !b.is_geometry();
    let last = list.edits().chunk_by(together).count() - 1;
    let plane = |plane| {
        Ok(Output {
            metric: EDITED,
            frame,
            plane,
            width,
            height,
            values: Values::F32(readback.f32s(&left_in(last, plane))?),
        })
    };
    (0..load::rasters(shape.format)).map(plane).collect()
}
