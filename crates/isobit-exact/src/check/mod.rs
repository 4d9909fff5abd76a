//! Proves a function's WGSL equal to its Rust, bit for bit: operands, the plan that computes on them, the comparison, and
//! mutants that it must catch. An executor runs the plan; nothing here knows one.

mod accuracy;
mod mutant;
mod operands;

use std::num::NonZero;
use std::{panic, thread};

use isobit::plan::Plan;

pub use accuracy::error_in_ulp;
pub use mutant::{Mutant, mutants};
pub use operands::{Operands, specials};

use crate::chunk::{JoinError, join};
use crate::functions::{Function, Kind};

/// Invocations of a workgroup.
const WORKGROUP: u32 = 64;
/// Results that one thread compares at least: below, starting a thread costs more than it saves.
const SHARE: usize = 1 << 12;

/// Operands of one run of a function, and what its results have to be.
#[derive(Clone, Debug)]
pub struct Batch {
    function: &'static Function,
    operands: Vec<[u64; 3]>,
    skipped: u64,
}

/// What a comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Results compared.
    pub compared: u64,
    /// Operands left out because they lie outside the function's domain.
    pub skipped: u64,
    /// Results that differ.
    pub mismatches: u64,
    /// The first of them, in words.
    pub first: Option<String>,
}

impl Outcome {
    /// Adds what another comparison of the same function found.
    pub fn absorb(&mut self, other: Self) {
        self.compared += other.compared;
        self.skipped += other.skipped;
        self.mismatches += other.mismatches;
        self.first = self.first.take().or(other.first);
    }
}

impl Batch {
    /// A batch of those of `operands` that lie in the function's domain; the others are counted.
    pub fn new(function: &'static Function, operands: impl IntoIterator<Item = [u64; 3]>) -> Self {
        let mut skipped = 0;
        let inside = operands.into_iter().filter(|&words| {
            let inside = function.domain.is_none_or(|domain| (domain.holds)(words));
            skipped += u64::from(!inside);
            inside
        });
        let operands = inside.collect();
        Self {
            function,
            operands,
            skipped,
        }
    }

    /// Whether no operands are left.
    pub fn is_empty(&self) -> bool {
        self.operands.is_empty()
    }

    /// The plan that computes the results, in its output `results`. If `disturbed`, the lowest bit of about one result in
    /// 4096 is flipped: the mutant that a comparison must catch.
    ///
    /// # Errors
    /// If the function's chunk does not exist.
    pub fn plan(&self, disturbed: bool) -> Result<Plan, JoinError> {
        Ok(self.plan_of(&module(self.function)?, disturbed))
    }

    /// The plan that computes the results with a mutant of the function instead of the function.
    pub fn mutant_plan(&self, mutant: &Mutant) -> Plan {
        self.plan_of(mutant.module(), false)
    }

    fn plan_of(&self, module: &str, disturbed: bool) -> Plan {
        let count = self.operands.len() as u32;
        let mut words = Vec::with_capacity(self.operands.len() * stride(self.function));
        for operands in &self.operands {
            for (&kind, &operand) in self.function.operands.iter().zip(operands) {
                words.push(operand as u32);
                if kind.is_double() {
                    words.push((operand >> 32) as u32);
                }
            }
        }
        let result = if self.function.result.is_double() { 8 } else { 4 };
        Plan::new(module)
            .constant("operands", &words)
            .output("results", count.into(), result)
            .uniform("run", &[count, disturbed.into(), 0, 0])
            .dispatch(
                "evaluate",
                &["operands", "results", "run"],
                count.div_ceil(WORKGROUP).into(),
            )
    }

