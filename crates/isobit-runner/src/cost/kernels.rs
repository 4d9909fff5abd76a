//! How long the twins of a kernel take beside a plain copy and the reference, whichever way their work is divided.

use std::time::{Duration, Instant};

use anyhow::Result;
use isobit::execution::Readback;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, Input};
use isobit::kernel::{Kernel, KernelError, Twin, Window};
use isobit::plan::{Plan, Role};
use isobit::work::Work;
use isobit_gate::cost::CostRow;

use super::{Outcome, noise, reference, refused};
use crate::client::Worker;

/// Frames of a clip that twins work on at once.
const CLIP: usize = 8;
/// Frames of a clip of a kernel whose frames depend on others.
const NEIGHBOURS: usize = 3;
/// Runs of a step on the host, of which the median counts.
const HOST_RUNS: usize = 3;

/// What one twin does for the clip, as the device is asked for it.
struct Parts {
    /// What the device runs.
    plans: Vec<Plan>,
    /// What the host takes between plans; `None` where no step is the host's.
    host: Option<Duration>,
    /// Bytes that go in and come out, once each.
    bytes: u64,
}

/// The costs of one kernel on frames of `size`.
pub fn measure(
    worker: &mut Worker,
    kernel: &Kernel,
    size: [u32; 2],
    rounds: usize,
    limit: Duration,
) -> Result<Outcome<CostRow>> {
    let Some(shape) = shape(kernel, size) else {
        let [width, height] = size;
        return Ok(Outcome::Not(format!("it is defined for no format at {width}×{height}")));
    };
    let of_clip = |twin: &Twin| matches!(twin.work, Work::Clip(_));
    let whole = kernel.twins.iter().all(of_clip);
    if !whole && kernel.twins.iter().any(of_clip) {
        let reason = "one twin works frame by frame and another on the clip at once, so that no copy serves both";
        return Ok(Outcome::Not(reason.to_owned()));
    }
    let frames = match kernel.window {
        _ if whole => CLIP,
        Window::FRAME => 1,
        _ => NEIGHBOURS,
    };
    let input = noise(&shape, kernel.clips, frames)?;

    let mut parts = Vec::new();
    for twin in kernel.twins {
        match self::parts(worker, kernel, twin, &input, limit) {
            Ok(Outcome::Measured(found)) => parts.push(found),
            Ok(Outcome::Not(reason)) => return Ok(Outcome::Not(reason)),
            Err(error) => return refused(error),
        }
    }
    let bytes = parts
        .iter()
        .map(|parts| parts.bytes)
        .max()
        .unwrap_or(0)
        .next_multiple_of(8);
    let mut plans: Vec<Plan> = parts.iter().flat_map(|parts| parts.plans.clone()).collect();
    plans.push(copy(bytes));
    let uploaded = if whole { input.spread() } else { input.clone() };
    let times = match worker.time(&plans, &uploaded, rounds, limit) {
        Ok(times) => times,
        Err(error) => return refused(error.into()),
    };

    let of_frame: u64 = shape.planes.iter().map(|plane| plane.samples()).sum();
    let of_clip = of_frame * frames as u64;
    let samples = if whole { of_clip } else { of_frame };
    let each = |time: Duration| time.as_secs_f64() * 1e9 / samples as f64;
    let mut device = times.iter();
    let totals: Vec<Duration> = (parts.iter())
        .map(|parts| device.by_ref().take(parts.plans.len()).sum::<Duration>() + parts.host.unwrap_or_default())
        .collect();
    let of = |name: &str| {
        let index = kernel.twins.iter().position(|twin| twin.name == name)?;
        Some(each(totals[index]))
    };
    Ok(Outcome::Measured(CostRow {
        kernel: kernel.name.to_owned(),
        format: shape.format.to_string(),
        size,
        frames,
        samples,
        bytes,
        copy_ns: times.last().copied().map_or(f64::NAN, each),
        native_ns: of("native"),
        exact_ns: of("exact"),
        host_ns: parts.iter().filter_map(|parts| parts.host).max().map(each),
        reference_ns: reference(kernel, &input)?.as_secs_f64() * 1e9 / of_clip as f64,
    }))
}

