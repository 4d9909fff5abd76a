//! The length of a vector.

use super::core::{HALF, INFINITY, NAN, ONE, SIGN, extended, scaled};
use crate::chunk::Chunk;
use crate::seal::{fast_two_sum, two_product};

/// `math_hypot`.
pub const CHUNK: Chunk = Chunk {
    name: "math_hypot",
    needs: &["math_core"],
    source: include_str!("hypot.wgsl"),
};

/// √(`x`² + `y`²) without overflow on the way; error below 0.501 ULP, special values as `hypot` of C Annex F.
pub const fn hypot(x: f32, y: f32) -> f32 {
    let (x_magnitude, y_magnitude) = (x.to_bits() & !SIGN, y.to_bits() & !SIGN);
    let swapped = y_magnitude > x_magnitude;
    let greater = if swapped { y_magnitude } else { x_magnitude };
    let lesser = if swapped { x_magnitude } else { y_magnitude };
    if lesser == INFINITY || greater == INFINITY {
        return f32::from_bits(INFINITY);
    }
    if greater > INFINITY {
        return f32::from_bits(NAN);
    }
    if lesser == 0 {
        return f32::from_bits(greater);
    }
    // Significands from 1 to 2, the lesser one scaled down; below 2^−30 of the greater it does not show.
    let greater_extended = extended(greater);
    let lesser_extended = extended(lesser);
    let below = (greater_extended >> 23) - (lesser_extended >> 23);
    let drop = if below > 30 { 30 } else { below };
    let a = f32::from_bits(greater_extended as u32 & 0x007f_ffff | ONE);
    let b = f32::from_bits(lesser_extended as u32 & 0x007f_ffff | ONE) * f32::from_bits(((127 - drop) as u32) << 23);
    let a_square = two_product(a, a);
    let b_square = two_product(b, b);
    let sum = fast_two_sum(a_square[0], b_square[0]);
    let sum_low = sum[1] + (a_square[1] + b_square[1]);

    // The inverse root to single precision, then one step towards the root from the exact square of an approximation.
    let half = sum[0] * HALF;
    let mut inverse = f32::from_bits(0x5f37_59df - (sum[0].to_bits() >> 1));
    inverse *= 1.5 - (half * inverse) * inverse;
    inverse *= 1.5 - (half * inverse) * inverse;
    inverse *= 1.5 - (half * inverse) * inverse;
    let root = sum[0] * inverse;
    let square = two_product(root, root);
    let missing = ((sum[0] - square[0]) - square[1]) + sum_low;
    let length = fast_two_sum(root, missing * (inverse * HALF));
    f32::from_bits(scaled(length[0], length[1], (greater_extended >> 23) - 127))
}
