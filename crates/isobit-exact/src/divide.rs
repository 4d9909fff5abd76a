//! Correctly rounded f32 division, several times as fast as `soft_div`: Rust's `/`.
//!
//! WGSL allows a quotient an error of 2.5 units in the last place and drivers use it. `divide` takes the driver's quotient of
//! the two significands, both from 1 up to 2, for an estimate and repairs it in integers. With the significands as integers
//! `p` and `q` of 24 bits and `s` = 23, or 24 if `p < q`, the correctly rounded significand is the integer `Q` nearest to
//! `p·2^s / q`, which lies from 2^23 up to 2^24. For an estimate `E` the remainder `p·2^s − (E − 4)·q` is computed modulo 2^32;
//! it is exact for every |E − Q| < 128, for then its magnitude is below 132·2^24 < 2^32. Three conditional steps of four, two
//! and one divisors bring it below `q` for every E from Q − 3 to Q + 4; if it is not below `q` afterwards, the estimate
//! was worse and `soft_div` takes over. The quotient then is the floor, and the remainder decides the rounding: up if it
//! exceeds `q/2`. It cannot equal `q/2`: `(2Q + 1)·q = p·2^(s+1)` would make `q` a multiple of 2^24.
//!
//! Exact for all operands. Operands or results that are zero, subnormal, infinite or NaN go to `soft_div` as bits, so that
//! a driver that flushes subnormals has none to flush; NaN is the canonical one.

use crate::chunk::Chunk;
use crate::functions::Function;

/// `divide`.
pub const CHUNK: Chunk = Chunk {
    name: "divide",
    needs: &["soft"],
    source: include_str!("divide.wgsl"),
};

/// `a / b`, rounded once.
pub const fn divide(a: f32, b: f32) -> f32 {
    a / b
}

/// The functions of this chunk that are tested against Rust.
pub const FUNCTIONS: &[Function] = &[Function::binary("divide", "divide", "divide(a, b)", divide)];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    /// The steps of `divide.wgsl` on significands: the rounded quotient, or `None` where it falls back.
    fn repair(p: u32, q: u32, estimate: u32) -> Option<u32> {
        let mut quotient = estimate.wrapping_sub(4);
        let mut rest = (p << if p < q { 24 } else { 23 }).wrapping_sub(quotient.wrapping_mul(q));
        for step in [4, 2, 1] {
            if rest >= step * q {
                quotient += step;
                rest -= step * q;
            }
        }
        (rest < q).then(|| quotient + u32::from(2 * rest > q))
    }

    fn rounded(p: u32, q: u32) -> u32 {
        let scaled = u64::from(p) << if p < q { 24 } else { 23 };
        ((2 * scaled + u64::from(q)) / (2 * u64::from(q))) as u32
    }

    proptest! {
        #[test]
        fn an_estimate_is_repaired_or_refused(p in 1u32 << 23..1 << 24, q in 1u32 << 23..1 << 24, off in -120i32..=120) {
            let exact = rounded(p, q);
            let result = repair(p, q, exact.wrapping_add_signed(off));
            if (-3..=3).contains(&off) {
                prop_assert_eq!(result, Some(exact));
            } else {
                prop_assert!(result.is_none_or(|result| result == exact), "{result:?}, not {exact}");
            }
        }
    }
}