/// What `twin` does for `input`. Steps run once, since each is handed what the step before it left.
fn parts(worker: &mut Worker, kernel: &Kernel, twin: &Twin, input: &Input, limit: Duration) -> Result<Outcome<Parts>> {
    let shape = input.shape();
    let Work::Steps(steps) = twin.work else {
        let plans = kernel.plans(twin, shape, input.frames())?;
        return Ok(Outcome::Measured(Parts {
            bytes: plans.iter().map(traffic).sum(),
            plans,
            host: None,
        }));
    };
    let last = input.frames() - 1;
    let mut plans = Vec::new();
    let mut host = None;
    let mut left = Readback::default();
    for step in steps(shape, &kernel.options)? {
        if step.host_reason().is_some() {
            let mut times = Vec::new();
            let mut result = Readback::default();
            for _ in 0..HOST_RUNS {
                let started = Instant::now();
                result = step.on_host(input, last, &left)?;
                times.push(started.elapsed());
            }
            times.sort_unstable();
            left = result;
            host = Some(host.unwrap_or_default() + times[HOST_RUNS / 2]);
            continue;
        }
        let plan = match step.plan() {
            Ok(plan) => plan.handed(&left)?,
            Err(KernelError::Unsupported { reason, .. }) => {
                let name = step.name();
                return Ok(Outcome::Not(format!("the device cannot take step `{name}`: {reason}")));
            }
            Err(error) => return Err(error.into()),
        };
        let execution = worker.run(&plan, input, limit)?;
        left = execution.frames.into_iter().next_back().unwrap_or_default();
        plans.push(plan);
    }
    let out: usize = left.buffers.values().map(Vec::len).sum();
    Ok(Outcome::Measured(Parts {
        plans,
        host,
        bytes: (shape.frame_bytes() * kernel.clips + out) as u64,
    }))
}

/// The frame that a kernel is measured on: f32 in RGB where it takes that, or else the deepest integers.
fn shape(kernel: &Kernel, [width, height]: [u32; 2]) -> Option<ClipShape> {
    let depths = [Depth::F32, Depth::U16, Depth::U12, Depth::U10, Depth::U8];
    let formats = Layout::ALL
        .into_iter()
        .flat_map(|layout| depths.map(|depth| Format::new(layout, depth)));
    let mut accepted: Vec<Format> = formats.filter(|&format| (kernel.accepts)(format)).collect();
    accepted.sort_by_key(|format| format.depth != Depth::F32);
    let shapes = accepted
        .into_iter()
        .map(|format| ClipShape::tight(format, width, height));
    let mut shapes = shapes.filter(|shape| kernel.refusal(shape).is_none());
    shapes.next()
}

/// Bytes that a plan has to read and write at the least: its inputs and outputs, once each.
fn traffic(plan: &Plan) -> u64 {
    let moved = plan
        .buffers
        .values()
        .filter(|buffer| matches!(buffer.role, Role::Input { .. } | Role::Output));
    moved.map(|buffer| buffer.bytes).sum()
}

/// A plan that reads half of `bytes`, a multiple of eight, and writes the other half.
fn copy(bytes: u64) -> Plan {
    const COPY: &str = include_str!("copy.wgsl");
    let words = bytes / 8;
    Plan::new(COPY)
        .uniform("copy", &[words as u32, 0, 0, 0])
        .scratch("from", words, 4)
        .output("to", words, 4)
        .dispatch("copy_words", &["copy", "from", "to"], words.div_ceil(64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_moves_as_much_as_the_twin() {
        let plan = Plan::new("").input("a", 0, 0, 9).output("b", 3, 4).scratch("c", 100, 4);
        assert_eq!(traffic(&plan), 21);
        let copy = copy(24);
        let moved = ["from", "to"].map(|name| copy.buffers[name].bytes);
        assert_eq!(moved, [12, 12]);
    }
}
