//! f32 arithmetic that no WGSL compiler can fuse or rewrite, and exact sums, exact products and pairs built on it. Each
//! function takes the same steps as its namesake in `seal.wgsl`; Rust's own `+ − ×` are IEEE and need no seal.
//!
//! # The seal
//!
//! WGSL lets a compiler fuse `a * b + c`, reassociate sums and cancel terms. `seal(x)` passes the bits of `x` through an
//! exclusive or with `isobit_grid.z`, which is zero whenever the module runs and unknown when it is compiled. For all that a
//! compiler can prove, the sealed value is any value at all, so that neither its operation nor the next can be rewritten.
//! What remains is one IEEE addition, subtraction or multiplication, which WGSL requires to be correctly rounded.
//!
//! # Subnormals
//!
//! A driver may take subnormal operands for zero and return zero instead of a subnormal result. A sealed operation
//! therefore equals Rust's wherever no operand and no result is subnormal ([`sum_is_normal`], [`difference_is_normal`],
//! [`product_is_normal`]). For the functions built on it this follows from the size of their operands; in the table, *n* is
//! zero or a number of magnitude 2^−102 at least:
//!
//! | function | equal to Rust's | and exact |
//! |---|---|---|
//! | [`fast_two_sum`], [`two_sum`] | *n* | where the sum is finite and, for the former, the first operand zero or not the smaller |
//! | [`two_product`] | *n*, their product zero or 2^−78 at least | where the product is finite |
//! | pairs | where all products of parts are so | errors as each function states |
//!
//! Every intermediate value of a sum is a whole multiple of the lesser unit in the last place of its operands: at least
//! 2^−102−23 = 2^−125 for *n*, or zero. Every one of a product is a multiple of the product of the two units, 2^−78−1−46.
//! The last row of the table is a matter of the pairs at hand: a low part is about 2^−24 of its high part.

use crate::chunk::Chunk;
use crate::functions::{Domain, Function, Kind, Rust};

/// `seal`, `seal_add`, `seal_sub`, `seal_mul`, `two_sum`, `fast_two_sum`, `split`, `two_product`, `pair_add`,
/// `pair_add_f32`, `pair_sub`, `pair_mul` and `pair_mul_f32`.
pub const CHUNK: Chunk = Chunk {
    name: "seal",
    needs: &["grid"],
    source: include_str!("seal.wgsl"),
};

/// A sum of two f32, the high part first: |low| is at most half a unit in the last place of the high part.
pub type Pair = [f32; 2];

/// `a + b`, rounded once.
pub const fn seal_add(a: f32, b: f32) -> f32 {
    a + b
}

/// `a − b`, rounded once.
pub const fn seal_sub(a: f32, b: f32) -> f32 {
    a - b
}

/// `a · b`, rounded once.
pub const fn seal_mul(a: f32, b: f32) -> f32 {
    a * b
}

/// The rounded sum of `a` and `b`, then its error; |a| ≥ |b|, or `a` is zero (Dekker 1971).
pub const fn fast_two_sum(a: f32, b: f32) -> Pair {
    let sum = a + b;
    [sum, b - (sum - a)]
}

/// The rounded sum of `a` and `b`, then its error (Knuth, The Art of Computer Programming, volume 2, section 4.2.2).
pub const fn two_sum(a: f32, b: f32) -> Pair {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    [sum, (a - a_part) + (b - b_part)]
}

/// `a` in two parts of at most 12 significant bits each: 24 bits cut in the middle.
pub const fn split(a: f32) -> Pair {
    let high = f32::from_bits(a.to_bits() & 0xffff_f000);
    [high, a - high]
}

