//! How long a clip takes through a kernel as a whole: by the reference, and by each twin from upload to result, phase by phase.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use isobit::execution::{Phases, Readback};
use isobit::frame::{ClipShape, Input};
use isobit::kernel::{Kernel, Twin};
use isobit::output::Output;
use isobit::work::Work;
use isobit_gate::cost::{Whole, WholeCost, WholeTwin};

use super::{Outcome, noise, refused};
use crate::client::Worker;

/// Runs of a twin at most; odd, so that the median is one of them.
const ROUNDS: usize = 3;
/// How long all runs of a twin may take.
const LIMIT: Duration = Duration::from_secs(900);
/// How long a run may take for others to follow.
const REPEATED: Duration = Duration::from_secs(8);
/// Columns and rows of the clip that compiles what a driver compiles late.
const SMALL: u32 = 128;

/// The costs of one clip through `kernel`.
///
/// # Errors
/// If the reference or a plan does not run, or a twin with routes to exactness leaves anything but the reference's bits.
pub fn measure(worker: &mut Worker, kernel: &Kernel, whole: &Whole, rounds: usize) -> Result<Outcome<WholeCost>> {
    let [width, height] = whole.size;
    let shape = ClipShape::tight(whole.format, width, height);
    if !(kernel.accepts)(whole.format) {
        return Ok(Outcome::Not(format!("the kernel is not defined for {}", whole.format)));
    }
    if let Some(reason) = kernel.refusal(&shape) {
        return Ok(Outcome::Not(reason));
    }
    let input = noise(&shape, kernel.clips, whole.frames)?;
    let started = Instant::now();
    let expected = kernel.compute(&input)?;
    let reference_ms = milliseconds(started);
    eprintln!("{} as a whole: reference {reference_ms:.1} ms", kernel.name);

    let rounds = rounds.min(ROUNDS);
    let mut twins = Vec::new();
    for twin in kernel.twins {
        if matches!(twin.work, Work::Steps(_)) {
            return Ok(Outcome::Not(format!("twin `{}` is no plan but steps", twin.name)));
        }
        let (outputs, cost) = match run(worker, kernel, twin, &input, rounds) {
            Ok(found) => found,
            Err(error) => return refused(error),
        };
        if !twin.routes.is_empty() && bits(&outputs) != bits(&expected) {
            bail!(
                "twin `{}` left other bits than the reference, so its time is no cost",
                twin.name
            );
        }
        eprintln!("{}", line(&cost));
        twins.push(cost);
    }
    Ok(Outcome::Measured(WholeCost {
        kernel: kernel.name.to_owned(),
        format: whole.format.to_string(),
        size: whole.size,
        frames: whole.frames,
        reference_ms,
        twins,
    }))
}

fn run(
    worker: &mut Worker,
    kernel: &Kernel,
    twin: &Twin,
    input: &Input,
    rounds: usize,
) -> Result<(Vec<Output>, WholeTwin)> {
    let shape = input.shape();
    let small = ClipShape::tight(shape.format, shape.width.min(SMALL), shape.height.min(SMALL));
    if kernel.refusal(&small).is_none() {
        phases(
            worker,
            kernel,
            twin,
            &noise(&small, kernel.clips, input.frames().min(2))?,
            1,
        )?;
    }
    let (mut left, mut times) = phases(worker, kernel, twin, input, 1)?;
    if times[0].total_ms() <= REPEATED.as_secs_f64() * 1e3 {
        (left, times) = phases(worker, kernel, twin, input, rounds)?;
    }
    times.sort_by(|a, b| a.total_ms().total_cmp(&b.total_ms()));
    let started = Instant::now();
    let outputs = kernel.finish(twin, shape, &left)?;
    let cost = WholeTwin {
        twin: twin.name.to_owned(),
        rounds: times.len(),
        phases: times[times.len() / 2],
        finish_ms: milliseconds(started),
    };
    Ok((outputs, cost))
}

/// What the twin leaves of `input`, and the phases of each run.
fn phases(
    worker: &mut Worker,
    kernel: &Kernel,
    twin: &Twin,
    input: &Input,
    rounds: usize,
) -> Result<(Vec<Readback>, Vec<Phases>)> {
    let plans = kernel.plans(twin, input.shape(), input.frames())?;
    let [plan] = &plans[..] else {
        bail!(
            "twin `{}` has {} plans where it works on a clip by one",
            twin.name,
            plans.len()
        );
    };
    let found = match twin.work {
        Work::Clip(_) => worker.phases(plan, &input.spread(), rounds, LIMIT)?,
        Work::Frame(_) | Work::Steps(_) => worker.phases(plan, input, rounds, LIMIT)?,
    };
    Ok(found)
}

/// What outputs are of, and their bits.
fn bits(outputs: &[Output]) -> Vec<(&str, usize, usize, Vec<u8>)> {
    let of = |output: &Output| (output.metric, output.frame, output.plane, output.values.to_le_bytes());
    let mut bits: Vec<_> = outputs.iter().map(of).collect();
    bits.sort_by_key(|&(metric, frame, plane, _)| (metric, frame, plane));
    bits
}

fn line(cost: &WholeTwin) -> String {
    let Phases {
        upload_ms,
        record_ms,
        device_ms,
        readback_ms,
    } = cost.phases;
    format!(
        "  {}: ms: upload {upload_ms:.1}, record {record_ms:.1}, device {device_ms:.1}, read-back {readback_ms:.1}, finish {:.1}; total {:.1}",
        cost.twin,
        cost.finish_ms,
        cost.total_ms()
    )
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_compared_by_their_bits_in_any_order() {
        let output = |metric, score| Output::score(metric, 0, score);
        let [a, b] = [output("a", f64::NAN), output("b", 0.0)];
        assert_eq!(bits(&[a.clone(), b.clone()]), bits(&[b.clone(), a.clone()]));
        assert_ne!(bits(&[a.clone(), b]), bits(&[a, output("b", -0.0)]));
    }
}
