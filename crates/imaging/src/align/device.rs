//! The passes that align a frame on the device: luminance in integers, its halving, searches, and a placement.

use isobit::kernel::KernelError;
use isobit::plan::Plan;

use super::{Search, farthest, searches, sizes};
use crate::arithmetic::Arithmetic;

/// Invocations of a workgroup, one a sample or a part of a window; `INVOCATIONS` of the shaders.
const INVOCATIONS: u64 = 64;
/// Places of a window that an invocation takes; `PER_INVOCATION` of `differences.wgsl`.
const PER_INVOCATION: u64 = 64;

/// When a frame is quantised: if a word of a buffer is below a limit, or is the frame's index where the limit is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<'a> {
    pub buffer: &'a str,
    pub word: usize,
    pub limit: usize,
}

/// What a frame is aligned by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    /// Its index.
    pub index: usize,
    /// How many frames of the best rank are kept.
    pub keep: usize,
    /// The prefixes of the pyramids of the sharpest frame and of this one.
    pub pyramids: [&'a str; 2],
    /// The rank of each frame.
    pub ranks: &'a str,
    /// Four words a frame, as [`Buffers`](crate::accumulate::Buffers) has them, the last the frame's rank.
    pub placements: &'a str,
}

/// The buffer of level `level` of a pyramid.
fn buffer(pyramid: &str, level: usize) -> String {
    format!("{pyramid}_{level}")
}

/// Adds the storage of a pyramid, of i32.
pub(crate) fn storage(plan: Plan, [width, height]: [u32; 2], pyramid: &str) -> Plan {
    let sizes = sizes(width, height).into_iter().enumerate();
    sizes.fold(plan, |plan, (level, [width, height])| {
        plan.scratch(&buffer(pyramid, level), u64::from(width) * u64::from(height), 4)
    })
}

/// Adds the finest level of a pyramid: frame `frame`'s luminance in buffer `luminance`, if it is chosen. Its level is in
/// `scores`, which holds what `sharpness` leaves of each frame.
#[expect(clippy::too_many_arguments, reason = "what a pass is made of, each of its own kind")]
pub(crate) fn quantised(
    plan: Plan,
    kernel: &'static str,
    arithmetic: Arithmetic,
    samples: u64,
    [luminance, scores]: [&str; 2],
    frame: usize,
    choice: Choice<'_>,
    pyramid: &str,
) -> Result<Plan, KernelError> {
    let module = arithmetic.module(kernel, &["divide", "seal", "grid"], include_str!("quantise.wgsl"))?;
    let words = [frame, choice.word, choice.limit].map(|word| word as u32);
    let label = format!("quantise_{pyramid}_{frame}");
    let uniform = format!("quantised_{pyramid}_{frame}");
    Ok(plan
        .module("quantise", module)
        .uniform(&uniform, &[samples as u32, words[0], words[1], words[2]])
        .dispatch_of(
            "quantise",
            &label,
            "quantise",
            &[luminance, &uniform, scores, choice.buffer, &buffer(pyramid, 0)],
            samples.div_ceil(INVOCATIONS),
        ))
}

/// Adds the other levels of a pyramid; labels carry `tag`.
pub(crate) fn halved(mut plan: Plan, [width, height]: [u32; 2], pyramid: &str, tag: &str) -> Plan {
    let sizes = sizes(width, height);
    for (level, pair) in sizes.windows(2).enumerate() {
        let [[finer, _], [width, height]] = [pair[0], pair[1]];
        let samples = u64::from(width) * u64::from(height);
        let uniform = format!("halved_{level}");
        plan = plan.uniform(&uniform, &[width, samples as u32, finer]).dispatch_of(
            "quantise",
            &format!("halve_{pyramid}_{level}_{tag}"),
            "halve",
            &[&buffer(pyramid, level), &uniform, &buffer(pyramid, level + 1)],
            samples.div_ceil(INVOCATIONS),
        );
    }
    plan
}

/// Adds the alignment of a frame of `size`, from its pyramid to its placement.
pub(crate) fn append(
    mut plan: Plan,
    kernel: &'static str,
    arithmetic: Arithmetic,
    [width, height]: [u32; 2],
    frame: Frame<'_>,
) -> Result<Plan, KernelError> {
    let level = include_str!("level.wgsl");
    let module = |chunks: &[&str], source: &str| arithmetic.module(kernel, chunks, &[level, source].join("\n"));
    plan = plan
        .module(
            "differences",
            module(&["reduce", "grid"], include_str!("differences.wgsl"))?,
        )
        .module("choose", module(&["wide"], include_str!("choose.wgsl"))?)
        .scratch("found", 2, 4);
    let searches = searches(width, height);
    let blocks = |search: &Search| {
        let [width, height] = sizes(width, height)[search.level];
        let window = u64::from(width - 2 * search.margin) * u64::from(height - 2 * search.margin);
        window.div_ceil(INVOCATIONS * PER_INVOCATION)
    };
    let shifts = |search: &Search| u64::from(2 * search.radius + 1).pow(2);
    let partials = searches.iter().map(|search| shifts(search) * blocks(search)).max();
    plan = plan.scratch("partials", partials.unwrap_or(0), 8);
    for (step, search) in searches.iter().enumerate() {
        let farthest = farthest(width, height).cast_unsigned();
        let [width, height] = sizes(width, height)[search.level];
        let uniform = format!("search_{step}_{}", frame.index);
        let words = [
            width,
            height,
            search.margin,
            search.radius,
            search.scale,
            blocks(search) as u32,
            frame.index as u32,
            frame.keep as u32,
            farthest,
        ];
        let [best, own] = frame.pyramids.map(|pyramid| buffer(pyramid, search.level));
        plan = plan.uniform(&uniform, &words).dispatch_of(
            "differences",
            &format!("differences_{step}_{}", frame.index),
            "differences",
            &[&uniform, frame.ranks, &best, &own, "found", "partials"],
            shifts(search) * blocks(search),
        );
        plan = if step + 1 < searches.len() {
            let label = format!("choose_{step}_{}", frame.index);
            plan.dispatch_of(
                "choose",
                &label,
                "choose",
                &[&uniform, frame.ranks, "partials", "found"],
                1,
            )
        } else {
            let label = format!("settle_{}", frame.index);
            let bound = [&uniform, frame.ranks, "partials", "found", frame.placements];
            plan.dispatch_of("choose", &label, "settle", &bound, 1)
        };
    }
    Ok(plan)
}
