//! The controller: starts the lanes, hands each its cells, and judges what comes back. It never loads a driver itself.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use isobit::execution::{AdapterFacts, Execution, Readback};
use isobit::frame::Input;
use isobit::output::Output;
use isobit::plan::Plan;
use isobit::stage::{self, Divergence};
use isobit::work::{Ran, WorkError};
use isobit_gate::args::Driver;
use isobit_gate::cell::Cell;
use isobit_gate::config::{Config, Lane};
use isobit_gate::report::{CellReport, LaneReport, StageFinding, Status};
use isobit_gate::{probes, resolve, verdict};

use crate::cases::{CaseData, Cases, judged, panic_message};
use crate::client::{Worker, WorkerError};
use crate::limit::Limits;
use crate::progress::Progress;

/// After so many deaths in a row a driver is given up: the cells left would only repeat the same end.
const DEATHS_IN_A_ROW: u32 = 3;

/// A worker that holds more than this after a cell is replaced before the next. Some drivers keep memory for every plan that
/// they ran, lavapipe about a megabyte, and a matrix has thousands.
const WORKER_BYTES: u64 = 1 << 30;

/// What a run is made of.
pub struct Run<'a> {
    /// Tolerances, lanes and expectations.
    pub config: &'a Config,
    /// The expected cells, in the order of the manifest.
    pub cells: &'a [Cell],
    /// Inputs and references.
    pub cases: Cases,
    /// The root of the workspace.
    pub root: &'a Utf8Path,
    /// The drivers that were provided.
    pub drivers: &'a [Driver],
    /// Lanes to compare at tolerance 0.
    pub hold_exact: &'a [String],
    /// Whether intermediate results are compared in cells that are not red too.
    pub stages: bool,
    /// How long cells may take.
    pub limits: Limits,
    /// Workers a lane.
    pub jobs: usize,
    /// Where drivers keep compiled shaders, a folder a lane.
    pub cache: Utf8PathBuf,
    /// Set when the user wants the run to end.
    pub stop: &'a AtomicBool,
    /// Shows how far the lanes are.
    pub progress: Progress,
}

/// What the lanes found.
pub struct Found {
    /// One entry a lane.
    pub lanes: Vec<LaneReport>,
    /// One entry a cell.
    pub cells: Vec<CellReport>,
    /// The longest time in milliseconds that a lane took to open its device and run its probes.
    pub lanes_ms: f64,
}

/// The state of one lane that its workers share.
struct LaneRun<'a> {
    lane: &'a Lane,
    driver: Option<&'a Driver>,
    /// Indices into the manifest.
    cells: Vec<usize>,
    next: AtomicUsize,
    restarts: AtomicU32,
    deaths_in_a_row: AtomicU32,
    given_up: Mutex<Option<String>>,
}

/// The place of one worker, which may have died.
struct Seat {
    worker: Option<Worker>,
    lost: bool,
}

