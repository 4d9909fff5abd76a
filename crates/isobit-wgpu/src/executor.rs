//! The executor: opens an adapter, keeps what can be kept between plans, and runs each frame of a plan twice.

use std::rc::Rc;
use std::time::{Duration, Instant};

use isobit::execution::{AdapterFacts, AdapterRequest, Execution, ExecutionError, Timing};
use isobit::frame::Input;
use isobit::plan::{Plan, Step};

use crate::adapter;
use crate::device::Gpu;
use crate::layout::Layout;
use crate::memory::{PERIOD, Pool, Run};
use crate::pipeline::{Pipeline, Pipelines};
use crate::session::Session;
use crate::validate::{Checker, MAX_GROUPS, Validated};

/// Runs plans on one adapter.
#[derive(Debug)]
pub struct Executor {
    facts: AdapterFacts,
    bench: Bench,
    ended: Option<ExecutionError>,
}

/// The device, and what is kept between plans.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) gpu: Gpu,
    pub(crate) pipelines: Pipelines,
    /// One period of poison for each run.
    pub(crate) poison: [wgpu::Buffer; 2],
    /// Holds the number that proves the completion of a frame.
    pub(crate) nonce: wgpu::Buffer,
    pub(crate) nonces: u64,
    pub(crate) storage: Pool,
    pub(crate) uniforms: Pool,
    pub(crate) readbacks: Pool,
    /// The most workgroups that are dispatched at once.
    pub(crate) most_groups: u32,
    checker: Checker,
}

impl Executor {
    /// Opens the first adapter that `request` accepts; never another. Which drivers are seen is decided by the environment
    /// that the process was started with.
    ///
    /// # Errors
    /// [`ExecutionError::NoAdapter`] where none is accepted, [`ExecutionError::NoDevice`] where it cannot be opened, or
    /// what the device reports at once.
    pub fn open(request: &AdapterRequest) -> Result<Self, ExecutionError> {
        let (adapter, facts) = adapter::find(request)?;
        let bench = Bench::new(Gpu::open(&adapter)?);
        bench.gpu.check()?;
        Ok(Self {
            facts,
            bench,
            ended: None,
        })
    }

    /// Splits every dispatch that can be split into slices of at most `groups` workgroups, so that small inputs exercise the
    /// splitting too.
    #[must_use]
    pub fn with_slices_of(mut self, groups: u32) -> Self {
        self.bench.most_groups = self.bench.most_groups.min(groups.max(1));
        self
    }

    /// The adapter, as it describes itself.
    pub const fn adapter(&self) -> &AdapterFacts {
        &self.facts
    }

    /// Runs `plan` on every frame of `input`, twice each. `limit` bounds the wait for a frame.
    ///
    /// # Errors
    /// Every [`ExecutionError`] but those of [`Executor::open`]. After one that leaves the device unusable, all further runs
    /// return it again.
    pub fn run(&mut self, plan: &Plan, input: &Input, limit: Duration) -> Result<Execution, ExecutionError> {
        self.guarded(|bench| bench.run(plan, input, limit))
    }

    /// Does `work` unless the device is no longer usable, and remembers where it has become so.
    pub(crate) fn guarded<T>(
        &mut self,
        work: impl FnOnce(&mut Bench) -> Result<T, ExecutionError>,
    ) -> Result<T, ExecutionError> {
        if let Some(error) = &self.ended {
            return Err(error.clone());
        }
        let result = work(&mut self.bench);
        if let Err(error) = &result
            && !error.device_usable()
        {
            self.ended = Some(error.clone());
            // A handle that is never dropped keeps the device from being released.
            std::mem::forget((self.bench.gpu.device.clone(), self.bench.gpu.queue.clone()));
        }
        result
    }
}

impl Bench {
    fn new(gpu: Gpu) -> Self {
        use wgpu::BufferUsages as Usage;
        let make = |label, size, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let poison = Run::BOTH.map(|run| {
            let buffer = make("poison", PERIOD, Usage::COPY_SRC | Usage::COPY_DST);
            gpu.queue.write_buffer(&buffer, 0, run.poison());
            buffer
        });
        let nonce = make("nonce", 8, Usage::COPY_SRC | Usage::COPY_DST);
        let pool = |usage, label| Pool::new(gpu.device.clone(), usage, label);
        Self {
            poison,
            nonce,
            nonces: 0,
            storage: pool(Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST, "storage"),
            uniforms: pool(Usage::UNIFORM | Usage::COPY_DST, "uniform"),
            readbacks: pool(Usage::MAP_READ | Usage::COPY_DST, "read-back"),
            most_groups: u64::from(gpu.limits.max_compute_workgroups_per_dimension).min(MAX_GROUPS) as u32,
            pipelines: Pipelines::new(gpu.device.clone()),
            checker: Checker::default(),
            gpu,
        }
    }

    /// The static checks of a plan on an input.
    fn validate(&mut self, plan: &Plan, input: &Input) -> Result<Validated, ExecutionError> {
        self.checker.plan(plan, input.shape(), input.clips().len())
    }

    /// The pipelines of a plan that passes all checks, a dispatch each, and whether it reads the grid.
    pub(crate) fn ready(
        &mut self,
        plan: &Plan,
        layout: &Layout,
        input: &Input,
    ) -> Result<Vec<(Rc<Pipeline>, bool)>, ExecutionError> {
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
        Ok(pipelines)
    }

    fn run(&mut self, plan: &Plan, input: &Input, limit: Duration) -> Result<Execution, ExecutionError> {
        let started = Instant::now();
        let layout = Layout::new(plan, self.gpu.limits.min_storage_buffer_offset_alignment.into());
        let pipelines = self.ready(plan, &layout, input)?;
        let pipelines_ms = milliseconds(started);

        let started = Instant::now();
        let mut session = Session::new(self, plan, &layout, &pipelines)?;
        let mut execution = Execution::default();
        for frame in 0..input.frames() {
            let (readback, faults) = session.frame(self, input, frame, limit)?;
            execution.frames.push(readback);
            execution.faults.extend(faults);
        }
        session.end(self);
        self.gpu.check()?;
        execution.timing = Timing {
            pipelines_ms,
            device_ms: milliseconds(started),
        };
        Ok(execution)
    }
}

pub(crate) fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
