//! What sine and cosine share: the argument in quarter turns and their polynomials. Each function takes the same steps as
//! its namesake in `turn.wgsl`.

use super::core::{HALF, SIGN, high};
use crate::chunk::Chunk;
use crate::wide::{wide_add_u32, wide_mul};

/// What `math_sin` and `math_cos` build on.
pub const CHUNK: Chunk = Chunk {
    name: "math_turn",
    needs: &["wide", "math_core"],
    source: include_str!("turn.wgsl"),
};

super::constants! {
    /// π/2 to 24 bits.
    HALF_PI = 1.5707964,
    /// π/2 to 12 bits.
    HALF_PI_HIGH = 1.5708008,
    /// π/2 less its first 12 bits.
    HALF_PI_LOW = -4.454455e-6,
    /// (sin y − y)/y³ in powers of y² on |y| ≤ 0.7855: error below 2^−32 of y.
    SIN_0 = -0.16666667,
    SIN_1 = 0.008333373,
    SIN_2 = -0.00019850302,
    SIN_3 = 2.8045024e-6,
    /// (cos y − 1 + y²/2)/y⁴ in powers of y² on the same interval: error below 2^−33.
    COS_0 = 0.041666646,
    COS_1 = -0.0013887313,
    COS_2 = 2.4432968e-5,
}

/// Zero, then 2/π to 224 places behind the point: no fraction of a quarter turn of an f32 needs more.
const TWO_OVER_PI: [u32; 8] = [
    0,
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
];

/// Magnitudes below 2^−13, whose sine is the number itself and whose cosine is 1.
pub const TINY: u32 = 0x3900_0000;

/// An angle as quarter turns and the rest, at most an eighth of a turn, as an unevaluated sum in radians.
#[derive(Clone, Copy)]
pub struct Turn {
    /// Quarter turns, modulo four in the low two bits.
    pub quarters: u32,
    /// The rest, rounded.
    pub main: f32,
    /// What it lacks.
    pub low: f32,
}

/// The finite angle with these bits, zero if tiny.
///
/// The product of the significand with 96 bits of 2/π, chosen by the exponent so that whole turns lie above them (Payne and
/// Hanek 1983), gives the fraction of a quarter turn to 2^−62: no f32 comes nearer to a multiple of π/2 than 2^−31 or so.
pub const fn turn(bits: u32) -> Turn {
    let magnitude = bits & !SIGN;
    // Up to π/4.
    if magnitude < 0x3f49_0fdb {
        let kept = if magnitude < TINY { 0 } else { bits };
        return Turn {
            quarters: 0,
            main: f32::from_bits(kept),
            low: 0.0,
        };
    }
    let place = (magnitude >> 23) - 120;
    let word = (place >> 5) as usize;
    let bit = place & 31;
    let significand = (magnitude & 0x007f_ffff) | 0x0080_0000;
    let high_product = significand.wrapping_mul(window(TWO_OVER_PI[word], TWO_OVER_PI[word + 1], bit));
    let middle_product = wide_mul(significand, window(TWO_OVER_PI[word + 1], TWO_OVER_PI[word + 2], bit));
    let low_product = wide_mul(significand, window(TWO_OVER_PI[word + 2], TWO_OVER_PI[word + 3], bit));
    let mut sum = wide_add_u32(middle_product, low_product[1]);
    sum[1] = sum[1].wrapping_add(high_product);

    // Quarter turns to nearest, and what is left as sign and magnitude in units of 2^−62.
    let quarters = sum[1].wrapping_add(0x2000_0000) >> 30;
    let signed = sum[1].wrapping_sub(quarters << 30);
    let flip = if signed >= SIGN { u32::MAX } else { 0 };
    let left = wide_add_u32([sum[0] ^ flip, signed ^ flip], flip & 1);
    let zeros = if left[1] != 0 {
        left[1].leading_zeros()
    } else {
        32 + left[0].leading_zeros()
    };
    let shifted = if zeros >= 32 { [0, left[0]] } else { left };
    let upper = window(shifted[1], shifted[0], zeros & 31);
    let lower = shifted[0] << (zeros & 31);

    // 24 bits, and 24 more.
    let main = (upper >> 8) as f32 * f32::from_bits((105 - zeros) << 23);
    let rest = ((upper & 0xff) << 16 | lower >> 16) as f32 * f32::from_bits((81 - zeros) << 23);
    let a = high(main);
    let b = (main - a) + rest;
    let product = a * HALF_PI_HIGH;
    let product_low = b * HALF_PI + a * HALF_PI_LOW;
    let sum = product + product_low;
    let low = product_low - (sum - product);
    let sign = (bits ^ flip) & SIGN;
    Turn {
        quarters: if bits >= SIGN {
            quarters.wrapping_neg()
        } else {
            quarters
        },
        main: f32::from_bits(sum.to_bits() ^ sign),
        low: f32::from_bits(low.to_bits() ^ sign),
    }
}

/// The upper word of `upper` and `lower` shifted left by `bit`, which is below 32.
const fn window(upper: u32, lower: u32, bit: u32) -> u32 {
    upper << bit | (lower >> 1) >> (31 - bit)
}

/// The sine of an angle.
pub const fn sine(angle: Turn) -> f32 {
    let y = angle.main;
    let odd = angle.quarters & 1 != 0;
    let u = y * y;
    let mut series = if odd { COS_2 } else { SIN_3 * u + SIN_2 };
    series = series * u + if odd { COS_1 } else { SIN_1 };
    series = series * u + if odd { COS_0 } else { SIN_0 };
    // The cosine's 1 − y²/2 exactly for the first 12 bits of y, and the rest in single precision.
    let a = high(y);
    let b = (y - a) + angle.low;
    let square = a * a * HALF;
    let cosine = 1.0 - square;
    let lost = (1.0 - cosine) - square;
    let main = if odd { cosine } else { y };
    let low = if odd {
        lost - b * (b * HALF + a)
    } else {
        angle.low - angle.low * (u * HALF)
    };
    let tail = if odd { u * u } else { u * y } * series;
    let result = main + (low + tail);
    f32::from_bits(result.to_bits() ^ (angle.quarters & 2) << 30)
}