impl Run<'_> {
    /// Runs every cell on its lane, lanes in parallel.
    pub fn run(&self) -> Found {
        let names = |lane: &&Lane| self.cells.iter().any(|cell| cell.lane == lane.name);
        let lanes: Vec<&Lane> = self.config.matrix.lanes.iter().filter(names).collect();
        let results = Mutex::new(Vec::with_capacity(self.cells.len()));
        let (lanes, times): (Vec<_>, Vec<_>) = thread::scope(|scope| {
            let threads: Vec<_> = lanes
                .iter()
                .map(|&lane| scope.spawn(|| self.lane(lane, &results)))
                .collect();
            let joined = threads.into_iter().zip(&lanes).map(|(thread, lane)| {
                thread.join().unwrap_or_else(|panic| {
                    let message = format!("the controller panicked: {}", panic_message(&*panic));
                    (self.lane_report(lane, Some(message)), 0.0)
                })
            });
            joined.unzip()
        });
        Found {
            lanes,
            cells: results.into_inner().unwrap_or_else(PoisonError::into_inner),
            lanes_ms: times.into_iter().fold(0.0, f64::max),
        }
    }

    fn driver(&self, lane: &Lane) -> Option<&Driver> {
        self.drivers
            .iter()
            .find(|driver| Some(&driver.name) == lane.driver.as_ref())
    }

    fn lane_report(&self, lane: &Lane, error: Option<String>) -> LaneReport {
        let driver = self.driver(lane);
        LaneReport {
            name: lane.name.clone(),
            environment: driver.map_or("system", |driver| &driver.environment).to_owned(),
            icd: driver.map(|driver| driver.icd.to_string()),
            image: driver.and_then(|driver| Some(driver.container.as_ref()?.image.clone())),
            adapter: None,
            probes: Vec::new(),
            error,
            left_out: None,
            restarts: 0,
        }
    }

    fn lane(&self, lane: &Lane, results: &Mutex<Vec<CellReport>>) -> (LaneReport, f64) {
        let start = Instant::now();
        let indices = 0..self.cells.len();
        let run = LaneRun {
            lane,
            driver: self.driver(lane),
            cells: indices.filter(|&index| self.cells[index].lane == lane.name).collect(),
            next: AtomicUsize::new(0),
            restarts: AtomicU32::new(0),
            deaths_in_a_row: AtomicU32::new(0),
            given_up: Mutex::new(None),
        };
        self.progress.start(&lane.name, run.cells.len());
        let mut report = self.lane_report(lane, None);
        if let Some(reason) = &lane.left_out {
            self.leave_out(&run, results);
            report.left_out = Some(reason.clone());
            self.progress.finish(&lane.name);
            return (report, 0.0);
        }
        match self.open_and_probe(&run, &mut report) {
            Ok((worker, adapter)) => {
                let opened_ms = start.elapsed().as_secs_f64() * 1e3;
                thread::scope(|scope| {
                    for _ in 1..self.jobs {
                        scope.spawn(|| self.work(&run, None, &adapter, results));
                    }
                    self.work(&run, Some(worker), &adapter, results);
                });
                report.adapter = Some(adapter);
                report.restarts = run.restarts.load(Ordering::Relaxed);
                report.error = lock(&run.given_up).clone();
                self.progress.finish(&lane.name);
                (report, opened_ms)
            }
            Err(reason) => {
                self.abandon(&run, &reason, results);
                report.error = Some(reason);
                self.progress.finish(&lane.name);
                (report, start.elapsed().as_secs_f64() * 1e3)
            }
        }
    }

    /// A worker whose adapter is the lane's and whose probes show nothing that makes results untrustworthy.
    fn open_and_probe(&self, run: &LaneRun<'_>, report: &mut LaneReport) -> Result<(Worker, AdapterFacts), String> {
        if let (Some(name), None) = (&run.lane.driver, run.driver) {
            let words = match name.split_once('@') {
                Some((driver, _)) => format!("{driver} --env docker"),
                None => name.clone(),
            };
            return Err(format!(
                "driver `{name}` was not provided\nhint: cargo xtask provision {words}"
            ));
        }
        let (mut worker, adapter) = self.start(run).map_err(|error| error.to_string())?;
        let limit = self.limits.of_lane(run.lane);
        // The probes tell an error of the device from one of the process; the words are what counts here.
        let mut death = None;
        report.probes = probes::run(&mut |plan, input| {
            worker.run(plan, input, limit).map_err(|error| match error {
                WorkerError::Execution(error) => error,
                other => {
                    let message = other.to_string();
                    death.get_or_insert_with(|| message.clone());
                    isobit::execution::ExecutionError::DeviceLost { message }
                }
            })
        });
        report.adapter = Some(adapter.clone());
        if let Some(death) = death {
            return Err(format!("the probes ended the worker: {death}"));
        }
        match report.probes.iter().find(|probe| probe.broken) {
            Some(probe) => Err(format!("probe `{}` failed: {}", probe.name, probe.finding)),
            None => Ok((worker, adapter)),
        }
    }

    fn start(&self, run: &LaneRun<'_>) -> Result<(Worker, AdapterFacts), WorkerError> {
        let cache = self.cache.join(&run.lane.name);
        std::fs::create_dir_all(&cache).map_err(WorkerError::Start)?;
        let mut worker = Worker::start(self.root, run.lane, run.driver, &cache)?;
        let adapter = worker.open(run.lane)?;
        Ok((worker, adapter))
    }

    /// Takes cells of the lane until there are none.
    fn work(
        &self,
        run: &LaneRun<'_>,
        worker: Option<Worker>,
        adapter: &AdapterFacts,
        results: &Mutex<Vec<CellReport>>,
    ) {
        let mut seat = Seat { worker, lost: false };
        while let Some(&index) = run.cells.get(run.next.fetch_add(1, Ordering::Relaxed)) {
            let cell = &self.cells[index];
            let report = if self.stop.load(Ordering::Relaxed) {
                self.cases.release(cell, 0);
                verdict::error(cell, "the run was interrupted before this cell")
            } else if let Some(reason) = lock(&run.given_up).clone() {
                self.cases.release(cell, 0);
                verdict::error(cell, &reason)
            } else {
                self.cell(run, &mut seat, adapter, cell)
            };
            lock(results).push(report);
            self.progress.step(&run.lane.name);
        }
    }

    /// Skips every cell of a lane that this machine cannot run, as declared.
    fn leave_out(&self, run: &LaneRun<'_>, results: &Mutex<Vec<CellReport>>) {
        for &index in &run.cells {
            self.cases.release(&self.cells[index], 0);
            lock(results).push(verdict::skip(&self.cells[index]));
        }
    }

    fn abandon(&self, run: &LaneRun<'_>, reason: &str, results: &Mutex<Vec<CellReport>>) {
        for &index in &run.cells {
            self.cases.release(&self.cells[index], 0);
            lock(results).push(verdict::error(&self.cells[index], reason));
        }
    }

    fn cell(&self, run: &LaneRun<'_>, seat: &mut Seat, adapter: &AdapterFacts, cell: &Cell) -> CellReport {
        if cell.skip.is_some() {
            return self.refused(cell);
        }
        let rules = match resolve::rules(self.config, cell, adapter, self.hold_exact) {
            Ok(rules) => rules,
            Err(error) => {
                self.cases.release(cell, 0);
                return verdict::error(cell, error.to_string());
            }
        };
        let mut whole: Option<CellReport> = None;
        let mut segment = 0;
        loop {
            let waited = Instant::now();
            let case = match self.cases.get(cell, segment) {
                Ok(Some(case)) => case,
                Ok(None) => break,
                Err(error) => {
                    whole = Some(verdict::error(cell, error.to_string()));
                    break;
                }
            };
            segment += 1;
            // A lane that found the case made pays nothing for it; one that waited for it to be made shows the wait.
            let reference_ms = (waited.elapsed().as_secs_f64() * 1e3).min(case.made_in_ms);
            let (mut part, usable) = self.segment(run, seat, &adapter.name, cell, &rules, &case);
            part.timing.reference_ms = reference_ms;
            match &mut whole {
                Some(whole) => whole.merge(part),
                None => whole = Some(part),
            }
            if case.last || !usable || self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.cases.release(cell, segment);
        whole.unwrap_or_else(|| verdict::error(cell, "there was nothing to compare"))
    }

    /// A cell that is declared not to run. Both sides are asked for a result all the same, and must refuse.
    fn refused(&self, cell: &Cell) -> CellReport {
        let case = self.cases.get(cell, 0);
        self.cases.release(cell, 1);
        let case = match case {
            Ok(Some(case)) => case,
            Ok(None) => return verdict::error(cell, "there was nothing to refuse"),
            Err(error) => return verdict::error(cell, error.to_string()),
        };
        let (shape, frames) = (case.input.shape(), case.input.frames());
        let twin = match std::panic::catch_unwind(|| cell.kernel.plans(cell.twin, shape, frames)) {
            Ok(plans) => plans.err().map(|error| error.to_string()),
            Err(panic) => Some(format!("its plan panicked: {}", panic_message(&*panic))),
        };
        verdict::refused(cell, case.reference.as_ref().err().map(String::as_str), twin.as_deref())
    }

    /// Runs one segment; also says whether the rest of the cell is worth running.
    fn segment(
        &self,
        run: &LaneRun<'_>,
        seat: &mut Seat,
        adapter: &str,
        cell: &Cell,
        rules: &[resolve::MetricRule],
        case: &CaseData,
    ) -> (CellReport, bool) {
        let error = |reason: &str| (verdict::error(cell, reason), false);
        let reference = match &case.reference {
            Ok(reference) => reference,
            Err(reason) => return error(&format!("the reference has no result: {reason}")),
        };
        let mut on_device = Duration::ZERO;
        let ran = std::panic::catch_unwind(AssertUnwindSafe(|| {
            cell.kernel.run(cell.twin, &case.input, adapter, &mut |plan, input| {
                let planned = Instant::now();
                let execution = self.execute(run, seat, |worker, limit| worker.run(plan, input, limit));
                on_device += planned.elapsed();
                execution
            })
        }));
        let Ran { execution, receipt } = match ran {
            Ok(Ok(ran)) => ran,
            Ok(Err(WorkError::Kernel(reason))) => return error(&format!("the twin has no plan: {reason}")),
            Ok(Err(WorkError::Run(reason))) => return error(&reason.to_string()),
            Err(panic) => return error(&format!("the twin's plan panicked: {}", panic_message(&*panic))),
        };
        let executed = Instant::now();
        let twin = match finish(cell, case, &execution) {
            Ok(twin) => twin,
            Err(reason) => return error(&format!("the twin's finish has no result: {reason}")),
        };
        let mut faults = execution.faults;
        for fault in &mut faults {
            fault.frame += case.first_frame;
        }
        faults.retain(|fault| case.frames.contains(&fault.frame));
        let mut report = verdict::judge(cell, rules, reference, &twin, faults, receipt);
        report.stage = self.stage(run, seat, &report, cell, case);
        verdict::judge_stages(&mut report);
        let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
        let timing = &mut report.timing;
        timing.pipelines_ms = execution.timing.pipelines_ms;
        timing.device_ms = execution.timing.device_ms;
        timing.transfer_ms = (ms(on_device) - timing.pipelines_ms - timing.device_ms).max(0.0);
        timing.compare_ms = ms(executed.elapsed());
        (report, true)
    }

    /// Where the intermediate results of the first red frame part, if the cell is red or stages are asked for, and its twin
    /// declares any.
    fn stage(
        &self,
        run: &LaneRun<'_>,
        seat: &mut Seat,
        report: &CellReport,
        cell: &Cell,
        case: &CaseData,
    ) -> Option<StageFinding> {
        let asked = report.status == Status::Fail || (self.stages && report.status == Status::Ok);
        if !asked || cell.control.is_some() || cell.twin.stages.is_none() {
            return None;
        }
        let firsts = report.checks.iter().filter_map(|check| check.comparison.first.as_ref());
        let frames = firsts
            .map(|witness| witness.frame)
            .chain(report.faults.iter().map(|fault| fault.frame));
        let frame = frames.min().unwrap_or(case.frames.start) - case.first_frame;
        let mut on_worker = |plan: &Plan, input: &Input| -> Result<Readback, String> {
            let ran = self.execute(run, seat, |worker, limit| worker.run(plan, input, limit));
            let mut frames = ran.map_err(|error| error.to_string())?.frames;
            frames.pop().ok_or_else(|| "the worker returned no frame".to_owned())
        };
        let compared = std::panic::catch_unwind(AssertUnwindSafe(|| {
            stage::first_divergence(cell.kernel, cell.twin, &case.input, frame, &mut on_worker)
        }));
        Some(match compared {
            Ok(Ok(Some(found))) => StageFinding::Differs(Divergence {
                frame: found.frame + case.first_frame,
                ..found
            }),
            Ok(Ok(None)) => StageFinding::Equal {
                frame: frame + case.first_frame,
            },
            Ok(Err(error)) => StageFinding::Failed {
                reason: error.to_string(),
            },
            Err(panic) => StageFinding::Failed {
                reason: format!("the reference panicked: {}", panic_message(&*panic)),
            },
        })
    }

    /// Runs something on the worker of this thread, starting one where there is none.
    fn execute<T>(
        &self,
        run: &LaneRun<'_>,
        seat: &mut Seat,
        work: impl FnOnce(&mut Worker, Duration) -> Result<T, WorkerError>,
    ) -> Result<T, WorkerError> {
        let limit = self.limits.of_lane(run.lane);
        let result = match seat.worker.take() {
            Some(worker) => Ok(worker),
            None => {
                run.restarts.fetch_add(seat.lost.into(), Ordering::Relaxed);
                self.start(run).map(|(worker, _)| worker)
            }
        };
        seat.lost = true;
        let result = result.and_then(|mut taken| {
            let result = work(&mut taken, limit);
            let usable = result.as_ref().err().is_none_or(WorkerError::worker_usable);
            seat.lost = !usable;
            if usable && taken.resident_bytes().is_none_or(|bytes| bytes <= WORKER_BYTES) {
                seat.worker = Some(taken);
            }
            result
        });
        match &result {
            Ok(_) => run.deaths_in_a_row.store(0, Ordering::Relaxed),
            Err(error) if error.worker_usable() => {}
            Err(error) => {
                let deaths = run.deaths_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
                if deaths >= DEATHS_IN_A_ROW {
                    lock(&run.given_up).get_or_insert_with(|| {
                        format!("the lane was given up after {deaths} failures in a row, the last of them: {error}")
                    });
                }
            }
        }
        result
    }
}

/// The twin's outputs, frames counted from the start of the clip.
fn finish(cell: &Cell, case: &CaseData, execution: &Execution) -> Result<Vec<Output>, String> {
    let shape = case.input.shape();
    let finished = std::panic::catch_unwind(|| cell.kernel.finish(cell.twin, shape, &execution.frames));
    let finished = finished.map_err(|panic| format!("it panicked: {}", panic_message(&*panic)))?;
    let outputs = finished.map_err(|error| error.to_string())?;
    Ok(judged(outputs, case.first_frame, &case.frames))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every critical section here is a single assignment or push.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
