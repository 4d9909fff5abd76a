//! Functions on an adapter, bit for bit against Rust, and mutants of them, which must not be.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use indicatif::ProgressBar;
use isobit::execution::AdapterRequest;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::Plan;
use isobit_exact::check::{Batch, Operands, Outcome, mutants};
use isobit_exact::functions::Function;
use isobit_wgpu::Executor;

use crate::Verdict;

/// Evaluations of one run of a plan: 32 MiB for two operands of 64 bits.
const BATCH: u64 = 1 << 21;
/// Evaluations of a run of a mutant, which is there to prove that a wrong bit shows.
const MUTANT: usize = 1 << 16;
/// Runs that a mutant of a constant may take until one result differs.
const PATIENCE: u64 = 64;

/// An adapter, and what every plan gets.
pub struct Bench {
    executor: Executor,
    input: Input,
    limit: Duration,
}

impl Bench {
    /// Opens an adapter; a run of a plan may take `limit`.
    pub fn open(request: &AdapterRequest, limit: Duration) -> Result<Self> {
        Ok(Self {
            executor: Executor::open(request)?,
            input: nothing()?,
            limit,
        })
    }

    /// The adapter in words.
    pub fn adapter(&self) -> String {
        let facts = self.executor.adapter();
        format!("`{}`, driver `{}`", facts.name, facts.driver)
    }

    /// Compares one function: special values and random ones, or all that there are, then its mutants.
    pub fn hold(
        &mut self,
        function: &'static Function,
        random: u64,
        exhaustive: bool,
        bar: &ProgressBar,
    ) -> Result<Verdict> {
        let total = if exhaustive {
            function
                .every_operand()
                .context("it has too many operands to try them all")?
        } else {
            random
        };
        let specials = Operands::special(function);
        let expected = specials.len() as u64 + total;
        let mut outcome = self.judge(&Batch::new(function, specials))?;
        let mut operands = Operands::random(function, 2);
        let mut done = 0;
        while done < total {
            let count = BATCH.min(total - done);
            let batch = if exhaustive {
                Batch::new(function, (done..done + count).map(|word| [word, 0, 0]))
            } else {
                Batch::new(function, operands.by_ref().take(count as usize))
            };
            outcome.absorb(self.judge(&batch)?);
            done += count;
            bar.set_position(done);
        }
        ensure!(
            outcome.compared + outcome.skipped == expected,
            "of {expected} results only {} came back",
            outcome.compared + outcome.skipped
        );
        ensure!(outcome.compared > 0, "no operand lies in its domain");
        let constants = if outcome.mismatches == 0 {
            self.catch_mutants(function)?
        } else {
            0
        };
        Ok(Verdict {
            text: format!(
                "{} compared, {} outside its domain, {} differ, {constants} constants held",
                outcome.compared, outcome.skipped, outcome.mismatches
            ),
            compared: outcome.compared,
            fault: outcome.first,
        })
    }

    /// How many constants of the function cannot be wrong without a result that shows it: an error unless all. A mutant with
    /// flipped bits comes first.
    fn catch_mutants(&mut self, function: &'static Function) -> Result<usize> {
        let batch = |seed| Batch::new(function, Operands::random(function, seed).take(MUTANT));
        let first = batch(3);
        let disturbed = self.run(&first, &first.plan(true)?)?;
        let expected = first.disturbances();
        if disturbed.mismatches != expected || expected == 0 {
            bail!(
                "a mutant with {expected} wrong bits shows {}: the comparison is blind",
                disturbed.mismatches
            );
        }
        let mutants = mutants(function)?;
        for mutant in &mutants {
            let mut caught = self.run(&first, &first.mutant_plan(mutant))?.mismatches > 0;
            for seed in 4..PATIENCE {
                if caught {
                    break;
                }
                let batch = batch(seed);
                caught = self.run(&batch, &batch.mutant_plan(mutant))?.mismatches > 0;
            }
            ensure!(
                caught,
                "no result shows that the constant `{}` is wrong",
                mutant.constant()
            );
        }
        Ok(mutants.len())
    }

    fn judge(&mut self, batch: &Batch) -> Result<Outcome> {
        if batch.is_empty() {
            return Ok(batch.judge(&[]));
        }
        self.run(batch, &batch.plan(false)?)
    }

    fn run(&mut self, batch: &Batch, plan: &Plan) -> Result<Outcome> {
        let execution = self.executor.run(plan, &self.input, self.limit)?;
        if let Some(fault) = execution.faults.first() {
            bail!("the device left a fault behind: {fault:?}");
        }
        let frame = execution.frames.first().context("nothing came back")?;
        Ok(batch.judge(&frame.u32s("results")?))
    }
}

/// One frame of one sample: the plans bring their operands along.
fn nothing() -> Result<Input> {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 1, 1);
    let plane = Plane::new(shape.planes[0], Depth::U8, vec![0])?;
    let clip = Clip::new(shape, vec![Frame { planes: vec![plane] }])?;
    Ok(Input::new(vec![clip])?)
}
