//! How long shared functions take: exact, WGSL's own counterpart, and Rust, each inside the same loop over the same operands.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use isobit::execution::DeviceKind;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::Plan;
use isobit_exact::functions::{Function, Kind, Rust, all};
use isobit_exact::seal::two_product;
use isobit_exact::{JoinError, join};
use isobit_gate::cost::FunctionCost;

use super::REFERENCE_RUNS;
use crate::client::Worker;

/// Evaluations an invocation, so that loads and the store are small beside them. A power of two: the lowest bits of the
/// operands run through that many values.
const EVALUATIONS: u32 = 16;
/// Invocations of a workgroup; divides the number of invocations.
const WORKGROUP: u32 = 64;
/// Columns and rows of the operands on a GPU.
const HARDWARE: [u32; 2] = [1024, 1024];
/// Columns and rows of the operands on a CPU that plays one.
const SOFTWARE: [u32; 2] = [256, 256];

/// A function of the shared table and what it is measured against.
#[derive(Debug)]
pub struct Subject {
    /// Its name in the table.
    pub name: &'static str,
    /// What a kernel would write that does without exactness, over the f32 `a` and `b`; `None` where WGSL has nothing alike.
    native: Option<&'static str>,
    /// Least and greatest operands, all normal numbers.
    bounds: &'static [[f32; 2]],
    /// The Rust side over f32 where the table has it over words, whose passing would take longer than the function.
    rust: Option<Rust>,
}

const fn subject(name: &'static str, native: Option<&'static str>, bounds: &'static [[f32; 2]]) -> Subject {
    Subject {
        name,
        native,
        bounds,
        rust: None,
    }
}

const ANY: [f32; 2] = [-100.0, 100.0];
const POSITIVE: [f32; 2] = [0.01, 1000.0];
const ANGLE: [f32; 2] = [-50.0, 50.0];

/// Everything that is measured, in the order of the table.
pub const SUBJECTS: &[Subject] = &[
    subject("seal_add", Some("a + b"), &[ANY, ANY]),
    subject("seal_sub", Some("a - b"), &[ANY, ANY]),
    subject("seal_mul", Some("a * b"), &[ANY, ANY]),
    subject("two_product", None, &[ANY, ANY]).with(Rust::Binary(|a, b| fold(two_product(a, b)))),
    subject("soft_add", Some("a + b"), &[ANY, ANY]).with(Rust::Binary(|a, b| a + b)),
    subject("soft_sub", Some("a - b"), &[ANY, ANY]).with(Rust::Binary(|a, b| a - b)),
    subject("soft_mul", Some("a * b"), &[ANY, ANY]).with(Rust::Binary(|a, b| a * b)),
    subject("soft_div", Some("a / b"), &[ANY, POSITIVE]).with(Rust::Binary(|a, b| a / b)),
    subject("soft_sqrt", Some("sqrt(a)"), &[POSITIVE]).with(Rust::Unary(f32::sqrt)),
    subject("divide", Some("a / b"), &[ANY, POSITIVE]),
    subject("square_root", Some("sqrt(a)"), &[POSITIVE]),
    subject("exp", Some("exp(a)"), &[[-20.0, 20.0]]),
    subject("exp2", Some("exp2(a)"), &[[-20.0, 20.0]]),
    subject("log", Some("log(a)"), &[POSITIVE]),
    subject("log2", Some("log2(a)"), &[POSITIVE]),
    subject("log10", Some("log(a) * 0.4342945"), &[POSITIVE]),
    subject("pow", Some("pow(a, b)"), &[[0.01, 10.0], [-4.0, 4.0]]),
    subject("sin", Some("sin(a)"), &[ANGLE]),
    subject("cos", Some("cos(a)"), &[ANGLE]),
    subject("atan2", Some("atan2(a, b)"), &[ANY, ANY]),
    subject("hypot", Some("length(vec2<f32>(a, b))"), &[ANY, ANY]),
    subject("cbrt", Some("pow(a, 0.33333334)"), &[POSITIVE]),
];

/// Both parts of a pair in one word, as the device folds them.
fn fold([first, second]: [f32; 2]) -> f32 {
    f32::from_bits(first.to_bits() ^ second.to_bits())
}

impl Subject {
    const fn with(mut self, rust: Rust) -> Self {
        self.rust = Some(rust);
        self
    }

