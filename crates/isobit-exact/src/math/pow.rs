//! x^y.

use super::core::{INFINITY, NAN, ONE, SIGN, exp2_parts, high, log2_parts};
use crate::chunk::Chunk;

/// `math_pow`.
pub const CHUNK: Chunk = Chunk {
    name: "math_pow",
    needs: &["math_core"],
    source: include_str!("pow.wgsl"),
};

/// `x`^`y`; error below 0.9 ULP, special values as `pow` of C Annex F.
pub const fn pow(x: f32, y: f32) -> f32 {
    let (x_bits, y_bits) = (x.to_bits(), y.to_bits());
    let (x_magnitude, y_magnitude) = (x_bits & !SIGN, y_bits & !SIGN);
    if x_bits == ONE || y_magnitude == 0 {
        return 1.0;
    }
    if x_magnitude > INFINITY || y_magnitude > INFINITY {
        return f32::from_bits(NAN);
    }
    let kind = integer_kind(y_magnitude);
    let sign = if kind == ODD { x_bits & SIGN } else { 0 };
    if x_magnitude == 0 || x_magnitude == INFINITY {
        let large = (x_magnitude == 0) == (y_bits >= SIGN);
        return f32::from_bits(sign | if large { INFINITY } else { 0 });
    }
    if y_magnitude == INFINITY {
        if x_magnitude == ONE {
            return 1.0;
        }
        let large = (x_magnitude < ONE) == (y_bits >= SIGN);
        return f32::from_bits(if large { INFINITY } else { 0 });
    }
    if x_bits >= SIGN && kind == FRACTION {
        return f32::from_bits(NAN);
    }
    // From 2^40 on the result is infinite, zero or 1, and below 2^−32 it is 1, whatever y is exactly.
    let mut y_clamped = if y_magnitude < 0x2f80_0000 {
        0x2f80_0000
    } else {
        y_magnitude
    };
    y_clamped = if y_clamped > 0x5380_0000 {
        0x5380_0000
    } else {
        y_clamped
    };
    let y = f32::from_bits(y_bits & SIGN | y_clamped);
    let [main, rest] = log2_parts(x_magnitude);
    let main_high = high(main);
    let main_low = (main - main_high) + rest;
    let y_high = high(y);
    let low = (y - y_high) * main_high + y * main_low;
    f32::from_bits(sign | exp2_parts(y_high * main_high, low))
}

/// Not an integer.
pub const FRACTION: u32 = 0;
/// An odd integer.
pub const ODD: u32 = 1;
/// An even integer.
pub const EVEN: u32 = 2;

/// Which of the three a finite number is, given the bits of its magnitude.
const fn integer_kind(magnitude: u32) -> u32 {
    let exponent = magnitude >> 23;
    if exponent < 127 {
        return FRACTION;
    }
    if exponent > 150 {
        return EVEN;
    }
    let unit = 1 << (150 - exponent);
    let significand = (magnitude & 0x007f_ffff) | 0x0080_0000;
    if significand & (unit - 1) != 0 {
        return FRACTION;
    }
    if significand & unit != 0 { ODD } else { EVEN }
}
