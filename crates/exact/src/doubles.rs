//! The Rust side of shared math against doubles of `libm`, on all processors. A double's own error is below 2^−28 of the units
//! in which an f32's is measured.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{panic, thread};

use anyhow::{Context as _, Result};
use indicatif::ProgressBar;
use isobit_exact::check::{Operands, error_in_ulp};
use isobit_exact::functions::{Function, Rust};
use isobit_exact::math::BOUNDS;

use crate::Verdict;

/// Operands that a thread takes at once.
const SHARE: u64 = 1 << 20;

/// A function of doubles.
#[derive(Clone, Copy)]
pub enum Exact {
    /// Of one.
    Unary(fn(f64) -> f64),
    /// Of two.
    Binary(fn(f64, f64) -> f64),
}

/// What `function` is held to; `None` for one that is no shared math.
pub fn exact(function: &Function) -> Option<Exact> {
    Some(match function.name {
        "exp" => Exact::Unary(libm::exp),
        "exp2" => Exact::Unary(libm::exp2),
        "log" => Exact::Unary(libm::log),
        "log2" => Exact::Unary(libm::log2),
        "log10" => Exact::Unary(libm::log10),
        "cbrt" => Exact::Unary(libm::cbrt),
        "sin" => Exact::Unary(libm::sin),
        "cos" => Exact::Unary(libm::cos),
        "pow" => Exact::Binary(libm::pow),
        "atan2" => Exact::Binary(libm::atan2),
        "hypot" => Exact::Binary(libm::hypot),
        _ => return None,
    })
}

/// The greatest error so far, in ULP, and the operands that have it.
#[derive(Clone, Copy, Default)]
struct Worst {
    error: f64,
    operands: [u64; 3],
    compared: u64,
}

impl Worst {
    fn absorb(&mut self, other: Self) {
        if other.error > self.error {
            (self.error, self.operands) = (other.error, other.operands);
        }
        self.compared += other.compared;
    }
}

/// Holds one function to its documented error: on special values and random ones, or on all that there are.
pub fn hold(function: &'static Function, random: u64, exhaustive: bool, bar: &ProgressBar) -> Result<Verdict> {
    let exact = exact(function).context("it is no shared math")?;
    let bounds = BOUNDS.iter().find(|(name, _)| *name == function.name);
    let (_, bound) = bounds.context("no bound of its error is documented")?;
    let total = match function.every_operand() {
        Some(all) if exhaustive => all,
        _ => random,
    };
    let mut worst = measure(function, exact, Operands::special(function));
    let next = AtomicU64::new(0);
    let work = || {
        let mut worst = Worst::default();
        loop {
            let begin = next.fetch_add(SHARE, Ordering::Relaxed);
            if begin >= total {
                return worst;
            }
            let count = SHARE.min(total - begin);
            worst.absorb(if exhaustive {
                measure(function, exact, (begin..begin + count).map(|word| [word, 0, 0]))
            } else {
                let operands = Operands::random(function, begin).take(count as usize);
                measure(function, exact, operands)
            });
            bar.inc(count);
        }
    };
    thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            worst.absorb(thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        }
    });
    let operands: Vec<_> = function
        .operands
        .iter()
        .zip(worst.operands)
        .map(|(kind, word)| kind.show(word))
        .collect();
    let at = format!("{:.4} ULP at {}", worst.error, operands.join(", "));
    // Written so that an error which is no number is a fault.
    let held = worst.error <= *bound;
    Ok(Verdict {
        text: format!("{} compared with doubles, error at most {at}", worst.compared),
        compared: worst.compared,
        fault: (!held).then(|| format!("`{}` errs by {at}, beyond {bound} ULP", function.name)),
    })
}

fn measure(function: &Function, exact: Exact, operands: impl IntoIterator<Item = [u64; 3]>) -> Worst {
    let number = |word: u64| f32::from_bits(word as u32);
    let mut worst = Worst::default();
    for words in operands {
        let [x, y] = [number(words[0]), number(words[1])];
        let error = match (function.rust, exact) {
            (Rust::Unary(rust), Exact::Unary(exact)) => error_in_ulp(rust(x), exact(x.into())),
            (Rust::Binary(rust), Exact::Binary(exact)) => error_in_ulp(rust(x, y), exact(x.into(), y.into())),
            _ => f64::INFINITY,
        };
        worst.compared += 1;
        if error > worst.error {
            (worst.error, worst.operands) = (error, words);
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use isobit_exact::{functions, math};

    use super::*;

    #[test]
    fn every_shared_function_is_held() {
        for function in math::FUNCTIONS {
            let verdict = hold(function, 1 << 12, false, &ProgressBar::hidden()).unwrap();
            assert_eq!(verdict.fault, None);
            assert!(verdict.compared > 1 << 12, "{}", verdict.text);
        }
        let others = functions::all().filter(|function| function.chunk == "soft");
        assert!(others.into_iter().all(|function| exact(function).is_none()));
    }

    #[test]
    fn a_function_that_errs_is_found() {
        static WRONG: Function = Function::unary("exp", "math_exp", "math_exp(a)", |x| math::exp(x).next_up());
        let verdict = hold(&WRONG, 1 << 10, false, &ProgressBar::hidden()).unwrap();
        assert!(verdict.fault.unwrap().contains("beyond 0.668 ULP"));
    }
}
