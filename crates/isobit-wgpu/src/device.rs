//! A device whose errors are collected instead of thrown, and whose waits end.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use isobit::execution::ExecutionError;

/// Device and queue.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) limits: wgpu::Limits,
    errors: Errors,
}

/// The first thing that went wrong since the device was made; what follows is usually its consequence.
#[derive(Clone, Debug, Default)]
struct Errors(Arc<Mutex<Option<ExecutionError>>>);

impl Errors {
    fn put(&self, error: ExecutionError) {
        // A panic elsewhere does not make a recorded error less true.
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lost = matches!(error, ExecutionError::DeviceLost { .. });
        let known_lost = matches!(*first, Some(ExecutionError::DeviceLost { .. }));
        if first.is_none() || (lost && !known_lost) {
            *first = Some(error);
        }
    }

    fn get(&self) -> Option<ExecutionError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Gpu {
    /// Opens `adapter` with all of its limits and none of its features: what a plan does must not depend on extras.
    ///
    /// # Errors
    /// [`ExecutionError::NoDevice`] with the driver's words.
    pub(crate) fn open(adapter: &wgpu::Adapter) -> Result<Self, ExecutionError> {
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("isobit"),
            required_features: wgpu::Features::empty(),
            required_limits: adapter.limits(),
            // Software adapters share memory with the program: reserving large blocks ahead gains nothing.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| ExecutionError::NoDevice { message: words(&error) })?;
        let errors = Errors::default();
        let uncaptured = errors.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            uncaptured.put(match &error {
                wgpu::Error::OutOfMemory { .. } => ExecutionError::OutOfMemory { message: words(&error) },
                wgpu::Error::Validation { .. } | wgpu::Error::Internal { .. } => {
                    ExecutionError::Validation { message: words(&error) }
                }
            });
        }));
        let lost = errors.clone();
        device.set_device_lost_callback(move |reason, message| {
            lost.put(ExecutionError::DeviceLost {
                message: format!("{reason:?}: {message}"),
            });
        });
        let limits = device.limits();
        Ok(Self {
            device,
            queue,
            limits,
            errors,
        })
    }

    /// # Errors
    /// Whatever the API or the driver has reported since the device was made.
    pub(crate) fn check(&self) -> Result<(), ExecutionError> {
        self.errors.get().map_or(Ok(()), Err)
    }

    /// Waits until `submission` has run.
    ///
    /// # Errors
    /// [`ExecutionError::Timeout`] after `limit`, or whatever was reported meanwhile.
    pub(crate) fn wait(&self, submission: wgpu::SubmissionIndex, limit: Duration) -> Result<(), ExecutionError> {
        let waited = self.device.poll(wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: Some(limit),
        });
        self.check()?;
        match waited {
            Ok(_) => Ok(()),
            Err(wgpu::PollError::Timeout) => Err(ExecutionError::Timeout {
                seconds: limit.as_secs_f64().ceil() as u64,
            }),
            Err(error) => Err(ExecutionError::Validation { message: words(&error) }),
        }
    }

    /// Waits until the first `bytes` of `buffer` are mapped, which is after `submission` has run.
    ///
    /// # Errors
    /// [`ExecutionError::Timeout`] after `limit`, or whatever was reported meanwhile.
    pub(crate) fn map(
        &self,
        buffer: &wgpu::Buffer,
        bytes: u64,
        submission: wgpu::SubmissionIndex,
        limit: Duration,
    ) -> Result<wgpu::BufferView, ExecutionError> {
        let mapped = Arc::new(Mutex::new(None));
        let result = Arc::clone(&mapped);
        buffer.map_async(wgpu::MapMode::Read, ..bytes, move |outcome| {
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        });
        self.wait(submission, limit)?;
        let failed = |message: String| ExecutionError::Validation { message };
        match &*mapped.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Ok(())) => {}
            Some(Err(error)) => return Err(failed(words(error))),
            None => return Err(failed("the read-back buffer was never mapped".to_owned())),
        }
        buffer.get_mapped_range(..bytes).map_err(|error| failed(words(&error)))
    }
}

/// An error with its causes, on one line.
fn words(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