/// The rounded product of `a` and `b`, then its error.
///
/// Dekker's product over a split by truncation, which cannot overflow. With `a` and `b` scaled to integers of 24 bits, their
/// parts are `A·2^12 + α` and `B·2^12 + β`, all below 2^12, and the rounded product is `p = ab + e` with |e| ≤ 2^23. The four
/// products of parts have 24 bits. The differences are exact as well: `p − AB·2^24` is a multiple of 2^23 below 2^38; less
/// `αB·2^12` it is `aβ + e`, a multiple of 2^12 below 2^36; less `Aβ·2^12` it is `αβ + e`, a multiple of 2^12 below 2^25. The
/// last one gives −e.
pub const fn two_product(a: f32, b: f32) -> Pair {
    let product = a * b;
    let a_split = split(a);
    let b_split = split(b);
    let mut rest = product - a_split[0] * b_split[0];
    rest -= a_split[1] * b_split[0];
    rest -= a_split[0] * b_split[1];
    [product, a_split[1] * b_split[1] - rest]
}

/// `a + b` of a pair and a number: relative error below 2·2^−48 (Joldes, Muller and Popescu 2017, algorithm 4).
pub const fn pair_add_f32(a: Pair, b: f32) -> Pair {
    let sum = two_sum(a[0], b);
    fast_two_sum(sum[0], a[1] + sum[1])
}

/// `a + b` of pairs: relative error below 3.1·2^−48 (the same, algorithm 6).
pub const fn pair_add(a: Pair, b: Pair) -> Pair {
    let high = two_sum(a[0], b[0]);
    let low = two_sum(a[1], b[1]);
    let sum = fast_two_sum(high[0], high[1] + low[0]);
    fast_two_sum(sum[0], low[1] + sum[1])
}

/// `a − b` of pairs: as [`pair_add`].
pub const fn pair_sub(a: Pair, b: Pair) -> Pair {
    pair_add(a, [-b[0], -b[1]])
}

/// `a · b` of a pair and a number: relative error below 3·2^−48 (the same, algorithm 8).
pub const fn pair_mul_f32(a: Pair, b: f32) -> Pair {
    let product = two_product(a[0], b);
    fast_two_sum(product[0], product[1] + a[1] * b)
}

/// `a · b` of pairs: relative error below 7·2^−48 (the same, algorithm 10).
pub const fn pair_mul(a: Pair, b: Pair) -> Pair {
    let product = two_product(a[0], b[0]);
    let cross = a[0] * b[1] + a[1] * b[0];
    fast_two_sum(product[0], product[1] + cross)
}

/// Whether `x` is not subnormal.
pub const fn is_normal(x: f32) -> bool {
    !x.is_subnormal()
}

/// Whether `x` as a result is the same on a driver that flushes: not subnormal, and not rounded up from a subnormal to the
/// least normal number, which a driver may flush before it rounds.
const fn survives(x: f32) -> bool {
    is_normal(x) && x.abs() != f32::MIN_POSITIVE
}

/// Whether `a + b` is the same on a driver that flushes subnormals.
pub const fn sum_is_normal(a: f32, b: f32) -> bool {
    // A sum near the subnormals is exact, never rounded up to the least normal number.
    is_normal(a) && is_normal(b) && is_normal(a + b)
}

/// Whether `a − b` is the same on a driver that flushes subnormals.
pub const fn difference_is_normal(a: f32, b: f32) -> bool {
    sum_is_normal(a, -b)
}

/// Whether `a · b` is the same on a driver that flushes subnormals.
pub const fn product_is_normal(a: f32, b: f32) -> bool {
    is_normal(a) && is_normal(b) && survives(a * b)
}

/// Zero, or so large that no step of a sum with another such number is subnormal.
const fn is_summand(x: f32) -> bool {
    x == 0.0 || x.abs() >= power_of_two(-102) || x.is_nan()
}

/// 2^`exponent`, which lies from −126 to 127.
const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// Whether [`two_product`] meets no subnormal.
const fn is_product(a: f32, b: f32) -> bool {
    let product = (a * b).abs();
    let zero = a == 0.0 || b == 0.0;
    is_summand(a) && is_summand(b) && (zero || product >= power_of_two(-78) || product.is_nan())
}

/// The operand at `index` of kind [`Kind::F32`].
const fn f32_at(words: [u64; 3], index: usize) -> f32 {
    f32::from_bits(words[index] as u32)
}

/// The operand at `index` of kind [`Kind::Pair`].
const fn pair_at(words: [u64; 3], index: usize) -> Pair {
    [
        f32::from_bits(words[index] as u32),
        f32::from_bits((words[index] >> 32) as u32),
    ]
}

