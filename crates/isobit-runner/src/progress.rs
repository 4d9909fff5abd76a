//! How far the lanes are: bars on a terminal, a line now and then elsewhere. Writes to standard error only.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Without a terminal a line appears this often, so that a log shows life without drowning in it.
const EVERY: Duration = Duration::from_secs(10);

/// The bars of all lanes.
pub struct Progress {
    terminal: bool,
    bars: MultiProgress,
    lanes: Mutex<HashMap<String, (ProgressBar, Instant)>>,
}

impl Progress {
    /// Bars on standard error.
    pub fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        Self {
            terminal,
            bars: MultiProgress::with_draw_target(target),
            lanes: Mutex::default(),
        }
    }

    /// Shows a lane with `cells` ahead of it.
    pub fn start(&self, lane: &str, cells: usize) {
        let style = ProgressStyle::with_template("{prefix:>14} [{bar:32}] {pos}/{len} cells  {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        let bar = ProgressBar::new(cells as u64)
            .with_style(style)
            .with_prefix(lane.to_owned());
        let bar = self.bars.add(bar);
        self.with(|lanes| lanes.insert(lane.to_owned(), (bar, Instant::now())));
    }

    /// Counts a cell of a lane.
    pub fn step(&self, lane: &str) {
        self.with(|lanes| {
            let Some((bar, said)) = lanes.get_mut(lane) else { return };
            bar.inc(1);
            if !self.terminal && said.elapsed() >= EVERY {
                *said = Instant::now();
                // A log that cannot be written is no reason to lose the run.
                let _ = writeln!(
                    std::io::stderr(),
                    "{lane}: {}/{} cells",
                    bar.position(),
                    bar.length().unwrap_or_default()
                );
            }
        });
    }

    /// Takes a lane's bar away.
    pub fn finish(&self, lane: &str) {
        self.with(|lanes| {
            if let Some((bar, _)) = lanes.remove(lane) {
                bar.finish_and_clear();
            }
        });
    }

    fn with<T>(&self, act: impl FnOnce(&mut HashMap<String, (ProgressBar, Instant)>) -> T) -> T {
        act(&mut self.lanes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}
