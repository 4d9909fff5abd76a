//! IEEE 754 binary32 in `u32` arithmetic, for what sealed arithmetic does not reach: subnormals on drivers that flush them,
//! division, square root, comparison with NaN, conversions.
//!
//! The specification is Rust's own arithmetic, which is IEEE: each function here is the native operation on the numbers with
//! those bits. Rounding is to nearest even, subnormals are kept, and every NaN that is returned is the canonical one,
//! 0x7fc00000, whatever NaN went in; IEEE leaves its bits open, and Rust does too. Integer conversions are those of Rust's
//! `as`: towards zero, the nearest limit beyond the range, zero for NaN.
//!
//! Exact for all operands on every device: there is no float operation in the chunk. `soft_sqrt` loops 25 times and
//! `soft_div` three times; nothing else loops.

use half::f16;

use crate::chunk::Chunk;
use crate::functions::{Function, Kind, Rust};

/// `soft_is_nan`, `soft_negate`, `soft_add`, `soft_sub`, `soft_mul`, `soft_div`, `soft_sqrt`, `soft_equal`, `soft_less`,
/// `soft_less_equal`, `soft_min`, `soft_max`, `soft_from_u32`, `soft_from_i32`, `soft_from_u64`, `soft_from_i64`,
/// `soft_to_u32`, `soft_to_i32`, `soft_to_u64`, `soft_to_i64`, `soft_round_even`, `soft_round_away`, `soft_trunc`,
/// `soft_floor`, `soft_ceil`, `soft_to_f16` and `soft_from_f16`.
pub const CHUNK: Chunk = Chunk {
    name: "soft",
    needs: &["wide"],
    source: include_str!("soft.wgsl"),
};

/// The lesser of `a` and `b` as IEEE 754-2019 defines `minimumNumber`: a number rather than NaN, −0 rather than +0.
pub fn soft_min(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() { b } else { a };
    }
    // Numbers that are not NaN are in total order, zeros included.
    if a.total_cmp(&b).is_le() { a } else { b }
}

/// The greater of `a` and `b` as IEEE 754-2019 defines `maximumNumber`: a number rather than NaN, +0 rather than −0.
pub fn soft_max(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() { b } else { a };
    }
    if a.total_cmp(&b).is_ge() { a } else { b }
}

/// The nearest f16, ties to even.
pub fn soft_to_f16(a: f32) -> f16 {
    f16::from_f32_const(a)
}

/// The f32 of the same value.
pub fn soft_from_f16(a: f16) -> f32 {
    a.to_f32_const()
}

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
        chunk: "soft",
        wgsl,
        operands,
        result,
        rust: Rust::Words(rust),
        domain: None,
    }
}

const fn f(word: u64) -> f32 {
    f32::from_bits(word as u32)
}

const fn bits(value: f32) -> u64 {
    value.to_bits() as u64
}

const ONE: &[Kind] = &[Kind::F32Bits];
const TWO: &[Kind] = &[Kind::F32Bits; 2];
const RESULT: Kind = Kind::F32Bits;

