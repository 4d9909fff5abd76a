//! What the functions of this module share: numbers taken apart by their bits, log2 as a pair, 2^f, and results put
//! together by their bits. Each function takes the same steps as its namesake in `core.wgsl`.

use crate::chunk::Chunk;

/// What the other chunks of shared math build on.
pub const CHUNK: Chunk = Chunk {
    name: "math_core",
    needs: &["seal"],
    source: include_str!("core.wgsl"),
};

/// Bits of the NaN that every function returns.
pub const NAN: u32 = 0x7fc0_0000;
/// Bits of +∞.
pub const INFINITY: u32 = 0x7f80_0000;
/// Bits of 1.
pub const ONE: u32 = 0x3f80_0000;
/// The sign bit.
pub const SIGN: u32 = 0x8000_0000;

super::constants! {
    /// 1.5·2^23: added to a number of magnitude below 2^21, it rounds it to an integer, to even in a tie, and holds that in
    /// its low bits.
    ROUND = 12_582_912.0,
    /// ½.
    HALF = 0.5,
    /// 2^−31.
    TWO_M31 = 4.656613e-10,
    /// log2 e to 24 bits.
    LOG2E = std::f32::consts::LOG2_E,
    /// log2 e to 12 bits.
    LOG2E_HIGH = 1.4428711,
    /// log2 e less its first 12 bits.
    LOG2E_LOW = -0.00017605285,
    /// ln 2 to 24 bits.
    LN2 = std::f32::consts::LN_2,
    /// ln 2 to 12 bits.
    LN2_HIGH = 0.69311523,
    /// ln 2 less its first 12 bits.
    LN2_LOW = 3.1946183e-5,
    /// log2(128/172) to 14 places behind the point, then what it lacks; so the next five.
    OCTAVE_172 = -0.42626953,
    OCTAVE_172_LOW = 4.776548e-6,
    OCTAVE_156 = -0.2854004,
    OCTAVE_156_LOW = -1.8282373e-6,
    OCTAVE_141 = -0.13952637,
    OCTAVE_141_LOW = -2.4985211e-5,
    OCTAVE_116 = 0.14202881,
    OCTAVE_116_LOW = -9.803722e-6,
    OCTAVE_105 = 0.2857666,
    OCTAVE_105_LOW = -1.2119229e-5,
    OCTAVE_95 = 0.43011475,
    OCTAVE_95_LOW = 2.9645575e-5,
    /// (ln(1 + r) − r + r²/2)/r³ on |r| ≤ 0.0522: error below 2^−37 of r.
    LOG_0 = 0.33333334,
    LOG_1 = -0.24999951,
    LOG_2 = 0.1999891,
    LOG_3 = -0.16718003,
    LOG_4 = 0.14588284,
    /// (2^f − 1 − f·ln 2)/f² on |f| ≤ 0.501: error below 2^−33 of 2^f.
    EXP_0 = 0.2402265,
    EXP_1 = 0.05550411,
    EXP_2 = 0.009618077,
    EXP_3 = 0.0013333407,
    EXP_4 = 0.00015456394,
    EXP_5 = 1.532226e-5,
}

/// The first 12 significant bits of `x`: the product of two such numbers is exact.
pub const fn high(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xffff_f000)
}

/// The bits of a positive finite number, a subnormal one as if the exponent went on below zero: bits 23 and up are the
/// biased exponent, which reaches down to −149 + 127 = −22.
pub const fn extended(bits: u32) -> i32 {
    if bits >= 0x0080_0000 {
        return bits as i32;
    }
    // As an integer it has the same significand, 149 binades higher; the conversion is exact.
    (bits as f32).to_bits() as i32 - (149 << 23)
}

/// log2 of a positive finite number, given by its bits, as an unevaluated sum: the second part is below 2^−8 of the first.
/// Relative error below 2^−32.
///
/// The number is 2^e·m with m from √½ to √2. One of seven factors c of 8 bits brings cm = 1 + r close to 1, exactly so:
/// a multiple of 2^−31, and a number of 24 bits where c is 1 and r may be small. Then log2 m = log2(1/c) + log2(1 + r).
pub const fn log2_parts(bits: u32) -> [f32; 2] {
    let extended = extended(bits);
    let exponent = (extended - 0x3f35_04f3) >> 23;
    let reduced = (extended - (exponent << 23)) as u32;

    let mut factor = 172;
    let mut octave = OCTAVE_172;
    let mut octave_low = OCTAVE_172_LOW;
    if reduced >= 0x3f47_ce0c {
        factor = 156;
        octave = OCTAVE_156;
        octave_low = OCTAVE_156_LOW;
    }
    if reduced >= 0x3f5c_a8f1 {
        factor = 141;
        octave = OCTAVE_141;
        octave_low = OCTAVE_141_LOW;
    }
    if reduced >= 0x3f73_a0d5 {
        factor = 128;
        octave = 0.0;
        octave_low = 0.0;
    }
    if reduced >= 0x3f86_4b8a {
        factor = 116;
        octave = OCTAVE_116;
        octave_low = OCTAVE_116_LOW;
    }
    if reduced >= 0x3f94_4581 {
        factor = 105;
        octave = OCTAVE_105;
        octave_low = OCTAVE_105_LOW;
    }
    if reduced >= 0x3fa3_d70a {
        factor = 95;
        octave = OCTAVE_95;
        octave_low = OCTAVE_95_LOW;
    }

    // m in units of 2^−24, r in units of 2^−31; its low 7 bits are apart so that either conversion is exact.
    let significand = (reduced & 0x007f_ffff) | 0x0080_0000;
    let scaled = if reduced >= ONE { significand << 1 } else { significand };
    let whole = (scaled * factor).wrapping_sub(SIGN) as i32;
    let main = (whole & !0x7f) as f32 * TWO_M31;
    let a = high(main);
    let b = (main - a) + (whole & 0x7f) as f32 * TWO_M31;

    // ln(1 + r) for r = a + b: a − a²/2 exactly, and the rest, below 2^−8 of it, in single precision.
    let r = a + b;
    let mut cubic = LOG_4 * r + LOG_3;
    cubic = cubic * r + LOG_2;
    cubic = cubic * r + LOG_1;
    cubic = cubic * r + LOG_0;
    cubic = (r * r) * r * cubic;
    let square = a * a * HALF;
    let natural = a - square;
    let lost = (a - natural) - square;
    let rest = lost + (b + (cubic - b * (b * HALF + a)));

    let natural_high = high(natural);
    let product = natural_high * LOG2E_HIGH;
    let product_low = ((natural - natural_high) + rest) * LOG2E + natural_high * LOG2E_LOW;
    // Exact: at most 8 bits before the point and 14 behind it. Zero, or not below the product.
    let whole_octaves = exponent as f32 + octave;
    let sum = whole_octaves + product;
    [sum, ((whole_octaves - sum) + product) + (product_low + octave_low)]
}

