//! 64-bit integers as two `u32`, the low word first: the form in which WGSL, which has no `u64`, computes them. Signed ones
//! are in two's complement.
//!
//! The specification of every function is Rust's own arithmetic on `u64` and `i64`, as the table of [`FUNCTIONS`] states it.
//! The three Rust functions here take the same steps as their namesakes in `wide.wgsl`, for hosts that finish a sum.
//!
//! A quotient by zero is all ones, the remainder the dividend; −2^63 over −1 wraps. Nothing here loops.

use crate::chunk::Chunk;
use crate::functions::{Function, Kind, Rust};

/// `wide_add`, `wide_add_u32`, `wide_sub`, `wide_negate`, `wide_mul`, `wide_mul_low`, `wide_mul_full`, `wide_shift_left`,
/// `wide_shift_right`, `wide_shift_right_signed`, `wide_equal`, `wide_less`, `wide_less_signed`, `wide_min`, `wide_max`,
/// `wide_min_signed`, `wide_max_signed`, `wide_leading_zeros`, `wide_divide` and `wide_divide_signed`.
pub const CHUNK: Chunk = Chunk {
    name: "wide",
    needs: &[],
    source: include_str!("wide.wgsl"),
};

/// A 64-bit integer: the low word, then the high one.
pub type Wide = [u32; 2];

/// `a + b`, modulo 2^64.
pub const fn wide_add(a: Wide, b: Wide) -> Wide {
    let low = a[0].wrapping_add(b[0]);
    // The low word wrapped exactly if it came out below either term.
    let carry = (low < a[0]) as u32;
    [low, a[1].wrapping_add(b[1]).wrapping_add(carry)]
}

/// `a + b`, modulo 2^64.
pub const fn wide_add_u32(a: Wide, b: u32) -> Wide {
    wide_add(a, [b, 0])
}

/// `a · b`, whole.
pub const fn wide_mul(a: u32, b: u32) -> Wide {
    let (a_low, a_high) = (a & 0xffff, a >> 16);
    let (b_low, b_high) = (b & 0xffff, b >> 16);
    let low = a_low * b_low;
    // At most (2^16 − 1)^2 + 2^16 − 1, below 2^32; so is the next line, whose carry is below 2^16 too.
    let middle = a_high * b_low + (low >> 16);
    let cross = a_low * b_high + (middle & 0xffff);
    let high = a_high * b_high + (middle >> 16) + (cross >> 16);
    [(cross << 16) | (low & 0xffff), high]
}

const U: &[Kind] = &[Kind::U64; 2];
const I: &[Kind] = &[Kind::I64; 2];
const SHIFTED: &[Kind] = &[Kind::U64, Kind::U32];

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
        chunk: "wide",
        wgsl,
        operands,
        result,
        rust: Rust::Words(rust),
        domain: None,
    }
}