/// The functions of this chunk that are tested against Rust.
pub const FUNCTIONS: &[Function] = &[
    row("soft_is_nan", "soft_is_nan(a)", ONE, Kind::Bool, |[a, ..]| {
        f(a).is_nan().into()
    }),
    row("soft_negate", "soft_negate(a)", ONE, RESULT, |[a, ..]| bits(-f(a))),
    row("soft_add", "soft_add(a, b)", TWO, RESULT, |[a, b, _]| bits(f(a) + f(b))),
    row("soft_sub", "soft_sub(a, b)", TWO, RESULT, |[a, b, _]| bits(f(a) - f(b))),
    row("soft_mul", "soft_mul(a, b)", TWO, RESULT, |[a, b, _]| bits(f(a) * f(b))),
    row("soft_div", "soft_div(a, b)", TWO, RESULT, |[a, b, _]| bits(f(a) / f(b))),
    row("soft_sqrt", "soft_sqrt(a)", ONE, RESULT, |[a, ..]| bits(f(a).sqrt())),
    row("soft_equal", "soft_equal(a, b)", TWO, Kind::Bool, |[a, b, _]| {
        (f(a) == f(b)).into()
    }),
    row("soft_less", "soft_less(a, b)", TWO, Kind::Bool, |[a, b, _]| {
        (f(a) < f(b)).into()
    }),
    row(
        "soft_less_equal",
        "soft_less_equal(a, b)",
        TWO,
        Kind::Bool,
        |[a, b, _]| (f(a) <= f(b)).into(),
    ),
    row("soft_min", "soft_min(a, b)", TWO, RESULT, |[a, b, _]| {
        bits(soft_min(f(a), f(b)))
    }),
    row("soft_max", "soft_max(a, b)", TWO, RESULT, |[a, b, _]| {
        bits(soft_max(f(a), f(b)))
    }),
    row("soft_from_u32", "soft_from_u32(a)", &[Kind::U32], RESULT, |[a, ..]| {
        bits(a as u32 as f32)
    }),
    row("soft_from_i32", "soft_from_i32(a)", &[Kind::I32], RESULT, |[a, ..]| {
        bits(a as u32 as i32 as f32)
    }),
    row("soft_from_u64", "soft_from_u64(a)", &[Kind::U64], RESULT, |[a, ..]| {
        bits(a as f32)
    }),
    row("soft_from_i64", "soft_from_i64(a)", &[Kind::I64], RESULT, |[a, ..]| {
        bits(a as i64 as f32)
    }),
    row("soft_to_u32", "soft_to_u32(a)", ONE, Kind::U32, |[a, ..]| {
        (f(a) as u32).into()
    }),
    row("soft_to_i32", "soft_to_i32(a)", ONE, Kind::I32, |[a, ..]| {
        (f(a) as i32 as u32).into()
    }),
    row("soft_to_u64", "soft_to_u64(a)", ONE, Kind::U64, |[a, ..]| f(a) as u64),
    row("soft_to_i64", "soft_to_i64(a)", ONE, Kind::I64, |[a, ..]| {
        f(a) as i64 as u64
    }),
    row("soft_round_even", "soft_round_even(a)", ONE, RESULT, |[a, ..]| {
        bits(f(a).round_ties_even())
    }),
    row("soft_round_away", "soft_round_away(a)", ONE, RESULT, |[a, ..]| {
        bits(f(a).round())
    }),
    row("soft_trunc", "soft_trunc(a)", ONE, RESULT, |[a, ..]| bits(f(a).trunc())),
    row("soft_floor", "soft_floor(a)", ONE, RESULT, |[a, ..]| bits(f(a).floor())),
    row("soft_ceil", "soft_ceil(a)", ONE, RESULT, |[a, ..]| bits(f(a).ceil())),
    row("soft_to_f16", "soft_to_f16(a)", ONE, Kind::F16Bits, |[a, ..]| {
        soft_to_f16(f(a)).to_bits().into()
    }),
    row(
        "soft_from_f16",
        "soft_from_f16(a)",
        &[Kind::F16Bits],
        RESULT,
        |[a, ..]| bits(soft_from_f16(f16::from_bits(a as u16))),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_nan_have_their_place_among_extremes() {
        let case = |a: f32, b: f32| (soft_min(a, b).to_bits(), soft_max(a, b).to_bits());
        let (zero, minus_zero) = (0f32.to_bits(), (-0f32).to_bits());
        assert_eq!(case(0.0, -0.0), (minus_zero, zero));
        assert_eq!(case(-0.0, 0.0), (minus_zero, zero));
        assert_eq!(case(f32::NAN, 1.0), (1f32.to_bits(), 1f32.to_bits()));
        assert_eq!(case(1.0, f32::NAN), (1f32.to_bits(), 1f32.to_bits()));
        assert!(soft_min(f32::NAN, f32::NAN).is_nan() && soft_max(f32::NAN, f32::NAN).is_nan());
    }
}
