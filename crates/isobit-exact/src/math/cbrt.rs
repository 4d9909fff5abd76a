//! The cube root.

use super::core::{INFINITY, NAN, ONE, SIGN, extended};
use crate::chunk::Chunk;

/// `math_cbrt`.
pub const CHUNK: Chunk = Chunk {
    name: "math_cbrt",
    needs: &["math_core"],
    source: include_str!("cbrt.wgsl"),
};

super::constants! {
    /// Coefficients of (1 − v)^(−1/3) = 1 + v/3 + 2v²/9 + 14v³/81 + …
    CBRT_1 = 0.33333334,
    CBRT_2 = 0.22222222,
    CBRT_3 = 0.17283951,
}

/// The cube root of `x`, an odd function; error at most 0.538 ULP, measured over all inputs.
///
/// With x = 2^(3k)·a and a from 1 to 8, a root t of 8 bits has an exact cube, and ∛a = t·(1 − v)^(−1/3) for v = (a − t³)/a.
pub const fn cbrt(x: f32) -> f32 {
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    if magnitude > INFINITY {
        return f32::from_bits(NAN);
    }
    if magnitude == 0 || magnitude == INFINITY {
        return x;
    }
    let extended = extended(magnitude);
    // k = ⌊e/3⌋: the product and shift divide integers up to 277 by 3.
    let third = ((((extended >> 23) + 23) * 171) >> 9) - 50;
    let reduced = (extended - third * (3 << 23)) as u32;
    let a = f32::from_bits(reduced);
    // a^(−1/3): its bits are about a third of a's down from those of 1; then a cubic step, which leaves an error below 2^−12.
    let mut root = f32::from_bits(0x3f77_2800 - ((reduced - ONE) >> 8) * 85);
    let miss = 1.0 - (a * root) * (root * root);
    root += root * (miss * (miss * CBRT_2 + CBRT_1));
    let cube = (root * root) * root;
    let inverse = cube + cube * (1.0 - a * cube);
    let t = f32::from_bits(((a * (root * root)).to_bits() + 0x8000) & 0xffff_0000);
    let v = (a - (t * t) * t) * inverse;
    let y = t + (t * v) * ((v * CBRT_3 + CBRT_2) * v + CBRT_1);
    f32::from_bits(bits & SIGN | (y.to_bits() as i32 + (third << 23)) as u32)
}
