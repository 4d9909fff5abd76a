//! A worker process: owns one device of one driver, runs the plans it is sent and returns what the device left.
//!
//! It holds no kernel, no tolerance and no verdict. After an error that leaves the device in doubt it ends itself at once,
//! without dropping the device: dropping a device whose work never ends may never return.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use isobit::execution::ExecutionError;
use isobit::frame::Input;
use isobit_wgpu::Executor;

use crate::wire::{self, Answer, Request};

/// Serves requests on the standard streams until the controller closes them.
///
/// # Errors
/// If the controller cannot be understood or no longer reads.
pub fn serve() -> io::Result<ExitCode> {
    let mut to = BufWriter::with_capacity(1 << 20, answers()?);
    let mut from = BufReader::with_capacity(1 << 20, io::stdin().lock());
    let mut executor = None;
    while let Some((request, blobs)) = wire::receive(&mut from)? {
        let usable = match request {
            Request::Open { adapter } => match Executor::open(&adapter) {
                Ok(opened) => {
                    let adapter = Box::new(opened.adapter().clone());
                    executor = Some(opened);
                    wire::send(&mut to, &Answer::Opened { adapter }, &[])?;
                    true
                }
                Err(error) => fail(&mut to, error)?,
            },
            Request::Run {
                plan,
                shape,
                clips,
                frames,
                limit_ms,
            } => {
                let (input, limit) = (
                    wire::input(&shape, clips, frames, blobs),
                    Duration::from_millis(limit_ms),
                );
                match on_device(&mut executor, input, |device, input| device.run(&plan, input, limit)) {
                    Ok(execution) => {
                        let (answer, blobs) = wire::ran(&execution);
                        wire::send(&mut to, &answer, &blobs)?;
                        true
                    }
                    Err(error) => fail(&mut to, error)?,
                }
            }
            Request::Time {
                plans,
                shape,
                clips,
                frames,
                rounds,
                limit_ms,
            } => {
                let (input, limit) = (
                    wire::input(&shape, clips, frames, blobs),
                    Duration::from_millis(limit_ms),
                );
                match on_device(&mut executor, input, |device, input| {
                    device.time(&plans, input, rounds, limit)
                }) {
                    Ok(times) => {
                        let nanoseconds = times.iter().map(|time| time.as_nanos() as u64).collect();
                        wire::send(&mut to, &Answer::Timed { nanoseconds }, &[])?;
                        true
                    }
                    Err(error) => fail(&mut to, error)?,
                }
            }
            Request::Phases {
                plan,
                shape,
                clips,
                frames,
                rounds,
                limit_ms,
            } => {
                let (input, limit) = (
                    wire::input(&shape, clips, frames, blobs),
                    Duration::from_millis(limit_ms),
                );
                match on_device(&mut executor, input, |device, input| {
                    device.phases(&plan, input, rounds, limit)
                }) {
                    Ok((left, rounds)) => {
                        let (answer, blobs) = wire::phased(&left, rounds);
                        wire::send(&mut to, &answer, &blobs)?;
                        true
                    }
                    Err(error) => fail(&mut to, error)?,
                }
            }
        };
        if !usable {
            std::process::exit(0);
        }
    }
    // The verdicts have been stored; a driver that fails while it is torn down can no longer harm one.
    Ok(ExitCode::SUCCESS)
}

/// The executor that a request for work needs.
/// Runs something over an input that was received.
fn on_device<T>(
    executor: &mut Option<Executor>,
    input: Result<Input, String>,
    run: impl FnOnce(&mut Executor, &Input) -> Result<T, ExecutionError>,
) -> Result<T, ExecutionError> {
    let input = input.map_err(|message| ExecutionError::InvalidPlan { message })?;
    let executor = executor.as_mut().ok_or_else(|| ExecutionError::NoDevice {
        message: "a plan arrived before the adapter was opened".to_owned(),
    })?;
    run(executor, &input)
}

/// Reports `error`; whether the device can still be used.
fn fail(to: &mut impl Write, error: ExecutionError) -> io::Result<bool> {
    let usable = error.device_usable();
    wire::send(to, &Answer::Failed { error }, &[])?;
    Ok(usable)
}

/// The stream of answers. Drivers print to standard output as they please, so that goes to standard error from here on.
#[cfg(unix)]
fn answers() -> io::Result<impl Write> {
    let answers = rustix::io::dup(rustix::stdio::stdout())?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(std::fs::File::from(answers))
}

#[cfg(not(unix))]
fn answers() -> io::Result<impl Write> {
    Ok(io::stdout().lock())
}

/// Reads a stream to its end and keeps the last lines, for the account of a crash.
pub fn tail(from: impl Read) -> String {
    const LINES: usize = 8;
    const LONGEST: usize = 400;
    let mut kept = std::collections::VecDeque::new();
    for line in io::BufRead::split(BufReader::new(from), b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line)
            .trim()
            .chars()
            .take(LONGEST)
            .collect::<String>();
        // Mesa says so in any process without a session; it is no part of a crash.
        if line.is_empty() || line.contains("XDG_RUNTIME_DIR") {
            continue;
        }
        if kept.len() == LINES {
            kept.pop_front();
        }
        kept.push_back(line);
    }
    kept.into_iter().collect::<Vec<_>>().join(" | ")
}