    /// The costs on the adapter that `worker` has open.
    ///
    /// # Errors
    /// If the table does not hold the function, or a plan does not run.
    pub fn measure(
        &self,
        worker: &mut Worker,
        kind: DeviceKind,
        rounds: usize,
        limit: Duration,
    ) -> Result<FunctionCost> {
        let [width, height] = if kind == DeviceKind::Cpu { SOFTWARE } else { HARDWARE };
        let function = self.function()?;
        let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::F32), width, height);
        let operands = self.operands((width * height) as usize);
        let clip = |values: &Vec<f32>| -> Result<Clip> {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let planes = vec![Plane::new(shape.planes[0], Depth::F32, bytes)?];
            Ok(Clip::new(shape.clone(), vec![Frame { planes }])?)
        };
        let input = Input::new(operands.iter().map(clip).collect::<Result<_>>()?)?;

        let count = width * height;
        let mut plans = vec![self.frame(count)?, self.exact(function, count)?];
        plans.extend(self.native(count)?);
        let times = worker.time(&plans, &input, rounds, limit)?;
        let evaluations = u64::from(count) * u64::from(EVALUATIONS);
        let each = |time: Duration| time.as_secs_f64() * 1e9 / evaluations as f64;
        Ok(FunctionCost {
            function: self.name.to_owned(),
            native: self.native.map(str::to_owned),
            operands: self.bounds.len(),
            evaluations,
            frame_ns: each(times[0]),
            native_ns: times.get(2).copied().map(each),
            exact_ns: each(times[1]),
            reference_ns: each(reference(self.rust.unwrap_or(function.rust), &operands)),
        })
    }

    fn function(&self) -> Result<&'static Function> {
        let found = all().find(|function| function.name == self.name);
        found.with_context(|| format!("the shared functions hold no `{}`", self.name))
    }

    /// Noise between the bounds of each operand.
    fn operands(&self, count: usize) -> Vec<Vec<f32>> {
        let mut state = 1_u64;
        let mut noise = || {
            state = state
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(0x1405_7B7E_F767_814F);
            // The middle of a step, so that no bound and no zero between the bounds is hit.
            ((state >> 41) as f64 + 0.5) / f64::from(1 << 23)
        };
        let mut between = |[low, high]: [f32; 2]| (f64::from(low) + noise() * f64::from(high - low)) as f32;
        let each = |&bounds: &[f32; 2]| (0..count).map(|_| between(bounds)).collect();
        self.bounds.iter().map(each).collect()
    }

    /// The loop around the function alone.
    fn frame(&self, count: u32) -> Result<Plan, JoinError> {
        let bits = if self.bounds.len() == 1 { "a" } else { "a ^ b" };
        self.plan(&["grid"], Kind::F32Bits, bits, count)
    }

    fn native(&self, count: u32) -> Result<Option<Plan>, JoinError> {
        let plan = |wgsl: &str| self.plan(&["grid"], Kind::F32, &format!("bitcast<u32>({wgsl})"), count);
        self.native.map(plan).transpose()
    }

    fn exact(&self, function: &Function, count: u32) -> Result<Plan, JoinError> {
        let wgsl = function.wgsl;
        let bits = match function.result {
            Kind::F32 => format!("bitcast<u32>({wgsl})"),
            Kind::Pair => format!("fold(bitcast<vec2<u32>>({wgsl}))"),
            _ => wgsl.to_owned(),
        };
        self.plan(&[function.chunk, "grid"], function.operands[0], &bits, count)
    }

    /// A plan that evaluates `bits`, a `u32` over operands of kind `kind`, for each invocation's operands with their lowest
    /// bits changed from turn to turn; the results are added, so that none can be left out.
    fn plan(&self, chunks: &[&str], kind: Kind, bits: &str, count: u32) -> Result<Plan, JoinError> {
        let names = &["a", "b"][..self.bounds.len()];
        let (mut bindings, mut loads, mut operands) = (String::new(), String::new(), String::new());
        for (index, name) in names.iter().enumerate() {
            let slot = index + 2;
            bindings += &format!("@group(0) @binding({slot}) var<storage, read> operands_{name}: array<u32>;\n");
            loads += &format!("    let word_{name} = operands_{name}[index];\n");
            operands += &match kind {
                Kind::F32 => format!("        let {name} = bitcast<f32>(word_{name} ^ turn);\n"),
                _ => format!("        let {name} = word_{name} ^ turn;\n"),
            };
        }
        let body = format!(
            "@group(0) @binding(0) var<uniform> run: vec4<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
{bindings}
fn fold(words: vec2<u32>) -> u32 {{
    return words.x ^ words.y;
}}

@compute @workgroup_size({WORKGROUP})
fn evaluate(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {{
    let index = grid_invocation(workgroup, local, {WORKGROUP}u);
    if index >= run.x {{
        return;
    }}
{loads}    var result = 0u;
    for (var turn = 0u; turn < {EVALUATIONS}u; turn += 1u) {{
{operands}        result += {bits};
    }}
    results[index] = result;
}}
"
        );
        let mut plan = Plan::new(join(chunks, &body)?)
            .uniform("run", &[count, 0, 0, 0])
            .output("results", count.into(), 4);
        let mut buffers = vec!["run", "results"];
        for (clip, &name) in names.iter().enumerate() {
            plan = plan.input(name, clip, 0, count as usize * 4);
            buffers.push(name);
        }
        Ok(plan.dispatch("evaluate", &buffers, count.div_ceil(WORKGROUP).into()))
    }
}

