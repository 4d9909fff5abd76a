//! How long plans take on the device: for benchmarks. Nothing is poisoned, fenced or read back here, and no value is
//! looked at.

use std::time::{Duration, Instant};

use isobit::execution::ExecutionError;
use isobit::frame::Input;
use isobit::plan::{Plan, Step};

use crate::executor::{Bench, Executor};
use crate::layout::Layout;
use crate::session::Session;

/// A submission is made to last at least this long, so that what surrounds the work on the device is small beside it.
const SUBMISSION: Duration = Duration::from_millis(25);
/// Repeats in a submission beyond which there are no more.
const MOST_REPEATS: u32 = 2048;

impl Executor {
    /// The time that one frame of each plan takes on the device, the first frame of `input` being uploaded beforehand:
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
}

impl Bench {
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
            let valid = self.validate(plan, input)?;
            layout.check(plan, &valid, &self.gpu.limits)?;
            let dispatches = plan.steps.iter().filter_map(|step| match step {
                Step::Dispatch(dispatch) => Some(dispatch),
                Step::Clear { .. } => None,
            });
            let mut pipelines = Vec::new();
            for (dispatch, valid) in dispatches.zip(&valid.dispatches) {
                let source = &plan.modules[&dispatch.module].wgsl;
                pipelines.push((self.pipelines.get(source, dispatch, valid), valid.grid));
            }
            self.gpu.check()?;
            let session = Session::new(self, plan, layout, &pipelines)?;
            session.upload(self, input, 0);
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
        let mut encoder = self
            .gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("timed") });
        if let Some(session) = session {
            for _ in 0..repeats {
                session.work(&mut encoder);
            }
        }
        let commands = encoder.finish();
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
