//! IEEE 754 binary64 in `u32` arithmetic, for devices that have no f64: what the `soft` chunk does for f32.
//!
//! The specification is Rust's own f64 arithmetic. Rounding is to nearest even, subnormals are kept, and every NaN that is
//! returned is the canonical one, 0x7ff8000000000000. Integer conversions are those of Rust's `as`. A conversion to f16 rounds
//! once: an f32 between the two, rounded to odd, keeps on which side of every tie of f16 the number lies (Boldo and
//! Melquiond 2008).
//!
//! Exact for all operands on every device: there is no float operation in the chunk. `soft64_sqrt` loops 54 times and
//! `soft64_div` five times; nothing else loops.

use half::f16;

use crate::chunk::Chunk;
use crate::functions::{Function, Kind, Rust};

/// `soft64_is_nan`, `soft64_negate`, `soft64_add`, `soft64_sub`, `soft64_mul`, `soft64_div`, `soft64_sqrt`,
/// `soft64_equal`, `soft64_less`, `soft64_less_equal`, `soft64_min`, `soft64_max`, `soft64_from_u32`, `soft64_from_i32`,
/// `soft64_from_u64`, `soft64_from_i64`, `soft64_from_f32`, `soft64_from_f16`, `soft64_to_u32`, `soft64_to_i32`,
/// `soft64_to_u64`, `soft64_to_i64`, `soft64_to_f32`, `soft64_to_f16`, `soft64_round_even`, `soft64_round_away`,
/// `soft64_trunc`, `soft64_floor` and `soft64_ceil`.
pub const CHUNK: Chunk = Chunk {
    name: "soft64",
    needs: &["wide", "soft"],
    source: include_str!("soft64.wgsl"),
};

/// The lesser of `a` and `b` as IEEE 754-2019 defines `minimumNumber`: a number rather than NaN, −0 rather than +0.
pub fn soft64_min(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() { b } else { a };
    }
    // Numbers that are not NaN are in total order, zeros included.
    if a.total_cmp(&b).is_le() { a } else { b }
}

/// The greater of `a` and `b` as IEEE 754-2019 defines `maximumNumber`: a number rather than NaN, +0 rather than −0.
pub fn soft64_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() { b } else { a };
    }
    if a.total_cmp(&b).is_ge() { a } else { b }
}

/// The nearest f16, ties to even, rounded once.
pub fn soft64_to_f16(a: f64) -> f16 {
    let nearest = a as f32;
    let bits = nearest.to_bits();
    let value = f64::from(nearest);
    // The neighbour towards zero with its last bit set, unless the f32 holds the number: the f32 rounded to odd.
    let odd = if value == a || a.is_nan() {
        bits
    } else {
        (bits - u32::from(value.abs() > a.abs())) | 1
    };
    f16::from_f32_const(f32::from_bits(odd))
}

/// The f64 of the same value.
pub fn soft64_from_f16(a: f16) -> f64 {
    a.to_f32_const().into()
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
    row("soft64_min", "soft64_min(a, b)", TWO, RESULT, |[a, b, _]| {
        soft64_min(d(a), d(b)).to_bits()
    }),
    row("soft64_max", "soft64_max(a, b)", TWO, RESULT, |[a, b, _]| {
        soft64_max(d(a), d(b)).to_bits()
    }),
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
    row(
        "soft64_from_f16",
        "soft64_from_f16(a)",
        &[Kind::F16Bits],
        RESULT,
        |[a, ..]| soft64_from_f16(f16::from_bits(a as u16)).to_bits(),
    ),
    row("soft64_to_f16", "soft64_to_f16(a)", ONE, Kind::F16Bits, |[a, ..]| {
        soft64_to_f16(d(a)).to_bits().into()
    }),
    row("soft64_round_even", "soft64_round_even(a)", ONE, RESULT, |[a, ..]| {
        d(a).round_ties_even().to_bits()
    }),
    row("soft64_round_away", "soft64_round_away(a)", ONE, RESULT, |[a, ..]| {
        d(a).round().to_bits()
    }),
    row("soft64_trunc", "soft64_trunc(a)", ONE, RESULT, |[a, ..]| {
        d(a).trunc().to_bits()
    }),
    row("soft64_floor", "soft64_floor(a)", ONE, RESULT, |[a, ..]| {
        d(a).floor().to_bits()
    }),
    row("soft64_ceil", "soft64_ceil(a)", ONE, RESULT, |[a, ..]| {
        d(a).ceil().to_bits()
    }),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn zeros_and_nan_have_their_place_among_extremes() {
        let case = |a: f64, b: f64| (soft64_min(a, b).to_bits(), soft64_max(a, b).to_bits());
        let (zero, minus_zero) = (0f64.to_bits(), (-0f64).to_bits());
        assert_eq!(case(0.0, -0.0), (minus_zero, zero));
        assert_eq!(case(-0.0, 0.0), (minus_zero, zero));
        assert_eq!(case(f64::NAN, 1.0), (1f64.to_bits(), 1f64.to_bits()));
        assert_eq!(case(1.0, f64::NAN), (1f64.to_bits(), 1f64.to_bits()));
        assert!(soft64_min(f64::NAN, f64::NAN).is_nan() && soft64_max(f64::NAN, f64::NAN).is_nan());
    }

    #[test]
    fn a_hair_beside_a_tie_of_f16_decides() {
        let tie = 1.0 + 2f64.powi(-11);
        let hair = 2f64.powi(-52);
        let bits = |a: f64| soft64_to_f16(a).to_bits();
        assert_eq!([tie - hair, tie, tie + hair].map(bits), [0x3c00, 0x3c00, 0x3c01]);
        let least = 2f64.powi(-25);
        assert_eq!([least.next_down(), least, least.next_up()].map(bits), [0, 0, 1]);
        assert_eq!(
            [65_520f64.next_down(), 65_520.0, f64::MAX].map(bits),
            [0x7bff, 0x7c00, 0x7c00]
        );
        assert_eq!(
            [-f64::INFINITY, -f64::MAX, -f64::from_bits(1)].map(bits),
            [0xfc00, 0xfc00, 0x8000]
        );
        assert!(soft64_to_f16(f64::NAN).is_nan());
    }

    proptest! {
        /// No f16 lies nearer than the one returned, and of two equally near ones it is even.
        #[test]
        fn conversion_to_f16_is_rounded_once(fraction in 0u64..1 << 52, short in 0u32..52, exponent in 995u64..1040, sign in 0u64..2) {
            let a = f64::from_bits(sign << 63 | exponent << 52 | (fraction >> short << short));
            let result = soft64_to_f16(a);
            prop_assume!(result.is_finite());
            let miss = |bits: u16| (f64::from(f16::from_bits(bits).to_f32_const()) - a).abs();
            let bits = result.to_bits();
            for neighbour in [bits.wrapping_add(1), bits.wrapping_sub(1)] {
                if f16::from_bits(neighbour).is_finite() {
                    let farther = miss(neighbour) > miss(bits) || (miss(neighbour) == miss(bits) && bits & 1 == 0);
                    prop_assert!(farther, "{a:e} became {bits:#x}, not {neighbour:#x}");
                }
            }
        }
    }
}