/// The word of a [`Pair`].
const fn pair_word(pair: Pair) -> u64 {
    pair[0].to_bits() as u64 | (pair[1].to_bits() as u64) << 32
}

const SUMMANDS: Domain = Domain {
    words: "operands zero or of magnitude 2^-102 at least",
    holds: |w| is_summand(f32_at(w, 0)) && is_summand(f32_at(w, 1)),
};

const PAIR_SUMMANDS: Domain = Domain {
    words: "parts zero or of magnitude 2^-102 at least",
    holds: |w| {
        [pair_at(w, 0), pair_at(w, 1)]
            .as_flattened()
            .iter()
            .all(|&part| is_summand(part))
    },
};

/// Declares a row of the table of functions in this chunk.
const fn row(
    name: &'static str,
    wgsl: &'static str,
    operands: &'static [Kind],
    result: Kind,
    rust: Rust,
    domain: Domain,
) -> Function {
    Function {
        name,
        chunk: "seal",
        wgsl,
        operands,
        result,
        rust,
        domain: Some(domain),
    }
}

/// The functions of this chunk that are tested against Rust.
pub const FUNCTIONS: &[Function] = &[
    row(
        "seal_add",
        "seal_add(a, b)",
        &[Kind::F32; 2],
        Kind::F32,
        Rust::Binary(seal_add),
        Domain {
            words: "operands and result not subnormal",
            holds: |w| sum_is_normal(f32_at(w, 0), f32_at(w, 1)),
        },
    ),
    row(
        "seal_sub",
        "seal_sub(a, b)",
        &[Kind::F32; 2],
        Kind::F32,
        Rust::Binary(seal_sub),
        Domain {
            words: "operands and result not subnormal",
            holds: |w| difference_is_normal(f32_at(w, 0), f32_at(w, 1)),
        },
    ),
    row(
        "seal_mul",
        "seal_mul(a, b)",
        &[Kind::F32; 2],
        Kind::F32,
        Rust::Binary(seal_mul),
        Domain {
            words: "operands not subnormal, result zero or above the least normal number",
            holds: |w| product_is_normal(f32_at(w, 0), f32_at(w, 1)),
        },
    ),
    row(
        "two_sum",
        "two_sum(a, b)",
        &[Kind::F32; 2],
        Kind::Pair,
        Rust::Words(|w| pair_word(two_sum(f32_at(w, 0), f32_at(w, 1)))),
        SUMMANDS,
    ),
    row(
        "fast_two_sum",
        "fast_two_sum(a, b)",
        &[Kind::F32; 2],
        Kind::Pair,
        Rust::Words(|w| pair_word(fast_two_sum(f32_at(w, 0), f32_at(w, 1)))),
        SUMMANDS,
    ),
    row(
        "two_product",
        "two_product(a, b)",
        &[Kind::F32; 2],
        Kind::Pair,
        Rust::Words(|w| pair_word(two_product(f32_at(w, 0), f32_at(w, 1)))),
        Domain {
            words: "operands zero or of magnitude 2^-102 at least, product zero or of magnitude 2^-78 at least",
            holds: |w| is_product(f32_at(w, 0), f32_at(w, 1)),
        },
    ),
    row(
        "pair_add",
        "pair_add(a, b)",
        &[Kind::Pair; 2],
        Kind::Pair,
        Rust::Words(|w| pair_word(pair_add(pair_at(w, 0), pair_at(w, 1)))),
        PAIR_SUMMANDS,
    ),
    row(
        "pair_sub",
        "pair_sub(a, b)",
        &[Kind::Pair; 2],
        Kind::Pair,
        Rust::Words(|w| pair_word(pair_sub(pair_at(w, 0), pair_at(w, 1)))),
        PAIR_SUMMANDS,
    ),
    row(
        "pair_add_f32",
        "pair_add_f32(a, b)",
        &[Kind::Pair, Kind::F32],
        Kind::Pair,
        Rust::Words(|w| pair_word(pair_add_f32(pair_at(w, 0), f32_at(w, 1)))),
        Domain {
            words: "parts zero or of magnitude 2^-102 at least",
            holds: |w| pair_at(w, 0).iter().all(|&part| is_summand(part)) && is_summand(f32_at(w, 1)),
        },
    ),
    row(
        "pair_mul",
        "pair_mul(a, b)",
        &[Kind::Pair; 2],
        Kind::Pair,
        Rust::Words(|w| pair_word(pair_mul(pair_at(w, 0), pair_at(w, 1)))),
        Domain {
            words: "all products of parts zero or of magnitude 2^-78 at least",
            holds: |w| {
                let [a, b] = [pair_at(w, 0), pair_at(w, 1)];
                a.iter().all(|&a| b.iter().all(|&b| is_product(a, b)))
            },
        },
    ),
    row(
        "pair_mul_f32",
        "pair_mul_f32(a, b)",
        &[Kind::Pair, Kind::F32],
        Kind::Pair,
        Rust::Words(|w| pair_word(pair_mul_f32(pair_at(w, 0), f32_at(w, 1)))),
        Domain {
            words: "all products of parts zero or of magnitude 2^-78 at least",
            holds: |w| pair_at(w, 0).iter().all(|&a| is_product(a, f32_at(w, 1))),
        },
    ),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers whose sums and products are far from the ends of the range.
    fn number() -> impl Strategy<Value = f32> {
        (any::<bool>(), 0..1u32 << 23, 97..157u32).prop_map(|(negative, fraction, exponent)| {
            f32::from_bits(u32::from(negative) << 31 | exponent << 23 | fraction)
        })
    }

    fn pair() -> impl Strategy<Value = Pair> {
        (number(), number()).prop_map(|(a, b)| two_sum(a, b * (b.abs().recip() * a.abs() * 0.25f32.powi(12))))
    }

    /// A pair as an f64, and the sum of its parts as another when one does not hold both.
    fn value(pair: Pair) -> f64 {
        f64::from(pair[0]) + f64::from(pair[1])
    }

    fn close(result: Pair, exact: f64, scale: f64, units: f64) -> bool {
        (value(result) - exact).abs() <= scale.abs() * units * 2f64.powi(-48)
    }

    proptest! {
        #[test]
        fn an_error_is_what_the_rounded_sum_lacks(a in number(), b in number()) {
            let [sum, error] = two_sum(a, b);
            prop_assert_eq!(sum, a + b);
            let (large, small) = if a.abs() >= b.abs() { (a, b) } else { (b, a) };
            // Exact in f64 when taken in this order: the difference is about as small as the lesser operand.
            prop_assert_eq!((f64::from(large) - f64::from(sum)) + f64::from(small), f64::from(error));
            prop_assert_eq!(fast_two_sum(large, small), [sum, error]);
        }

        #[test]
        fn an_error_is_what_the_rounded_product_lacks(a in number(), b in number()) {
            let [product, error] = two_product(a, b);
            prop_assert_eq!(product, a * b);
            prop_assert_eq!(f64::from(a) * f64::from(b), value([product, error]));
        }

        #[test]
        fn parts_of_a_split_have_12_bits(a in number()) {
            let parts = split(a);
            prop_assert_eq!(value(parts), f64::from(a));
            for part in parts {
                prop_assert!(part == 0.0 || part.to_bits().trailing_zeros() >= 11);
            }
        }

        #[test]
        fn pairs_keep_their_bounds(a in pair(), b in pair(), c in number()) {
            let (x, y, z) = (value(a), value(b), f64::from(c));
            // f64 adds an error of its own, 2^-53 of the terms.
            let slack = 1.0 / 16.0;
            prop_assert!(close(pair_mul(a, b), x * y, x * y, 7.0 + slack));
            prop_assert!(close(pair_mul_f32(a, c), x * z, x * z, 3.0 + slack));
            prop_assert!(close(pair_add(a, b), x + y, x.abs() + y.abs(), 3.1 + slack));
            prop_assert!(close(pair_sub(a, b), x - y, x.abs() + y.abs(), 3.1 + slack));
            prop_assert!(close(pair_add_f32(a, c), x + z, x.abs() + z.abs(), 2.0 + slack));
        }
    }
}
