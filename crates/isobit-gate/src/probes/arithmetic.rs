//! Probes of float arithmetic: fusing, rewriting, rounding, subnormals, NaN.

use isobit::execution::Readback;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::Plan;

use super::Set;
use crate::report::ProbeReport;

/// Samples of each probe.
pub(super) const SAMPLES: u32 = 1 << 16;

/// 2^64 as a float: lifts every subnormal into the normal range.
const LIFT: f32 = 18_446_744_073_709_551_616.0;
/// 2^-3 as a float: takes the least normal numbers out of it.
const SINK: f32 = 0.125;

/// What the host computes for one sample.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    /// Of `a*b+c`.
    pub(super) sum: Both,
    /// Of `fma(a, b, c)`.
    pub(super) fma: Both,
    /// Of the other float probes of the shader, in its order.
    pub(super) plain: [f32; 8],
}

/// The two values that a multiply-add may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Both {
    /// Product and sum rounded separately.
    pub(super) twice: f32,
    /// The sum alone rounded.
    pub(super) once: f32,
}

impl Both {
    fn of(operands: [f32; 3], twice: fn([f32; 3]) -> f32, once: fn([f32; 3]) -> f32) -> Self {
        Self {
            twice: twice(operands),
            once: once(operands),
        }
    }
}

/// The probes of this module.
pub(super) fn set() -> Set {
    let results = u64::from(SAMPLES) * 11;
    let plan = Plan::new(include_str!("arithmetic.wgsl"))
        .output("results", results, 4)
        .uniform("runtime", &[SAMPLES, 0, LIFT.to_bits(), SINK.to_bits()])
        .dispatch("main", &["results", "runtime"], u64::from(SAMPLES) / 64);
    Set {
        plan,
        input: input(),
        names: &[
            "multiply-add",
            "fma",
            "distribution",
            "seal",
            "division",
            "square-root",
            "from-u32",
            "subnormals",
            "nan",
        ],
        judge,
    }
}

/// The shader takes its values from their indices, but an input has at least one sample.
fn input() -> Input {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 1, 1);
    let plane = Plane::new(shape.planes[0], Depth::U8, vec![0]);
    let clip = plane.and_then(|plane| Clip::new(shape, vec![Frame { planes: vec![plane] }]));
    match clip.map(|clip| Input::new(vec![clip])) {
        Ok(Ok(input)) => input,
        _ => unreachable!("one byte is a plane of one sample"),
    }
}

/// The same as in the shader.
fn hash(seed: u32) -> u32 {
    let x = seed.wrapping_mul(0x9e37_79b1);
    let x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    let x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    x ^ (x >> 16)
}

/// The same as in the shader.
fn unit(seed: u32) -> f32 {
    let x = hash(seed);
    f32::from_bits((x & 0x8000_0000) | ((119 + ((x >> 23) & 7)) << 23) | (x & 0x007f_ffff))
}

/// What the host computes for sample `i`.
pub(super) fn sample(i: u32) -> Expected {
    let operands = |probe: u32| [0, 1, 2].map(|operand| unit((probe * SAMPLES + i) * 3 + operand));
    let separate = |[a, b, c]: [f32; 3]| a * b + c;
    let distributed = |[a, b, c]: [f32; 3]| a * b + a * c;
    let fused = |[a, b, c]: [f32; 3]| a.mul_add(b, c);
    let quotient = |[a, b, _]: [f32; 3]| a / b;
    let root = |[a, _, _]: [f32; 3]| a.abs().sqrt();
    let subnormal = f32::from_bits(hash(i) & 0x007f_ffff);
    let least = f32::from_bits(0x0080_0000 | (hash(i) & 0x007f_ffff));
    Expected {
        sum: Both::of(operands(0), separate, fused),
        fma: Both::of(operands(1), separate, fused),
        plain: [
            distributed(operands(2)),
            separate(operands(3)),
            distributed(operands(4)),
            quotient(operands(5)),
            root(operands(6)),
            hash(i) as f32,
            subnormal * LIFT,
            least * SINK,
        ],
    }
}

/// How the device's values of a probe relate to the host's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    /// Values whose bits differ.
    differ: u32,
    /// Values that are zero where the host's is not.
    zeros: u32,
    /// The greatest distance in units in the last place.
    ulps: u32,
}