/// The product of the parts of a logarithm and of a constant of 24 bits, `constant_high` and `constant_low` its parts:
/// logarithms to other bases, rounded once but for an error of 2^−9 units in the last place.
pub const fn rebase(log2: [f32; 2], constant: f32, constant_high: f32, constant_low: f32) -> f32 {
    let log2_high = high(log2[0]);
    let log2_low = (log2[0] - log2_high) + log2[1];
    log2_high * constant_high + (log2_low * constant + log2_high * constant_low)
}

/// Bits of 2^(a + b), where b is small beside a or a is at most 256 and b below 1/8; |a + b| ≥ 2^−100 or zero.
pub const fn exp2_parts(a: f32, b: f32) -> u32 {
    // Beyond the range of results, whatever lies there is as good as 2^±256.
    let far = (a.to_bits() & !SIGN) >= 0x4380_0000;
    let a = if far {
        f32::from_bits(a.to_bits() & SIGN | 0x4380_0000)
    } else {
        a
    };
    let b = if far { 0.0 } else { b };
    let rounded = (a + b) + ROUND;
    let exponent = rounded.to_bits() as i32 - 0x4b40_0000;
    let d = a - (rounded - ROUND);
    let f = d + b;
    let f_high = high(f);
    let f_low = (d - f_high) + b;
    let mut square = EXP_5 * f + EXP_4;
    square = square * f + EXP_3;
    square = square * f + EXP_2;
    square = square * f + EXP_1;
    square = square * f + EXP_0;
    square = (f * f) * square;
    let linear = f_high * LN2_HIGH;
    let rest = (f_high * LN2_LOW + f_low * LN2) + square;
    let sum = 1.0 + linear;
    let lost = linear - (sum - 1.0);
    let low = lost + rest;
    let power = sum + low;
    scaled(power, low - (power - sum), exponent)
}

/// Bits of (x + rest)·2^`exponent`, for x of magnitude from ½ to 2 and a rest of at most half a unit in its last place: of
/// x·2^`exponent` where that is normal, and rounded to nearest, ties to even, where it is subnormal.
pub const fn scaled(x: f32, rest: f32, exponent: i32) -> u32 {
    let bits = x.to_bits();
    let biased = (bits >> 23) as i32 + exponent;
    if biased >= 255 {
        return INFINITY;
    }
    if biased >= 1 {
        return (bits as i32 + (exponent << 23)) as u32;
    }
    // Two more bits hold on which side of x the number lies, which is all that rounding needs to know.
    let side = if rest > 0.0 {
        1
    } else if rest < 0.0 {
        -1
    } else {
        0
    };
    let significand = (((((bits & 0x007f_ffff) | 0x0080_0000) << 2) as i32) + side) as u32;
    let shift = if biased < -24 { 27 } else { (3 - biased) as u32 };
    // Half a unit less one, and the odd bit: a carry exactly where the result rounds up.
    (significand + ((1 << (shift - 1)) - 1) + ((significand >> shift) & 1)) >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subnormal_results_round_to_even() {
        let half_ulp = 2f32.powi(-25);
        assert_eq!(scaled(1.0, 0.0, -149), 1);
        assert_eq!(scaled(1.0, 0.0, -150), 0, "a tie");
        assert_eq!(scaled(1.0, half_ulp, -150), 1, "above a tie");
        assert_eq!(scaled(1.000_000_1, 0.0, -150), 1);
        assert_eq!(scaled(1.5, 0.0, -149), 2, "a tie");
        assert_eq!(scaled(1.5, -half_ulp, -149), 1, "below a tie");
        assert_eq!(scaled(1.999_999_9, 0.0, -127), 0x0080_0000);
        assert_eq!(scaled(1.0, 0.0, -126), 0x0080_0000);
        assert_eq!(scaled(1.0, 0.0, -256), 0);
        assert_eq!(scaled(1.0, 0.0, 128), INFINITY);
        assert_eq!(scaled(1.5, half_ulp, 127), 1.5f32.to_bits() + (127 << 23));
    }
}
