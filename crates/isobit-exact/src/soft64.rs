//! IEEE 754 binary64 in `u32` arithmetic, for devices that have no f64: what the `soft` chunk does for f32.
//!
//! The specification is Rust's own f64 arithmetic. Rounding is to nearest even, subnormals are kept, and every NaN that is
//! returned is the canonical one, 0x7ff8000000000000. Integer conversions are those of Rust's `as`.
//!
//! Exact for all operands on every device: there is no float operation in the chunk. `soft64_sqrt` loops 54 times and
//! `soft64_div` five times; nothing else loops.

use crate::chunk::Chunk;
use crate::functions::{Function, Kind, Rust};

/// `soft64_is_nan`, `soft64_negate`, `soft64_add`, `soft64_sub`, `soft64_mul`, `soft64_div`, `soft64_sqrt`,
/// `soft64_equal`, `soft64_less`, `soft64_less_equal`, `soft64_from_u32`, `soft64_from_i32`, `soft64_from_u64`,
/// `soft64_from_i64`, `soft64_from_f32`, `soft64_to_u32`, `soft64_to_i32`, `soft64_to_u64`, `soft64_to_i64` and
/// `soft64_to_f32`.
pub const CHUNK: Chunk = Chunk {
    name: "soft64",
    needs: &["wide", "soft"],
    source: include_str!("soft64.wgsl"),
};

/// Declares a row of the table of functions in this chunk.
const fn row(
    name: &'static str,
    wgsl: &'static str,
    operands: &'static [Kind],
    result: Kind,
    rust: fn([u64; 3]) -> u64,
) -> Function {
    Function {
        name,
        chunk: "soft64",
        wgsl,
        operands,
        result,
        rust: Rust::Words(rust),
        domain: None,
    }
}

const fn d(word: u64) -> f64 {
    f64::from_bits(word)
}

const ONE: &[Kind] = &[Kind::F64Bits];
const TWO: &[Kind] = &[Kind::F64Bits; 2];
const RESULT: Kind = Kind::F64Bits;

/// The functions of this chunk that are tested against Rust.
pub const FUNCTIONS: &[Function] = &[
    row("soft64_is_nan", "soft64_is_nan(a)", ONE, Kind::Bool, |[a, ..]| {
        d(a).is_nan().into()
    }),
    row("soft64_negate", "soft64_negate(a)", ONE, RESULT, |[a, ..]| {
        (-d(a)).to_bits()
    }),
    row("soft64_add", "soft64_add(a, b)", TWO, RESULT, |[a, b, _]| {
        (d(a) + d(b)).to_bits()
    }),
    row("soft64_sub", "soft64_sub(a, b)", TWO, RESULT, |[a, b, _]| {
        (d(a) - d(b)).to_bits()
    }),
    row("soft64_mul", "soft64_mul(a, b)", TWO, RESULT, |[a, b, _]| {
        (d(a) * d(b)).to_bits()
    }),
    row("soft64_div", "soft64_div(a, b)", TWO, RESULT, |[a, b, _]| {
        (d(a) / d(b)).to_bits()
    }),
    row("soft64_sqrt", "soft64_sqrt(a)", ONE, RESULT, |[a, ..]| {
        d(a).sqrt().to_bits()
    }),
    row("soft64_equal", "soft64_equal(a, b)", TWO, Kind::Bool, |[a, b, _]| {
        (d(a) == d(b)).into()
    }),
    row("soft64_less", "soft64_less(a, b)", TWO, Kind::Bool, |[a, b, _]| {
        (d(a) < d(b)).into()
    }),
    row(
        "soft64_less_equal",
        "soft64_less_equal(a, b)",
        TWO,
        Kind::Bool,
        |[a, b, _]| (d(a) <= d(b)).into(),
    ),
    row(
        "soft64_from_u32",
        "soft64_from_u32(a)",
        &[Kind::U32],
        RESULT,
        |[a, ..]| f64::from(a as u32).to_bits(),
    ),
    row(
        "soft64_from_i32",
        "soft64_from_i32(a)",
        &[Kind::I32],
        RESULT,
        |[a, ..]| f64::from(a as u32 as i32).to_bits(),
    ),
    row(
        "soft64_from_u64",
        "soft64_from_u64(a)",
        &[Kind::U64],
        RESULT,
        |[a, ..]| (a as f64).to_bits(),
    ),
    row(
        "soft64_from_i64",
        "soft64_from_i64(a)",
        &[Kind::I64],
        RESULT,
        |[a, ..]| (a as i64 as f64).to_bits(),
    ),
    row(
        "soft64_from_f32",
        "soft64_from_f32(a)",
        &[Kind::F32Bits],
        RESULT,
        |[a, ..]| f64::from(f32::from_bits(a as u32)).to_bits(),
    ),
    row("soft64_to_u32", "soft64_to_u32(a)", ONE, Kind::U32, |[a, ..]| {
        (d(a) as u32).into()
    }),
    row("soft64_to_i32", "soft64_to_i32(a)", ONE, Kind::I32, |[a, ..]| {
        (d(a) as i32 as u32).into()
    }),
    row("soft64_to_u64", "soft64_to_u64(a)", ONE, Kind::U64, |[a, ..]| {
        d(a) as u64
    }),
    row("soft64_to_i64", "soft64_to_i64(a)", ONE, Kind::I64, |[a, ..]| {
        d(a) as i64 as u64
    }),
    row("soft64_to_f32", "soft64_to_f32(a)", ONE, Kind::F32Bits, |[a, ..]| {
        (d(a) as f32).to_bits().into()
    }),
];