/// Rust's time for what the device computes, on one core.
fn reference(rust: Rust, operands: &[Vec<f32>]) -> Duration {
    let mut times = Vec::new();
    for _ in 0..REFERENCE_RUNS {
        let started = Instant::now();
        black_box(sum(rust, &operands[0], operands.get(1).unwrap_or(&operands[0])));
        times.push(started.elapsed());
    }
    times.sort_unstable();
    times[REFERENCE_RUNS / 2]
}

/// The sum of the results, each folded to a word, over all turns of all operands.
fn sum(rust: Rust, a: &[f32], b: &[f32]) -> u32 {
    match rust {
        Rust::Unary(rust) => turns(a, b, |a, _| rust(f32::from_bits(a)).to_bits()),
        Rust::Binary(rust) => turns(a, b, |a, b| rust(f32::from_bits(a), f32::from_bits(b)).to_bits()),
        Rust::Words(rust) => turns(a, b, |a, b| {
            let word = rust([a.into(), b.into(), 0]);
            word as u32 ^ (word >> 32) as u32
        }),
    }
}

fn turns(a: &[f32], b: &[f32], function: impl Fn(u32, u32) -> u32) -> u32 {
    let mut sum = 0_u32;
    for (a, b) in a.iter().zip(b) {
        for turn in 0..EVALUATIONS {
            sum = sum.wrapping_add(function(a.to_bits() ^ turn, b.to_bits() ^ turn));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use isobit_exact::math;

    use super::*;

    #[test]
    fn subjects_are_functions_of_the_table_over_as_many_operands() {
        for subject in SUBJECTS {
            let function = subject.function().unwrap();
            assert_eq!(function.operands.len(), subject.bounds.len(), "`{}`", subject.name);
            assert!(
                function
                    .operands
                    .iter()
                    .all(|kind| [Kind::F32, Kind::F32Bits].contains(kind)),
                "`{}`",
                subject.name
            );
        }
    }

    #[test]
    fn every_elementary_function_is_measured_beside_a_native_one() {
        for function in math::FUNCTIONS {
            let subject = SUBJECTS.iter().find(|subject| subject.name == function.name);
            assert!(
                subject.is_some_and(|subject| subject.native.is_some()),
                "`{}`",
                function.name
            );
        }
    }

    #[test]
    fn operands_lie_in_the_domain_whatever_their_lowest_bits_are() {
        for subject in SUBJECTS {
            let function = subject.function().unwrap();
            let operands = subject.operands(1 << 10);
            let second = operands.get(1).unwrap_or(&operands[0]);
            for (a, b) in operands[0].iter().zip(second) {
                for turn in 0..EVALUATIONS {
                    let words = [a, b].map(|value| f32::from_bits(value.to_bits() ^ turn));
                    let normal = words.iter().all(|value| value.is_normal());
                    let [a, b] = words.map(|value| u64::from(value.to_bits()));
                    let inside = function.domain.is_none_or(|domain| (domain.holds)([a, b, 0]));
                    assert!(normal && inside, "`{}` of {words:?}", subject.name);
                }
            }
        }
    }

    #[test]
    fn a_rust_side_over_f32_returns_what_the_table_does() {
        for subject in SUBJECTS {
            let table = subject.function().unwrap().rust;
            assert!(
                subject.rust.is_some() == matches!(table, Rust::Words(_)),
                "`{}`",
                subject.name
            );
            let operands = subject.operands(1 << 10);
            let second = operands.get(1).unwrap_or(&operands[0]);
            let of = |rust| sum(rust, &operands[0], second);
            assert_eq!(of(subject.rust.unwrap_or(table)), of(table), "`{}`", subject.name);
        }
    }

    #[test]
    fn both_sides_and_the_frame_share_all_but_the_expression() {
        for subject in SUBJECTS {
            let exact = subject.exact(subject.function().unwrap(), 64).unwrap();
            let others = [subject.native(64).unwrap(), Some(subject.frame(64).unwrap())];
            for other in others.into_iter().flatten() {
                assert_eq!(other.buffers, exact.buffers, "`{}`", subject.name);
                assert_eq!(other.steps, exact.steps, "`{}`", subject.name);
            }
        }
    }
}
