//! Running float sums formed on the device in the order of the reference.
//!
//! Float addition is not associative: a sum has the reference's bits only if the same terms are added in the same order.
//! A reference that is to have a twin therefore sums rows: the terms of each row from left to right, from zero on, then
//! the sums of rows from top to bottom, from zero on. The twin gives each row to one invocation and all sums of rows to
//! one invocation of the next dispatch. Rows do not depend on each other, and within a row and over the rows each addition
//! has the operands that it has in the reference; by induction over the additions, every partial sum is the reference's as
//! long as one addition is. This is so
//!
//! * for f32 by `ordered_add`, a sealed addition, as long as no term and no partial sum is subnormal on a driver that
//!   flushes them; a sum whose terms are zero or of magnitude 2^−102 at least meets none;
//! * for f64 by `ordered_add_f64`, IEEE addition in `u32`, for all terms.
//!
//! An invocation may loop 65,535 times at most, on the whole: rows of more terms, or more rows, need one more level, in the
//! reference too. Where terms are integers, a 64-bit sum (`wide_add`) is exact in any order and faster.
//!
//! # A running f64 sum in parallel
//!
//! A sum of terms that are not negative need not be formed term by term: while it stays in one binade, each term adds an
//! integer, and integers may be added in any order.
//!
//! Let the sum be `S·u`, where `u` is the unit in the last place of its binade and `S` an integer, 2^52 ≤ S < 2^53, and let
//! the next term be `x·u`, x ≥ 0. If `S + x` < 2^53, IEEE addition rounds it to the nearest integer. That is `S` and the
//! integer `d` nearest to `x`, unless `x` lies halfway between two, where the parity of `S` would decide; such a term is
//! refused. So `d` does not depend on `S`. The sums never fall, hence if the first one plus all `d` of a block of terms
//! is below 2^53, every sum between them was: each is at most the last, and `S + x` is at most half a unit above the sum that
//! it is rounded to, so below 2^53 too. By induction the sum after the block is the first one plus the sum of all `d`,
//! and the bits of an f64 count its units: they are the first sum's bits plus that integer.
//!
//! The device therefore guesses the binade in which a block begins, from sums of any precision, forms the increments of
//! each block under its guess, joins them in any order (`ordered_increment`, `ordered_join`), and one invocation walks over
//! the blocks with `ordered_advance`. It refuses where the guess was wrong, where the block leaves the binade, and where
//! a term was refused; there the terms are added one by one with `soft64_add`. The result does not depend on the
//! guesses, only the time does. A sum crosses a binade's end at most once for each doubling, so few blocks are refused.

use crate::chunk::Chunk;
use crate::functions::{Domain, Function, Kind, Rust};
use crate::seal::sum_is_normal;

/// `ordered_add`, `ordered_add_f64`, `ordered_binade`, `ordered_increment`, `ordered_join` and `ordered_advance`.
pub const CHUNK: Chunk = Chunk {
    name: "ordered",
    needs: &["seal", "soft64"],
    source: include_str!("ordered.wgsl"),
};

/// The sum of rows of `width` terms each, in f32.
///
/// # Panics
/// If `width` is zero.
pub fn ordered_sum(terms: &[f32], width: usize) -> f32 {
    let row = |row: &[f32]| row.iter().fold(0.0, |sum, &term| sum + term);
    terms.chunks(width).fold(0.0, |sum, terms| sum + row(terms))
}

/// The sum of rows of `width` terms each, in f64.
///
/// # Panics
/// If `width` is zero.
pub fn ordered_sum_f64(terms: &[f32], width: usize) -> f64 {
    let row = |row: &[f32]| row.iter().fold(0.0, |sum, &term| sum + f64::from(term));
    terms.chunks(width).fold(0.0, |sum, terms| sum + row(terms))
}

/// The exponent field of a positive normal number; zero for all others, whose sums no increment continues.
pub const fn ordered_binade(sum: f64) -> u32 {
    let bits = sum.to_bits();
    let field = (bits >> 52) as u32;
    if field < 2047 { field } else { 0 }
}

