//! How long plans take on the device, alone and with what surrounds them: for benchmarks. Nothing is poisoned or fenced here,
//! and no value is looked at.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use isobit::execution::{ExecutionError, Phases, Readback};
use isobit::frame::Input;
use isobit::plan::{Plan, Role, Step};

use crate::executor::{Bench, Executor, milliseconds};
use crate::layout::Layout;
use crate::session::Session;

/// A submission is made to last at least this long, so that what surrounds the work on the device is small beside it.
const SUBMISSION: Duration = Duration::from_millis(25);
/// Repeats in a submission beyond which there are no more.
const MOST_REPEATS: u32 = 2048;

impl Executor {
    /// The time that one frame of each plan takes on the device, the last frame of `input` being uploaded beforehand:
    /// the median of `rounds` submissions of many repeats, less an empty submission. The plans take turns, so that what
    /// slows the machine down for a while slows all of them. `limit` bounds each wait.
    ///
    /// # Errors
    /// As [`Executor::run`].
    pub fn time(
        &mut self,
        plans: &[Plan],
        input: &Input,
        rounds: usize,
        limit: Duration,
    ) -> Result<Vec<Duration>, ExecutionError> {
        self.guarded(|bench| bench.time(plans, input, rounds.max(1), limit))
    }

    /// What `plan` leaves of each frame of `input`, run once a frame on whatever the memory holds, and the time of each of
    /// `rounds` such runs over all frames. Pipelines and buffers are made before the clock starts. `limit` bounds each wait.
    ///
    /// # Errors
    /// As [`Executor::run`].
    pub fn phases(
        &mut self,
        plan: &Plan,
        input: &Input,
        rounds: usize,
        limit: Duration,
    ) -> Result<(Vec<Readback>, Vec<Phases>), ExecutionError> {
        self.guarded(|bench| bench.phases(plan, input, rounds.max(1), limit))
    }

    /// The label of each dispatch of `plan`, and its time for the last frame of `input`: the median of `rounds` turns of the plan
    /// in which each step is submitted and waited for alone, less an empty submission. Shows what a plan's time goes to; a
    /// device that overlaps dispatches takes less for all of them. `limit` bounds each wait.
    ///
    /// # Errors
    /// As [`Executor::run`].
    pub fn passes(
        &mut self,
        plan: &Plan,
        input: &Input,
        rounds: usize,
        limit: Duration,
    ) -> Result<Vec<(String, Duration)>, ExecutionError> {
        self.guarded(|bench| bench.passes(plan, input, rounds.max(1), limit))
    }
}

impl Bench {
    fn phases(
        &mut self,
        plan: &Plan,
        input: &Input,
        rounds: usize,
        limit: Duration,
    ) -> Result<(Vec<Readback>, Vec<Phases>), ExecutionError> {
        let layout = Layout::new(plan, self.gpu.limits.min_storage_buffer_offset_alignment.into());
        let pipelines = self.ready(plan, &layout, input)?;
        let session = Session::new(self, plan, &layout, &pipelines)?;
        let outputs = plan.buffers.iter().filter(|(_, buffer)| buffer.role == Role::Output);
        let mut bytes = 0;
        // Whole words, as copies want them; where an output ends within one, what shares it is left out again.
        let places: Vec<_> = outputs
            .map(|(name, buffer)| {
                let at = bytes;
                bytes += buffer.bytes.next_multiple_of(4);
                (name.as_str(), at, buffer.bytes)
            })
            .collect();
        let target = self.readbacks.take(bytes.max(4));
        // What was written so far, constants above all, is no part of the first upload.
        self.submit(None, 0, limit)?;

        let mut left = Vec::new();
        let mut times = Vec::new();
        for _ in 0..rounds {
            let mut phases = Phases::default();
            left.clear();
            for frame in 0..input.frames() {
                let started = Instant::now();
                session.upload(self, input, frame);
                self.submit(None, 0, limit)?;
                phases.upload_ms += milliseconds(started);

                let started = Instant::now();
                let commands = self.record(Some(&session), 1);
                phases.record_ms += milliseconds(started);
                phases.device_ms += self.run_recorded(commands, limit)?.as_secs_f64() * 1e3;

                let started = Instant::now();
                let mut encoder = self.encoder();
                for (name, at, bytes) in &places {
                    session.copy(&mut encoder, name, bytes.next_multiple_of(4), &target, *at);
                }
                let submission = self.gpu.queue.submit([encoder.finish()]);
                let view = self.gpu.map(&target, bytes.max(4), submission, limit)?;
                let buffer = |(name, at, bytes): &(&str, u64, u64)| {
                    let at = *at as usize;
                    ((*name).to_owned(), view[at..at + *bytes as usize].to_vec())
                };
                left.push(Readback {
                    buffers: places.iter().map(buffer).collect::<BTreeMap<_, _>>(),
                });
                drop(view);
                target.unmap();
                phases.readback_ms += milliseconds(started);
            }
            times.push(phases);
        }
        session.end(self);
        self.readbacks.give(target);
        self.gpu.check()?;
        Ok((left, times))
    }

