//! Every function of the table on real drivers, bit for bit against Rust.
//!
//! The tests run once for each driver that `ISOBIT_TEST_DRIVERS` lists, in a process of its own, because the loader reads
//! its environment only once.

#![expect(clippy::unwrap_used, reason = "a test whose footing is gone stops where it stands")]

use std::env;
use std::time::Duration;

use isobit::execution::AdapterRequest;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::{Plan, Step};
use isobit_exact::check::{Batch, Operands, Outcome, mutants};
use isobit_exact::ordered::{ordered_sum, ordered_sum_f64};
use isobit_exact::{functions, join};
use isobit_wgpu::Executor;

/// Restricts the test to functions whose name contains it.
const FUNCTION: &str = "ISOBIT_TEST_FUNCTION";
/// Random operands of each function; `cargo xtask exact` tries more.
const RANDOM: usize = 1 << 16;
/// Runs of as many operands that a mutant of a constant may take until one result differs.
const PATIENCE: u64 = 64;

#[test]
fn every_function_equals_rust_and_every_mutant_is_caught() {
    isobit_testing::on_each_driver("every_function_equals_rust_and_every_mutant_is_caught", on_driver);
}

fn on_driver(request: &AdapterRequest) {
    let mut executor = Executor::open(request).unwrap();
    let wanted = env::var(FUNCTION).unwrap_or_default();
    let mut failures = Vec::new();
    for function in functions::all().filter(|function| function.name.contains(&wanted)) {
        let random = Operands::random(function, 1).take(RANDOM);
        let batch = Batch::new(function, Operands::special(function).into_iter().chain(random));
        let outcome = run(&mut executor, &batch, false);
        println!(
            "{:>20}: {} compared, {} outside its domain, {} differ",
            function.name, outcome.compared, outcome.skipped, outcome.mismatches
        );
        failures.extend(outcome.first);

        let mutant = run(&mut executor, &batch, true);
        let expected = batch.disturbances() + outcome.mismatches;
        if mutant.mismatches != expected || mutant.mismatches == 0 {
            failures.push(format!(
                "the mutant of `{}` shows {} mismatches, not {expected}",
                function.name, mutant.mismatches
            ));
        }
        failures.extend(survivors(&mut executor, function));
    }
    failures.extend(sums(&mut executor));
    failures.extend(binades(&mut executor));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The constants of `function` that may be wrong without a result that shows it.
fn survivors(executor: &mut Executor, function: &'static functions::Function) -> Vec<String> {
    let batch = |seed| Batch::new(function, Operands::random(function, seed).take(RANDOM));
    let first = batch(2);
    let mut found = Vec::new();
    for mutant in mutants(function).unwrap() {
        let mut caught = |batch: &Batch| evaluate(executor, batch, &batch.mutant_plan(&mutant)).mismatches > 0;
        if !caught(&first) && !(3..PATIENCE).any(|seed| caught(&batch(seed))) {
            found.push(format!(
                "no result of `{}` shows that `{}` is wrong",
                function.name,
                mutant.constant()
            ));
        }
    }
    found
}

/// Sums over rows and grids by each documented way; what differs.
fn sums(executor: &mut Executor) -> Vec<String> {
    let (width, rows) = (300, 70);
    // Of many magnitudes and both signs, so that no other order gives the same bits.
    let terms: Vec<f32> = (0..width * rows)
        .map(|index: u32| {
            let hash = (index + 1).wrapping_mul(0x9e37_79b1);
            f32::from_bits((hash & 0x807f_ffff) | (110 + hash % 31) << 23)
        })
        .collect();
    let words: Vec<u32> = terms.iter().map(|term| term.to_bits()).collect();
    let groups = (width * rows).div_ceil(64);
    let wgsl = join(&["grid", "ordered", "reduce"], include_str!("sums.wgsl")).unwrap();
    let mut plan = Plan::new(wgsl)
        .constant("terms", &words)
        .uniform("size", &[width, rows, groups, 0])
        .scratch("rows", u64::from(rows) * 2, 8)
        .output("total", 4, 4)
        .scratch("partials", groups.into(), 8)
        .output("atomics", 2, 4)
        .output("integer", 2, 4)
        .clear("atomics");
    let stages: [Stage; 4] = [
        ("sum_rows", rows.div_ceil(64), &[(0, "terms"), (1, "size"), (2, "rows")]),
        ("sum_total", 1, &[(1, "size"), (2, "rows"), (3, "total")]),
        (
            "sum_bits",
            groups,
            &[(0, "terms"), (1, "size"), (4, "partials"), (5, "atomics")],
        ),
        ("sum_partials", 1, &[(1, "size"), (4, "partials"), (6, "integer")]),
    ];
    plan = dispatches(plan, &stages);
    let execution = executor.run(&plan, &nothing(), Duration::from_secs(60)).unwrap();
    assert_eq!(execution.faults, []);
    let read = |name: &str| execution.frames[0].u32s(name).unwrap();

    let double = ordered_sum_f64(&terms, width as usize).to_bits();
    let halves = |word: u64| [word as u32, (word >> 32) as u32];
    let total = [[ordered_sum(&terms, width as usize).to_bits(), 0], halves(double)].concat();
    let integer = words
        .iter()
        .fold(0u64, |sum, &word| sum.wrapping_add(u64::from(word) * 0x1000_0001));
    let integer = halves(integer).to_vec();
    [("total", total), ("atomics", integer.clone()), ("integer", integer)]
        .into_iter()
        .filter(|(name, expected)| read(name) != *expected)
        .map(|(name, expected)| format!("the sum `{name}` is {:x?}, not {expected:x?}", read(name)))
        .collect()
}

/// A running f64 sum in parallel, by increments of blocks; what differs.
fn binades(executor: &mut Executor) -> Vec<String> {
    let terms: Vec<f32> = (1..=20_000u32)
        .map(|index| f32::from_bits(index.wrapping_mul(0x9e37_79b1) & 0x803f_ffff | (120 + index % 12) << 23))
        .collect();
    let words: Vec<u32> = terms.iter().map(|term| term.to_bits()).collect();
    let count = terms.len() as u32;
    let blocks = count.div_ceil(64);
    let wgsl = join(&["grid", "ordered"], include_str!("binades.wgsl")).unwrap();
    let plan = Plan::new(wgsl)
        .constant("terms", &words)
        .uniform("size", &[count, blocks, 0, 0])
        .scratch("rough", blocks.into(), 4)
        .scratch("binades", blocks.into(), 4)
        .scratch("increments", u64::from(blocks) * 2, 8)
        .output("result", 4, 4);
    let stages: [Stage; 4] = [
        (
            "guess_blocks",
            blocks.div_ceil(64),
            &[(0, "terms"), (1, "size"), (2, "rough")],
        ),
        ("guess_binades", 1, &[(1, "size"), (2, "rough"), (3, "binades")]),
        (
            "sum_blocks",
            blocks,
            &[(0, "terms"), (1, "size"), (3, "binades"), (4, "increments")],
        ),
        (
            "walk_blocks",
            1,
            &[(0, "terms"), (1, "size"), (4, "increments"), (5, "result")],
        ),
    ];
    let execution = executor
        .run(&dispatches(plan, &stages), &nothing(), Duration::from_secs(60))
        .unwrap();
    assert_eq!(execution.faults, []);
    let result = execution.frames[0].u32s("result").unwrap();
    let sum = u64::from(result[0]) | u64::from(result[1]) << 32;
    let expected = terms.iter().fold(0.0, |sum, term| sum + f64::from(term.abs()));
    println!("a sum in binades: {} of {blocks} blocks term by term", result[2]);
    let mut failures = Vec::new();
    if sum != expected.to_bits() {
        failures.push(format!(
            "the sum in binades is {:e}, not {expected:e}",
            f64::from_bits(sum)
        ));
    }
    // Both ways must have been gone.
    if !(1..blocks / 4).contains(&result[2]) {
        failures.push(format!("{} of {blocks} blocks were added term by term", result[2]));
    }
    failures
}

/// Entry point, workgroups, and the buffer behind each binding.
type Stage = (&'static str, u32, &'static [(u32, &'static str)]);

/// The plan with a dispatch for each of `stages`.
fn dispatches(mut plan: Plan, stages: &[Stage]) -> Plan {
    for &(entry, workgroups, bindings) in stages {
        plan = plan.dispatch(entry, &[], workgroups.into());
        if let Some(Step::Dispatch(dispatch)) = plan.steps.last_mut() {
            dispatch.bindings = bindings.iter().map(|&(at, name)| (at, name.to_owned())).collect();
        }
    }
    plan
}

fn run(executor: &mut Executor, batch: &Batch, disturbed: bool) -> Outcome {
    evaluate(executor, batch, &batch.plan(disturbed).unwrap())
}

fn evaluate(executor: &mut Executor, batch: &Batch, plan: &Plan) -> Outcome {
    let execution = executor.run(plan, &nothing(), Duration::from_secs(60)).unwrap();
    assert_eq!(execution.faults, []);
    batch.judge(&execution.frames[0].u32s("results").unwrap())
}

/// One frame of one sample: the plans bring their operands along.
fn nothing() -> Input {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 1, 1);
    let plane = Plane::new(shape.planes[0], Depth::U8, vec![0]).unwrap();
    let clip = Clip::new(shape, vec![Frame { planes: vec![plane] }]).unwrap();
    Input::new(vec![clip]).unwrap()
}