    /// Compares the words of `results` with Rust's results, on all processors. Results that are missing are not compared.
    pub fn judge(&self, results: &[u32]) -> Outcome {
        let width = if self.function.result.is_double() { 2 } else { 1 };
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let share = self.operands.len().div_ceil(processors).max(SHARE);
        let parts = self.operands.chunks(share).zip(results.chunks(share * width));
        let mut outcome = Outcome {
            skipped: self.skipped,
            ..Outcome::default()
        };
        thread::scope(|scope| {
            let threads: Vec<_> = parts
                .map(|(operands, results)| scope.spawn(move || judge(self.function, operands, results)))
                .collect();
            for thread in threads {
                outcome.absorb(thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
            }
        });
        outcome
    }

    /// How many mismatches the disturbed plan has to show: the flipped results that do not stay NaN.
    pub fn disturbances(&self) -> u64 {
        let kind = self.function.result;
        let flipped = self.operands.iter().filter(|&&words| {
            let expected = self.function.expected(words);
            is_disturbed(self.function, words) && !kind.equal(expected, expected ^ 1)
        });
        flipped.count() as u64
    }
}

/// Compares the words of `results` with Rust's results for `operands`.
fn judge(function: &Function, operands: &[[u64; 3]], results: &[u32]) -> Outcome {
    let mut outcome = Outcome::default();
    let kind = function.result;
    let width = if kind.is_double() { 2 } else { 1 };
    for (&words, result) in operands.iter().zip(results.chunks_exact(width)) {
        let actual = result.iter().rev().fold(0, |word, &part| word << 32 | u64::from(part));
        let expected = function.expected(words);
        outcome.compared += 1;
        if !kind.equal(expected, actual) {
            outcome.mismatches += 1;
            outcome
                .first
                .get_or_insert_with(|| describe(function, words, expected, actual));
        }
    }
    outcome
}

/// Words of the operands of one evaluation.
fn stride(function: &Function) -> usize {
    function
        .operands
        .iter()
        .map(|kind| if kind.is_double() { 2 } else { 1 })
        .sum()
}

fn describe(function: &Function, words: [u64; 3], expected: u64, actual: u64) -> String {
    let operands: Vec<_> = function
        .operands
        .iter()
        .zip(words)
        .map(|(kind, word)| kind.show(word))
        .collect();
    let kind = function.result;
    format!(
        "`{}` of {} is {} in Rust, {} on the device",
        function.name,
        operands.join(", "),
        kind.show(expected),
        kind.show(actual)
    )
}

/// Whether the result for `words` is disturbed: a hash of the operands, so that it does not depend on their place.
fn is_disturbed(function: &Function, words: [u64; 3]) -> bool {
    let mut hash = 0u32;
    for (kind, word) in function.operands.iter().zip(words) {
        hash = (hash ^ word as u32).wrapping_mul(0x9e37_79b1);
        if kind.is_double() {
            hash = (hash ^ (word >> 32) as u32).wrapping_mul(0x9e37_79b1);
        }
    }
    hash >> 20 == 0x123
}

/// The module that evaluates `function`.
fn module(function: &Function) -> Result<String, JoinError> {
    let mut loads = String::new();
    let mut hash = "0u".to_owned();
    let mut at = 0;
    for (name, kind) in ["a", "b", "c"].into_iter().zip(function.operands) {
        let word = |index: usize| format!("operands[at + {index}u]");
        let pair = format!("vec2<u32>({}, {})", word(at), word(at + 1));
        let value = match kind {
            Kind::F32 => format!("bitcast<f32>({})", word(at)),
            Kind::I32 => format!("bitcast<i32>({})", word(at)),
            Kind::F32Bits | Kind::F16Bits | Kind::U32 => word(at),
            Kind::F64Bits | Kind::U64 | Kind::I64 => pair,
            Kind::Pair => format!("bitcast<vec2<f32>>({pair})"),
            Kind::Bool => format!("{} != 0u", word(at)),
        };
        loads += &format!("    let {name} = {value};\n");
        let words = if kind.is_double() { 2 } else { 1 };
        for index in at..at + words {
            hash = format!("(({hash} ^ {}) * 0x9e3779b1u)", word(index));
        }
        at += words;
    }
    let wgsl = function.wgsl;
    let (stored, result, flip) = match function.result {
        Kind::F32 => ("u32", format!("bitcast<u32>({wgsl})"), "1u"),
        Kind::I32 => ("u32", format!("bitcast<u32>({wgsl})"), "1u"),
        Kind::Bool => ("u32", format!("select(0u, 1u, {wgsl})"), "1u"),
        Kind::F32Bits | Kind::F16Bits | Kind::U32 => ("u32", wgsl.to_owned(), "1u"),
        Kind::F64Bits | Kind::U64 | Kind::I64 => ("vec2<u32>", wgsl.to_owned(), "vec2<u32>(1u, 0u)"),
        Kind::Pair => ("vec2<u32>", format!("bitcast<vec2<u32>>({wgsl})"), "vec2<u32>(1u, 0u)"),
    };
    let body = format!(
        "@group(0) @binding(0) var<storage, read> operands: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<{stored}>;
// The number of evaluations, and whether to disturb some.
@group(0) @binding(2) var<uniform> run: vec4<u32>;

@compute @workgroup_size({WORKGROUP})
fn evaluate(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {{
    let index = grid_invocation(workgroup, local, {WORKGROUP}u);
    if index >= run.x {{
        return;
    }}
    let at = index * {at}u;
{loads}    var result = {result};
    let hash = {hash};
    if run.y != 0u && hash >> 20u == 0x123u {{
        result ^= {flip};
    }}
    results[index] = result;
}}
"
    );
    let chunks: &[&str] = match function.chunk {
        "grid" => &["grid"],
        chunk => &[chunk, "grid"],
    };
    join(chunks, &body)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::functions;

    #[test]
    fn every_function_has_a_name_of_its_own_and_a_valid_module() {
        let mut names = BTreeSet::new();
        for function in functions::all() {
            assert!(names.insert(function.name), "`{}` twice", function.name);
            assert!((1..=3).contains(&function.operands.len()), "`{}`", function.name);
            let source = module(function).unwrap();
            let module = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|error| panic!("{}: {}", function.name, error.emit_to_string(&source)));
            naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
                .validate(&module)
                .unwrap_or_else(|error| panic!("{}: {error:?}", function.name));
        }
    }

    #[test]
    fn every_function_is_tried_on_most_of_its_operands() {
        for function in functions::all() {
            let batch = Batch::new(function, Operands::random(function, 7).take(1 << 12));
            assert!(
                batch.operands.len() > 1 << 10,
                "`{}`: {}",
                function.name,
                batch.operands.len()
            );
        }
    }

    #[test]
    fn every_function_has_wrong_bits_to_find() {
        for function in functions::all() {
            let batch = Batch::new(function, Operands::random(function, 3).take(1 << 16));
            assert!(batch.disturbances() > 0, "`{}`", function.name);
        }
    }

    #[test]
    fn parts_of_a_long_batch_add_up() {
        let function = functions::all().find(|function| function.name == "wide_mul").unwrap();
        let count = 3 * SHARE as u64 + 5;
        let batch = Batch::new(function, (0..count).map(|a| [a, 3, 0]));
        let mut results: Vec<u32> = (0..count as u32).flat_map(|a| [3 * a, 0]).collect();
        results[2 * SHARE + 1] = 1;
        let last = results.len() - 2;
        results[last] ^= 1;
        let outcome = batch.judge(&results);
        assert_eq!((outcome.compared, outcome.mismatches), (count, 2));
        let first = outcome.first.unwrap();
        assert!(first.contains(&format!("of {SHARE:#x} ({SHARE}), 0x3 (3)")), "{first}");
    }

    #[test]
    fn a_wrong_bit_is_found_and_described() {
        let function = functions::all().find(|function| function.name == "seal_add").unwrap();
        let words = [1f32, 2.0].map(|value| u64::from(value.to_bits()));
        let batch = Batch::new(function, [[words[0], words[1], 0], [1, words[1], 0]]);
        assert_eq!(
            batch.judge(&[3f32.to_bits()]),
            Outcome {
                compared: 1,
                skipped: 1,
                ..Outcome::default()
            }
        );
        let outcome = batch.judge(&[3f32.to_bits() + 1]);
        assert_eq!(outcome.mismatches, 1);
        assert_eq!(
            outcome.first.unwrap(),
            "`seal_add` of 0x3f800000 (1e0), 0x40000000 (2e0) is 0x40400000 (3e0) in Rust, \
             0x40400001 (3.0000002e0) on the device"
        );
    }
}
