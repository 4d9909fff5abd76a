//! Correctly rounded f32 square root, several times as fast as `soft_sqrt`: Rust's `f32::sqrt`.
//!
//! WGSL leaves a root the error of `1 / inverseSqrt(x)`, and drivers use it. `square_root` takes the driver's root of a number
//! `m` from 1 up to 4 for an estimate and repairs it in integers. With `p = m·2^23`, an integer of 25 bits, the correctly
//! rounded significand is the integer `R` nearest to `sqrt(p·2^23)`, which lies from 2^23 up to 2^24. For an estimate `E` the
//! remainder `p·2^23 − (E − 4)²` is computed modulo 2^32; it is exact for every |E − R| < 60, for then its magnitude is
//! below 64·2^25 = 2^31. Three conditional steps, by four, two and one, bring it to `2R` at most for every E from R − 3 to
//! R + 4; if it is not, the estimate was worse and `soft_sqrt` takes over. The root then is the floor, and the remainder
//! decides the rounding: up if it exceeds the root, since `(R + 1/2)² = R² + R + 1/4`. No root lies halfway, for the square of
//! an odd multiple of 1/2 is no integer.
//!
//! Exact for all operands. Those that are negative, zero, subnormal, infinite or NaN go to `soft_sqrt` as bits, so that a
//! driver that flushes subnormals has none to flush; NaN is the canonical one.

use crate::chunk::Chunk;
use crate::functions::Function;

/// `square_root`.
pub const CHUNK: Chunk = Chunk {
    name: "square_root",
    needs: &["soft"],
    source: include_str!("square_root.wgsl"),
};

/// The square root of `a`, rounded once.
pub fn square_root(a: f32) -> f32 {
    a.sqrt()
}

/// The functions of this chunk that are tested against Rust.
pub const FUNCTIONS: &[Function] = &[Function::unary(
    "square_root",
    "square_root",
    "square_root(a)",
    square_root,
)];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    /// The steps of `square_root.wgsl` on significands: the rounded root, or `None` where it falls back.
    fn repair(p: u32, estimate: u32) -> Option<u32> {
        let mut root = estimate.wrapping_sub(4);
        let mut rest = (p << 23).wrapping_sub(root.wrapping_mul(root));
        for step in [4, 2, 1] {
            let gain = 2 * step * root + step * step;
            if rest >= gain {
                rest -= gain;
                root += step;
            }
        }
        (rest <= 2 * root).then(|| root + u32::from(rest > root))
    }

    proptest! {
        #[test]
        fn an_estimate_is_repaired_or_refused(p in 1u32 << 23..1 << 25, off in -55i32..=55) {
            let scaled = u64::from(p) << 23;
            let floor = scaled.isqrt();
            let exact = (floor + u64::from(scaled - floor * floor > floor)) as u32;
            let result = repair(p, exact.wrapping_add_signed(off));
            if (-3..=3).contains(&off) {
                prop_assert_eq!(result, Some(exact));
            } else {
                prop_assert!(result.is_none_or(|result| result == exact), "{result:?}, not {exact}");
            }
        }
    }
}