/// The functions of this chunk that are tested against Rust.
pub const FUNCTIONS: &[Function] = &[
    row("wide_add", "wide_add(a, b)", U, Kind::U64, |[a, b, _]| {
        a.wrapping_add(b)
    }),
    row("wide_add_u32", "wide_add_u32(a, b)", SHIFTED, Kind::U64, |[a, b, _]| {
        a.wrapping_add(b)
    }),
    row("wide_sub", "wide_sub(a, b)", U, Kind::U64, |[a, b, _]| {
        a.wrapping_sub(b)
    }),
    row("wide_negate", "wide_negate(a)", &[Kind::I64], Kind::I64, |[a, ..]| {
        a.wrapping_neg()
    }),
    row("wide_mul", "wide_mul(a, b)", &[Kind::U32; 2], Kind::U64, |[a, b, _]| {
        a * b
    }),
    row("wide_mul_low", "wide_mul_low(a, b)", U, Kind::U64, |[a, b, _]| {
        a.wrapping_mul(b)
    }),
    row(
        "wide_mul_full.low",
        "wide_mul_full(a, b).xy",
        U,
        Kind::U64,
        |[a, b, _]| a.wrapping_mul(b),
    ),
    row(
        "wide_mul_full.high",
        "wide_mul_full(a, b).zw",
        U,
        Kind::U64,
        |[a, b, _]| ((u128::from(a) * u128::from(b)) >> 64) as u64,
    ),
    row(
        "wide_shift_left",
        "wide_shift_left(a, b % 70u)",
        SHIFTED,
        Kind::U64,
        |[a, n, _]| a.checked_shl((n % 70) as u32).unwrap_or(0),
    ),
    row(
        "wide_shift_right",
        "wide_shift_right(a, b % 70u)",
        SHIFTED,
        Kind::U64,
        |[a, n, _]| a.checked_shr((n % 70) as u32).unwrap_or(0),
    ),
    row(
        "wide_shift_right_signed",
        "wide_shift_right_signed(a, b % 70u)",
        &[Kind::I64, Kind::U32],
        Kind::I64,
        |[a, n, _]| ((a as i64) >> (n % 70).min(63)) as u64,
    ),
    row("wide_equal", "wide_equal(a, b)", U, Kind::Bool, |[a, b, _]| {
        (a == b).into()
    }),
    row("wide_less", "wide_less(a, b)", U, Kind::Bool, |[a, b, _]| {
        (a < b).into()
    }),
    row(
        "wide_less_signed",
        "wide_less_signed(a, b)",
        I,
        Kind::Bool,
        |[a, b, _]| ((a as i64) < b as i64).into(),
    ),
    row("wide_min", "wide_min(a, b)", U, Kind::U64, |[a, b, _]| a.min(b)),
    row("wide_max", "wide_max(a, b)", U, Kind::U64, |[a, b, _]| a.max(b)),
    row("wide_min_signed", "wide_min_signed(a, b)", I, Kind::I64, |[a, b, _]| {
        (a as i64).min(b as i64) as u64
    }),
    row("wide_max_signed", "wide_max_signed(a, b)", I, Kind::I64, |[a, b, _]| {
        (a as i64).max(b as i64) as u64
    }),
    row(
        "wide_leading_zeros",
        "wide_leading_zeros(a)",
        &[Kind::U64],
        Kind::U32,
        |[a, ..]| a.leading_zeros().into(),
    ),
    row(
        "wide_divide.quotient",
        "wide_divide(a, b).xy",
        U,
        Kind::U64,
        |[a, b, _]| a.checked_div(b).unwrap_or(u64::MAX),
    ),
    row(
        "wide_divide.remainder",
        "wide_divide(a, b).zw",
        U,
        Kind::U64,
        |[a, b, _]| a.checked_rem(b).unwrap_or(a),
    ),
    row(
        "wide_divide_signed.quotient",
        "wide_divide_signed(a, b).xy",
        I,
        Kind::I64,
        |[a, b, _]| match b as i64 {
            0 => u64::MAX,
            b => (a as i64).wrapping_div(b) as u64,
        },
    ),
    row(
        "wide_divide_signed.remainder",
        "wide_divide_signed(a, b).zw",
        I,
        Kind::I64,
        |[a, b, _]| match b as i64 {
            0 => a,
            b => (a as i64).wrapping_rem(b) as u64,
        },
    ),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn wide(value: u64) -> Wide {
        [value as u32, (value >> 32) as u32]
    }

    /// Values among which carries are frequent.
    fn words() -> impl Strategy<Value = u32> {
        prop_oneof![
            any::<u32>(),
            0..4u32,
            (0..4u32).prop_map(|v| u32::MAX - v),
            Just(0xffff),
            Just(0x1_0000)
        ]
    }

    proptest! {
        #[test]
        fn sums_are_those_of_u64(a in [words(), words()], b in [words(), words()]) {
            let value = |w: Wide| u64::from(w[1]) << 32 | u64::from(w[0]);
            prop_assert_eq!(wide_add(a, b), wide(value(a).wrapping_add(value(b))));
            prop_assert_eq!(wide_add_u32(a, b[0]), wide(value(a).wrapping_add(u64::from(b[0]))));
        }

        #[test]
        fn products_are_those_of_u64(a in words(), b in words()) {
            prop_assert_eq!(wide_mul(a, b), wide(u64::from(a) * u64::from(b)));
        }
    }
}
