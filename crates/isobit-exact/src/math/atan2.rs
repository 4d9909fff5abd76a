//! The angle of a point.

use super::core::{INFINITY, NAN, ONE, SIGN, extended, scaled};
use crate::chunk::Chunk;
use crate::seal::{fast_two_sum, two_product, two_sum};

/// `math_atan2`.
pub const CHUNK: Chunk = Chunk {
    name: "math_atan2",
    needs: &["math_core"],
    source: include_str!("atan2.wgsl"),
};

super::constants! {
    /// π/4 to 20 bits.
    QUARTER_PI_HIGH = 0.7853985,
    /// π/4 less its first 20 bits.
    QUARTER_PI_LOW = -3.1987892e-7,
    /// (atan t − t)/t³ in powers of t² on |t| ≤ tan(π/8): error below 2^−30 of t.
    ATAN_0 = -0.33333313,
    ATAN_1 = 0.1999839,
    ATAN_2 = -0.14242236,
    ATAN_3 = 0.10585444,
    ATAN_4 = -0.06059209,
    /// About tan(π/8), where the two ways part.
    TAN_EIGHTH = 0.41421357,
}

/// The angle of the point (`x`, `y`) in radians, from −π to π; error below 0.75 ULP, special values as `atan2` of C Annex F.
///
/// The angle is a multiple of π/4 and, added or taken away, the arc tangent of a t of at most tan(π/8): the ratio q of the
/// lesser coordinate to the greater, or (1 − q)/(1 + q).
pub const fn atan2(y: f32, x: f32) -> f32 {
    let (y_bits, x_bits) = (y.to_bits(), x.to_bits());
    let (y_magnitude, x_magnitude) = (y_bits & !SIGN, x_bits & !SIGN);
    if y_magnitude > INFINITY || x_magnitude > INFINITY {
        return f32::from_bits(NAN);
    }
    // An infinite coordinate is as 1 beside 1 or 0.
    let infinite = y_magnitude == INFINITY || x_magnitude == INFINITY;
    let y_magnitude = if infinite {
        (y_magnitude / INFINITY) * ONE
    } else {
        y_magnitude
    };
    let x_magnitude = if infinite {
        (x_magnitude / INFINITY) * ONE
    } else {
        x_magnitude
    };

    let steep = y_magnitude > x_magnitude;
    let lesser = if steep { x_magnitude } else { y_magnitude };
    let greater = if steep { y_magnitude } else { x_magnitude };
    // Significands from 1 to 2, and how many binades the lesser lies below.
    let lesser_extended = extended(lesser);
    let greater_extended = extended(greater);
    let below = (greater_extended >> 23) - (lesser_extended >> 23);
    let n = if lesser == 0 {
        0.0
    } else {
        f32::from_bits(lesser_extended as u32 & 0x007f_ffff | ONE)
    };
    let d = f32::from_bits(greater_extended as u32 & 0x007f_ffff | ONE);
    // A ratio below 2^−30 hardly shows beside a multiple of π/4.
    let drop = if below > 30 { 30 } else { below };
    let down = f32::from_bits(((127 - drop) as u32) << 23);
    let near = n * down;

    // Compared as products, the ratio and a number close to tan(π/8).
    let diagonal = near > d * TAN_EIGHTH;
    let numerator = if diagonal { two_sum(d, -near) } else { [n, 0.0] };
    let denominator = if diagonal { fast_two_sum(d, near) } else { [d, 0.0] };
    let mut inverse = f32::from_bits(0x7ef3_11c3 - denominator[0].to_bits());
    inverse *= 2.0 - denominator[0] * inverse;
    inverse *= 2.0 - denominator[0] * inverse;
    inverse *= 2.0 - denominator[0] * inverse;
    let quotient = numerator[0] * inverse;
    let product = two_product(quotient, denominator[0]);
    let missing = ((numerator[0] - product[0]) - product[1]) + (numerator[1] - quotient * denominator[1]);
    let quotient_low = missing * inverse;

    let mut eighths = if steep { 2 } else { 0 };
    let mut minus = steep;
    if x_bits >= SIGN {
        eighths = 4 - eighths;
        minus = !minus;
    }
    let sign = y_bits & SIGN;
    // The ratio itself, down to the subnormal: its cube does not show.
    if eighths == 0 && below >= 20 {
        if lesser == 0 {
            return f32::from_bits(sign);
        }
        let ratio = fast_two_sum(quotient, quotient_low);
        return f32::from_bits(sign | scaled(ratio[0], ratio[1], -below));
    }
    if diagonal {
        eighths = if minus { eighths - 1 } else { eighths + 1 };
        minus = !minus;
    }
    let scale = if diagonal { 1.0 } else { down };
    let t = quotient * scale;
    let u = t * t;
    let mut series = ATAN_4 * u + ATAN_3;
    series = series * u + ATAN_2;
    series = series * u + ATAN_1;
    series = series * u + ATAN_0;
    let low = quotient_low * scale;
    let rest = (low - low * u) + (u * t) * series;
    let flip = if minus { SIGN } else { 0 };
    let t = f32::from_bits(t.to_bits() ^ flip);
    let rest = f32::from_bits(rest.to_bits() ^ flip);
    let count = eighths as f32;
    let sum = fast_two_sum(count * QUARTER_PI_HIGH, t);
    let result = sum[0] + (sum[1] + (count * QUARTER_PI_LOW + rest));
    f32::from_bits(sign | result.to_bits())
}
