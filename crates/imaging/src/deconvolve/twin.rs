//! The twins of `deconvolve`: passes over a raster, some for the guard and for the width of a star, then those of each
//! iteration.

use isobit::frame::{ClipShape, Input};
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::psf::{Psf, REACH};
use super::reference::{Part, SMOOTHING, restored};
use super::{NAME, Settings};
use crate::arithmetic::Arithmetic;
use crate::convolve::{self, Site, Tap, gaussian, separable};
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

/// A plan that grows by the dispatches over one raster.
struct Passes<'a> {
    plan: Plan,
    arithmetic: Arithmetic,
    size: [u32; 2],
    tag: &'a str,
}

/// A table of taps in a plan, and how many they are.
type Table = (String, usize);

/// Adds the deconvolution of raster `from` of `size` to a plan, into the f32 buffer `to` of the same size. Labels and buffers
/// carry `tag`.
pub(crate) fn append(
    plan: Plan,
    arithmetic: Arithmetic,
    size: [u32; 2],
    from: &str,
    to: &str,
    tag: &str,
    settings: &Settings,
) -> Result<Plan, KernelError> {
    let passes = Passes {
        plan,
        arithmetic,
        size,
        tag,
    };
    let [observed, ratio, kept] = ["observed", "ratio", "kept"].map(|part| named(tag, part));
    let guard = settings.limb_guard.to_bits();
    let mut passes = passes
        .module(NAME, &["divide", "seal", "grid"], include_str!("twin.wgsl"))?
        .words("extent", &[size[0], size[1], guard])
        .rasters(&["observed", "ratio", "estimate_even", "estimate_odd"])
        .dispatch(NAME, "observed", "observe", &[from, &observed]);
    let psf;
    (passes, psf) = passes.psf(settings.psf)?;
    if settings.limb_guard > 0.0 {
        passes = passes.guard()?;
    }
    let mut estimate = observed.clone();
    for iteration in 0..settings.iterations {
        let (spread, correction);
        (passes, spread) = passes.convolved(&psf, &estimate, "spread", &format!("_{iteration}"))?;
        let label = format!("ratio_{iteration}");
        passes = if settings.limb_guard > 0.0 {
            passes.dispatch(NAME, &label, "compare_damped", &[&observed, &spread, &kept, &ratio])
        } else {
            passes.dispatch(NAME, &label, "compare", &[&observed, &spread, &ratio])
        };
        (passes, correction) = passes.convolved(&psf, &ratio, "correction", &format!("_{iteration}"))?;
        let improved = estimate_buffer(tag, iteration, settings, to);
        let label = format!("estimate_{iteration}");
        passes = passes.dispatch(NAME, &label, "improve", &[&estimate, &correction, &improved]);
        estimate = improved;
    }
    Ok(passes.plan)
}

/// The buffer that the estimate is in after an iteration: one of two in turn, in the end `to`.
fn estimate_buffer(tag: &str, iteration: usize, settings: &Settings, to: &str) -> String {
    match iteration {
        last if last + 1 == settings.iterations => to.to_owned(),
        odd if odd % 2 == 1 => named(tag, "estimate_odd"),
        _ => named(tag, "estimate_even"),
    }
}

