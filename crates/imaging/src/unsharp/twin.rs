//! The twins of `unsharp`: the blur along rows and along columns, then the mask.

use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::reference::steps;
use super::{NAME, Settings};
use crate::arithmetic::Arithmetic;
use crate::convolve::{self, Site};
use crate::{filter, stages};

/// The plan for one frame.
pub(super) fn plan(shape: &ClipShape, options: &Options, arithmetic: Arithmetic) -> Result<Plan, KernelError> {
    let settings = Settings::of(options);
    let size = [shape.width, shape.height];
    filter::plan(NAME, shape, arithmetic, size, |plan, from, to, tag| {
        append(plan, arithmetic, size, from, to, tag, &settings)
    })
}

fn named(tag: &str, part: &str) -> String {
    format!("{NAME}_{tag}_{part}")
}

/// Adds the sharpening of raster `from` of `size` to a plan, into the f32 buffer `to` of the same size. Labels and buffers
/// carry `tag`.
pub(crate) fn append(
    mut plan: Plan,
    arithmetic: Arithmetic,
    size: [u32; 2],
    from: &str,
    to: &str,
    tag: &str,
    settings: &Settings,
) -> Result<Plan, KernelError> {
    let module = arithmetic.module(NAME, &["seal", "grid"], include_str!("twin.wgsl"))?;
    let samples = u64::from(size[0]) * u64::from(size[1]);
    let [rows, blurred, sharpened, words] = ["rows", "blurred", "sharpened", "settings"].map(|part| named(tag, part));
    let [across, down] = settings.taps();
    for (taps, from, to) in [(across, from, &rows), (down, &rows, &blurred)] {
        let table = format!("{to}_taps");
        let site = Site {
            kernel: NAME,
            arithmetic,
            size,
            taps: taps.len(),
            table: &table,
        };
        plan = convolve::constant(plan, &table, &taps).scratch(to, samples, 4);
        plan = convolve::append(plan, site, from, to, to)?;
    }
    Ok(plan
        .module(NAME, module)
        .uniform(
            &words,
            &[samples as u32, settings.amount.to_bits(), settings.threshold.to_bits()],
        )
        .dispatch_of(
            NAME,
            &sharpened,
            "sharpen",
            &[&words, from, &blurred, to],
            convolve::groups(size),
        ))
}

pub(super) fn stages(input: &Input, settings: &Settings, frame: usize) -> Vec<Stage> {
    stages::of(input, frame, |raster, tag| {
        let [rows, blurred, sharpened] = ["rows", "blurred", "sharpened"].map(|part| named(tag, part));
        let buffers = [rows.clone(), blurred.clone(), format!("filtered_{tag}")];
        let labels = [rows, blurred, sharpened].into_iter().zip(buffers);
        let steps = labels.zip(steps(raster, settings));
        steps.map(|((label, buffer), raster)| (label, buffer, raster)).collect()
    })
}