/// What a block of terms adds to a sum in one binade, in units in the last place of the sum; `None` if refused.
pub type Increment = Option<u64>;

/// What `term` adds to a sum in `binade`: refused if it is negative or a tie, or reaches that binade itself.
pub const fn ordered_increment(binade: u32, term: f64) -> Increment {
    let bits = term.to_bits();
    let magnitude = bits & (u64::MAX >> 1);
    if binade == 0 || (bits != magnitude && magnitude != 0) {
        return None;
    }
    let field = (magnitude >> 52) as u32;
    let exponent = if field == 0 { 1 } else { field };
    if exponent >= binade {
        return None;
    }
    let fraction = magnitude & ((1 << 52) - 1);
    let significand = if field == 0 { fraction } else { fraction | 1 << 52 };
    let below = binade - exponent;
    // Less than half a unit.
    if below > 53 {
        return Some(0);
    }
    let kept = significand >> below;
    let rest = significand - (kept << below);
    let half = 1 << (below - 1);
    if rest == half {
        return None;
    }
    Some(kept + (rest > half) as u64)
}

/// What two blocks add together; refused if either is, or if any sum in the binade would leave it.
pub const fn ordered_join(a: Increment, b: Increment) -> Increment {
    match (a, b) {
        (Some(a), Some(b)) if a + b < 1 << 52 => Some(a + b),
        _ => None,
    }
}

/// The sum after a block, or `None` if the terms of the block have to be added one by one. `increment` was formed for
/// `binade`.
pub const fn ordered_advance(sum: f64, binade: u32, increment: Increment) -> Option<f64> {
    let Some(increment) = increment else { return None };
    if binade == 0 || ordered_binade(sum) != binade {
        return None;
    }
    let after = f64::from_bits(sum.to_bits() + increment);
    if ordered_binade(after) == binade {
        Some(after)
    } else {
        None
    }
}

const fn f(word: u64) -> f32 {
    f32::from_bits(word as u32)
}

const fn d(word: u64) -> f64 {
    f64::from_bits(word)
}

/// [`ordered_advance`] over two terms from a sum on, under its own binade.
const fn advance([sum, first, second]: [u64; 3]) -> Option<f64> {
    let binade = ordered_binade(d(sum));
    let increments = [first, second];
    let [first, second] = [
        ordered_increment(binade, d(increments[0])),
        ordered_increment(binade, d(increments[1])),
    ];
    ordered_advance(d(sum), binade, ordered_join(first, second))
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
        chunk: "ordered",
        wgsl,
        operands,
        result,
        rust: Rust::Words(rust),
        domain: None,
    }
}

const TERM: &[Kind] = &[Kind::F64Bits; 2];