impl Passes<'_> {
    fn name(&self, part: &str) -> String {
        named(self.tag, part)
    }

    fn module(mut self, name: &str, chunks: &[&str], source: &str) -> Result<Self, KernelError> {
        let module = self.arithmetic.module(NAME, chunks, source)?;
        self.plan = self.plan.module(name, module);
        Ok(self)
    }

    fn words(mut self, part: &str, words: &[u32]) -> Self {
        let name = self.name(part);
        self.plan = self.plan.uniform(&name, words);
        self
    }

    /// Scratch buffers of a raster each.
    fn rasters(mut self, parts: &[&str]) -> Self {
        for part in parts {
            let name = self.name(part);
            let samples = u64::from(self.size[0]) * u64::from(self.size[1]);
            self.plan = self.plan.scratch(&name, samples, 4);
        }
        self
    }

    /// An invocation a sample, the extent of the raster bound before `buffers`.
    fn dispatch(mut self, module: &str, part: &str, entry: &str, buffers: &[&str]) -> Self {
        let (label, extent) = (self.name(part), self.name("extent"));
        let buffers = [&[extent.as_str()], buffers].concat();
        let groups = convolve::groups(self.size);
        self.plan = self.plan.dispatch_of(module, &label, entry, &buffers, groups);
        self
    }

    /// `from` convolved in a pass a table, and the buffer of the last one. Pass number i leaves the buffer `{part}_{i}`, under that
    /// label and `suffix`.
    fn convolved(
        mut self,
        tables: &[Table],
        from: &str,
        part: &str,
        suffix: &str,
    ) -> Result<(Self, String), KernelError> {
        let mut from = from.to_owned();
        for (pass, (table, taps)) in tables.iter().enumerate() {
            let part = format!("{part}_{pass}");
            let to = self.name(&part);
            self = self.rasters(&[&part]);
            let site = Site {
                kernel: NAME,
                arithmetic: self.arithmetic,
                size: self.size,
                taps: *taps,
                table,
            };
            self.plan = convolve::append(self.plan, site, &from, &to, &format!("{to}{suffix}"))?;
            from = to;
        }
        Ok((self, from))
    }

    /// Tables of taps that are known beforehand.
    fn tables(mut self, part: &str, passes: &[Vec<Tap>]) -> (Self, Vec<Table>) {
        let mut tables = Vec::new();
        for (pass, taps) in passes.iter().enumerate() {
            let table = self.name(&format!("{part}_{pass}"));
            self.plan = convolve::constant(self.plan, &table, taps);
            tables.push((table, taps.len()));
        }
        (self, tables)
    }

    /// The tables of the PSF: fixed, or written by the device.
    fn psf(self, psf: Psf) -> Result<(Self, Vec<Table>), KernelError> {
        if let Some(passes) = psf.known_passes() {
            return Ok(self.tables("psf", &passes));
        }
        let chunks = ["math_exp", "divide", "square_root", "seal", "grid"];
        let mut passes = self.module("measure", &chunks, include_str!("measure.wgsl"))?;
        let [observed, star, across, down] = ["observed", "star", "psf_0", "psf_1"].map(|part| passes.name(part));
        for table in [&across, &down] {
            passes.plan = passes.plan.scratch(table, 3 * u64::from(REACH), 4);
        }
        passes.plan = passes.plan.scratch(&star, 2, 4).clear(&star);
        passes = passes
            .dispatch("measure", "peak", "peak", &[&observed, &star])
            .dispatch("measure", "place", "place", &[&observed, &star]);
        let (label, extent) = (passes.name("measured"), passes.name("extent"));
        let buffers = [&extent, &observed, &star, &across, &down].map(String::as_str);
        passes.plan = passes.plan.dispatch_of("measure", &label, "measure", &buffers, 1);
        Ok((passes, vec![(across, REACH as usize), (down, REACH as usize)]))
    }

    /// What the guard leaves of the ratio, in the buffer `kept`.
    fn guard(self) -> Result<Self, KernelError> {
        let chunks = ["divide", "square_root", "seal", "grid"];
        let (sigma, reach) = SMOOTHING;
        let taps = separable(&gaussian(sigma, reach), 1);
        let passes = self.module("guard", &chunks, include_str!("guard.wgsl"))?;
        let [observed, brightest, kept] = ["observed", "brightest", "kept"].map(|part| passes.name(part));
        let (passes, tables) = passes.rasters(&["kept"]).tables("smoothing", &taps);
        let (mut passes, smooth) = passes.convolved(&tables, &observed, "smooth", "")?;
        passes.plan = passes.plan.scratch(&brightest, 1, 4).clear(&brightest);
        Ok(passes
            .dispatch("guard", "brightest", "brighten", &[&smooth, &brightest])
            .dispatch("guard", "kept", "keep", &[&smooth, &brightest, &kept]))
    }
}

pub(super) fn stages(input: &Input, settings: &Settings, frame: usize) -> Vec<Stage> {
    stages::of(input, frame, |raster, tag| {
        let mut steps = Vec::new();
        let filtered = format!("filtered_{tag}");
        restored(raster, settings, |part, raster| {
            let named = |part: &str| named(tag, part);
            let (label, buffer) = match part {
                Part::Observed => (named("observed"), named("observed")),
                Part::Smooth(pass) => (named(&format!("smooth_{pass}")), named(&format!("smooth_{pass}"))),
                Part::Kept => (named("kept"), named("kept")),
                Part::Ratio(iteration) => (named(&format!("ratio_{iteration}")), named("ratio")),
                Part::Spread(iteration, pass) => {
                    let buffer = named(&format!("spread_{pass}"));
                    (format!("{buffer}_{iteration}"), buffer)
                }
                Part::Correction(iteration, pass) => {
                    let buffer = named(&format!("correction_{pass}"));
                    (format!("{buffer}_{iteration}"), buffer)
                }
                Part::Estimate(iteration) => (
                    named(&format!("estimate_{iteration}")),
                    estimate_buffer(tag, iteration, settings, &filtered),
                ),
            };
            steps.push((label, buffer, raster.clone()));
        });
        steps
    })
}