impl Tally {
    fn of(pairs: impl Iterator<Item = (u32, f32)>) -> Self {
        let mut tally = Self::default();
        for (found, expected) in pairs {
            let found = f32::from_bits(found);
            if found.to_bits() != expected.to_bits() {
                tally.differ += 1;
                tally.zeros += u32::from(found == 0.0 && expected != 0.0);
                tally.ulps = tally.ulps.max(place(found).abs_diff(place(expected)));
            }
        }
        tally
    }

    /// In words, for an operation that should be rounded correctly.
    fn rounding(self) -> String {
        match self.differ {
            0 => "correctly rounded".to_owned(),
            differ => format!("up to {} ULP off, in {differ} of {SAMPLES}", self.ulps),
        }
    }
}

/// The index of a float among all floats in order, both zeros the same.
fn place(x: f32) -> i32 {
    let magnitude = (x.to_bits() & 0x7fff_ffff) as i32;
    if x.is_sign_negative() { -magnitude } else { magnitude }
}

fn judge(readback: &Readback) -> Result<Vec<ProbeReport>, String> {
    let results = readback.u32s("results").map_err(|error| error.to_string())?;
    let probes: Vec<&[u32]> = results.chunks_exact(SAMPLES as usize).collect();
    let &[
        sum,
        fma,
        distributed,
        sealed_sum,
        sealed_distributed,
        quotient,
        root,
        converted,
        lifted,
        sunk,
        nan,
    ] = &probes[..]
    else {
        return Err(format!("{} results came back", results.len()));
    };
    let samples: Vec<Expected> = (0..SAMPLES).map(sample).collect();
    let of = |found: &[u32], expected: &dyn Fn(&Expected) -> f32| {
        Tally::of(found.iter().copied().zip(samples.iter().map(expected)))
    };
    let plain = |found: &[u32], probe: usize| of(found, &|sample| sample.plain[probe]);

    let findings = [
        (
            "multiply-add",
            multiply_add("a*b+c", of(sum, &|s| s.sum.twice), of(sum, &|s| s.sum.once)),
        ),
        (
            "fma",
            multiply_add("fma(a, b, c)", of(fma, &|s| s.fma.twice), of(fma, &|s| s.fma.once)),
        ),
        (
            "distribution",
            match plain(distributed, 0).differ {
                0 => "a*b+a*c is computed as written".to_owned(),
                differ => format!("a*b+a*c is rewritten: {differ} of {SAMPLES} differ"),
            },
        ),
        (
            "seal",
            match plain(sealed_sum, 1).differ + plain(sealed_distributed, 2).differ {
                0 => "sealed a*b+c and a*b+a*c are computed as written".to_owned(),
                differ => format!("sealing does not hold: {differ} of {} differ", 2 * SAMPLES),
            },
        ),
        ("division", plain(quotient, 3).rounding()),
        ("square-root", plain(root, 4).rounding()),
        ("from-u32", plain(converted, 5).rounding()),
        ("subnormals", subnormals(plain(lifted, 6), plain(sunk, 7))),
        (
            "nan",
            match nan.iter().filter(|&&told| told == 1).count() {
                0 => "x != x never tells a NaN".to_owned(),
                told if told == nan.len() => "x != x tells a NaN".to_owned(),
                told => format!("x != x tells a NaN in {told} of {SAMPLES}"),
            },
        ),
    ];
    let report = |(name, finding): (&str, String)| ProbeReport {
        name: name.to_owned(),
        finding,
        broken: false,
    };
    Ok(findings.into_iter().map(report).collect())
}

fn multiply_add(expression: &str, separate: Tally, fused: Tally) -> String {
    match (separate.differ, fused.differ) {
        (0, _) => format!("{expression} is rounded twice"),
        (_, 0) => format!("{expression} is fused"),
        (twice, once) => {
            format!("{expression} is neither: {twice} of {SAMPLES} differ from two roundings, {once} from one")
        }
    }
}

fn subnormals(inputs: Tally, results: Tally) -> String {
    let fate = |tally: Tally| match tally {
        Tally { differ: 0, .. } => "kept".to_owned(),
        Tally { differ, zeros, .. } if differ == zeros => format!("flushed to zero ({zeros} of {SAMPLES})"),
        Tally { differ, .. } => format!("wrong ({differ} of {SAMPLES})"),
    };
    format!("inputs {}, results {}", fate(inputs), fate(results))
}
