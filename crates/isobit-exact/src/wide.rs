//! Unsigned 64-bit integers as two `u32`, the low word first: the form in which WGSL, which has no `u64`, computes them.
//! Each function takes the same steps as its namesake in `wide.wgsl`.

use crate::chunk::Chunk;

/// `wide_add`, `wide_add_u32` and `wide_mul`.
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