/// The functions of this chunk that are tested against Rust.
pub const FUNCTIONS: &[Function] = &[
    Function::binary("ordered_add", "ordered", "ordered_add(a, b)", |sum, term| sum + term).within(Domain {
        words: "operands and result not subnormal",
        holds: |[sum, term, _]| sum_is_normal(f(sum), f(term)),
    }),
    row(
        "ordered_add_f64",
        "ordered_add_f64(a, b)",
        &[Kind::F64Bits, Kind::F32],
        Kind::F64Bits,
        |[sum, term, _]| (d(sum) + f64::from(f(term))).to_bits(),
    ),
    row(
        "ordered_binade",
        "ordered_binade(a)",
        &[Kind::F64Bits],
        Kind::U32,
        |[sum, ..]| ordered_binade(d(sum)).into(),
    ),
    row(
        "ordered_increment.units",
        "ordered_increment(ordered_binade(a), b).xy",
        TERM,
        Kind::U64,
        |[sum, term, _]| ordered_increment(ordered_binade(d(sum)), d(term)).unwrap_or(0),
    ),
    row(
        "ordered_increment.refused",
        "ordered_increment(ordered_binade(a), b).z != 0u",
        TERM,
        Kind::Bool,
        |[sum, term, _]| ordered_increment(ordered_binade(d(sum)), d(term)).is_none().into(),
    ),
    row(
        "ordered_advance.sum",
        "ordered_advance(a, ordered_binade(a), ordered_join(ordered_increment(ordered_binade(a), b), \
         ordered_increment(ordered_binade(a), c))).xy",
        &[Kind::F64Bits; 3],
        Kind::U64,
        |words| advance(words).map_or(words[0], f64::to_bits),
    ),
    row(
        "ordered_advance.refused",
        "ordered_advance(a, ordered_binade(a), ordered_join(ordered_increment(ordered_binade(a), b), \
         ordered_increment(ordered_binade(a), c))).z != 0u",
        &[Kind::F64Bits; 3],
        Kind::Bool,
        |words| advance(words).is_none().into(),
    ),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Terms of many magnitudes; some with few bits, so that ties occur.
    fn term() -> impl Strategy<Value = f64> {
        (0u64..1 << 52, 0u32..52, 1000u64..1026)
            .prop_map(|(fraction, short, exponent)| d(exponent << 52 | (fraction >> short << short)))
    }

    proptest! {
        #[test]
        fn blocks_continue_a_sum_as_its_terms_do(
            start in 0u64..1 << 52,
            exponent in 1020u64..1080,
            blocks in prop::collection::vec(prop::collection::vec(term(), 1..40), 1..20),
        ) {
            let mut expected = d(exponent << 52 | start);
            for terms in blocks {
                let sum = expected;
                let binade = ordered_binade(sum);
                let increments = terms.iter().rev().map(|&term| ordered_increment(binade, term));
                let joined = increments.fold(Some(0), ordered_join);
                expected = terms.iter().fold(expected, |sum, &term| sum + term);
                if let Some(after) = ordered_advance(sum, binade, joined) {
                    prop_assert_eq!(after.to_bits(), expected.to_bits());
                }
            }
        }
    }

    #[test]
    fn what_the_proof_excludes_is_refused() {
        let (sum, unit) = (1.5, f64::EPSILON);
        let binade = ordered_binade(sum);
        assert_eq!(ordered_increment(binade, 2.25 * unit), Some(2));
        assert_eq!(ordered_increment(binade, 2.75 * unit), Some(3));
        assert_eq!(ordered_increment(binade, -0.0), Some(0));
        for refused in [2.5 * unit, unit / 2.0, -unit, 1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(ordered_increment(binade, refused), None, "{refused:e}");
        }
        assert_eq!(ordered_advance(sum, binade, Some(2)), Some(sum + 2.0 * unit));
        assert_eq!(
            ordered_advance(2.0 - unit, binade, Some(1)),
            None,
            "the end of the binade"
        );
        assert_eq!(ordered_advance(2.0, binade, Some(1)), None, "a wrong guess");
        assert_eq!(ordered_join(Some(1 << 51), Some(1 << 51)), None);
        for sum in [0.0, -1.5, f64::from_bits(1), f64::NAN, f64::INFINITY] {
            assert_eq!(ordered_binade(sum), 0, "{sum:e}");
        }
    }

    #[test]
    fn most_blocks_of_noise_are_taken() {
        let terms: Vec<f64> = (1..=6400u32)
            .map(|index| f64::from(index.wrapping_mul(0x9e37_79b1)) / 3.0)
            .collect();
        let mut sum = 0.0;
        let mut taken = 0;
        for block in terms.chunks(64) {
            let binade = ordered_binade(sum);
            let increments = block.iter().map(|&term| ordered_increment(binade, term));
            let after = ordered_advance(sum, binade, increments.fold(Some(0), ordered_join));
            taken += u32::from(after.is_some());
            sum = block.iter().fold(sum, |sum, term| sum + term);
            assert!(after.is_none_or(|after| after == sum));
        }
        assert!((85..100).contains(&taken), "{taken} of 100");
    }
}