    fn passes(
        &mut self,
        plan: &Plan,
        input: &Input,
        rounds: usize,
        limit: Duration,
    ) -> Result<Vec<(String, Duration)>, ExecutionError> {
        let layout = Layout::new(plan, self.gpu.limits.min_storage_buffer_offset_alignment.into());
        let pipelines = self.ready(plan, &layout, input)?;
        let session = Session::new(self, plan, &layout, &pipelines)?;
        session.upload(self, input, input.frames() - 1);
        // The first turn compiles what a driver compiles late.
        self.submit(Some(&session), 1, limit)?;
        let mut empty = Vec::new();
        let mut times = vec![Vec::new(); plan.steps.len()];
        for _ in 0..rounds {
            empty.push(self.submit(None, 0, limit)?);
            for (index, times) in times.iter_mut().enumerate() {
                let mut encoder = self.encoder();
                session.step(&mut encoder, index);
                times.push(self.run_recorded(encoder.finish(), limit)?);
            }
        }
        session.end(self);
        self.gpu.check()?;
        let empty = median(empty);
        let label = |(step, times): (&Step, Vec<Duration>)| match step {
            Step::Dispatch(dispatch) => Some((dispatch.label.clone(), median(times).saturating_sub(empty))),
            Step::Clear { .. } => None,
        };
        Ok(plan.steps.iter().zip(times).filter_map(label).collect())
    }

    fn time(
        &mut self,
        plans: &[Plan],
        input: &Input,
        rounds: usize,
        limit: Duration,
    ) -> Result<Vec<Duration>, ExecutionError> {
        let alignment = self.gpu.limits.min_storage_buffer_offset_alignment.into();
        let layouts: Vec<Layout> = plans.iter().map(|plan| Layout::new(plan, alignment)).collect();
        let mut sessions = Vec::new();
        for (plan, layout) in plans.iter().zip(&layouts) {
            let pipelines = self.ready(plan, layout, input)?;
            let session = Session::new(self, plan, layout, &pipelines)?;
            session.upload(self, input, input.frames() - 1);
            sessions.push(session);
        }

        // The first run of all compiles what a driver compiles late. The fastest of a few says how often the work has to be
        // repeated: what else the machine does can only lengthen one.
        self.submit(None, 0, limit)?;
        let mut repeats = Vec::new();
        for session in &sessions {
            self.submit(Some(session), 1, limit)?;
            let mut count = 1;
            loop {
                let mut fastest = limit;
                for _ in 0..3 {
                    fastest = fastest.min(self.submit(Some(session), count, limit)?);
                    if fastest > 4 * SUBMISSION {
                        break;
                    }
                }
                if fastest >= SUBMISSION || count >= MOST_REPEATS {
                    break;
                }
                count *= 2;
            }
            repeats.push(count);
        }
        let mut empty = Vec::new();
        let mut times = vec![Vec::new(); sessions.len()];
        for _ in 0..rounds {
            empty.push(self.submit(None, 0, limit)?);
            for ((session, &repeats), times) in sessions.iter().zip(&repeats).zip(&mut times) {
                times.push(self.submit(Some(session), repeats, limit)?);
            }
        }
        let empty = median(empty);
        let each = times
            .into_iter()
            .zip(repeats)
            .map(|(times, repeats)| median(times).saturating_sub(empty) / repeats)
            .collect();
        for session in sessions {
            session.end(self);
        }
        self.gpu.check()?;
        Ok(each)
    }

    /// Submits `repeats` of a plan, or nothing, and waits; how long that took.
    fn submit(&self, session: Option<&Session<'_>>, repeats: u32, limit: Duration) -> Result<Duration, ExecutionError> {
        self.run_recorded(self.record(session, repeats), limit)
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("timed") };
        self.gpu.device.create_command_encoder(&descriptor)
    }

    fn record(&self, session: Option<&Session<'_>>, repeats: u32) -> wgpu::CommandBuffer {
        let mut encoder = self.encoder();
        if let Some(session) = session {
            for _ in 0..repeats {
                session.work(&mut encoder);
            }
        }
        encoder.finish()
    }

    fn run_recorded(&self, commands: wgpu::CommandBuffer, limit: Duration) -> Result<Duration, ExecutionError> {
        let started = Instant::now();
        let submission = self.gpu.queue.submit([commands]);
        self.gpu.wait(submission, limit)?;
        Ok(started.elapsed())
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_of_an_odd_number() {
        let ms = Duration::from_millis;
        assert_eq!(median(vec![ms(9), ms(1), ms(2)]), ms(2));
        assert_eq!(median(Vec::new()), Duration::ZERO);
    }
}
