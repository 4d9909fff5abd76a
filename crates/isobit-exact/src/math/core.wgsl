// What shared math builds on: numbers by their bits, log2 as a pair, 2^f, results by their bits. Follows core.rs. Special
// values are selected last; until then they take the same way as all numbers, to a result that is thrown away.

const MATH_NAN = 0x7fc00000u;
const MATH_INFINITY = 0x7f800000u;
const MATH_ONE = 0x3f800000u;
const MATH_SIGN = 0x80000000u;
const MATH_ROUND: f32 = 12582912.0;
const MATH_HALF: f32 = 0.5;
const MATH_TWO_M31: f32 = 4.656613e-10;
const MATH_LOG2E: f32 = 1.442695;
const MATH_LOG2E_HIGH: f32 = 1.4428711;
const MATH_LOG2E_LOW: f32 = -0.00017605285;
const MATH_LN2: f32 = 0.6931472;
const MATH_LN2_HIGH: f32 = 0.69311523;
const MATH_LN2_LOW: f32 = 3.1946183e-5;
const MATH_OCTAVE_172: f32 = -0.42626953;
const MATH_OCTAVE_172_LOW: f32 = 4.776548e-6;
const MATH_OCTAVE_156: f32 = -0.2854004;
const MATH_OCTAVE_156_LOW: f32 = -1.8282373e-6;
const MATH_OCTAVE_141: f32 = -0.13952637;
const MATH_OCTAVE_141_LOW: f32 = -2.4985211e-5;
const MATH_OCTAVE_116: f32 = 0.14202881;
const MATH_OCTAVE_116_LOW: f32 = -9.803722e-6;
const MATH_OCTAVE_105: f32 = 0.2857666;
const MATH_OCTAVE_105_LOW: f32 = -1.2119229e-5;
const MATH_OCTAVE_95: f32 = 0.43011475;
const MATH_OCTAVE_95_LOW: f32 = 2.9645575e-5;
const MATH_LOG_0: f32 = 0.33333334;
const MATH_LOG_1: f32 = -0.24999951;
const MATH_LOG_2: f32 = 0.1999891;
const MATH_LOG_3: f32 = -0.16718003;
const MATH_LOG_4: f32 = 0.14588284;
const MATH_EXP_0: f32 = 0.2402265;
const MATH_EXP_1: f32 = 0.05550411;
const MATH_EXP_2: f32 = 0.009618077;
const MATH_EXP_3: f32 = 0.0013333407;
const MATH_EXP_4: f32 = 0.00015456394;
const MATH_EXP_5: f32 = 1.532226e-5;

// The first 12 significant bits of x.
fn math_high(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

// The bits of a positive finite number, a subnormal one as if the exponent went on below zero.
fn math_extended(bits: u32) -> i32 {
    // As an integer it has the same significand, 149 binades higher; the conversion is exact.
    let subnormal = bitcast<i32>(f32(i32(bits))) - 0x4a800000i;
    return select(subnormal, i32(bits), bits >= 0x00800000u);
}

// log2 of a positive finite number, given by its bits, as an unevaluated sum.
fn math_log2_parts(bits: u32) -> vec2<f32> {
    let extended = math_extended(bits);
    let exponent = (extended - 0x3f3504f3i) >> 23u;
    let reduced = u32(extended - (exponent << 23u));

    var factor = 172u;
    var octave = MATH_OCTAVE_172;
    var octave_low = MATH_OCTAVE_172_LOW;
    let above_156 = reduced >= 0x3f47ce0cu;
    factor = select(factor, 156u, above_156);
    octave = select(octave, MATH_OCTAVE_156, above_156);
    octave_low = select(octave_low, MATH_OCTAVE_156_LOW, above_156);
    let above_141 = reduced >= 0x3f5ca8f1u;
    factor = select(factor, 141u, above_141);
    octave = select(octave, MATH_OCTAVE_141, above_141);
    octave_low = select(octave_low, MATH_OCTAVE_141_LOW, above_141);
    let above_128 = reduced >= 0x3f73a0d5u;
    factor = select(factor, 128u, above_128);
    octave = select(octave, 0.0, above_128);
    octave_low = select(octave_low, 0.0, above_128);
    let above_116 = reduced >= 0x3f864b8au;
    factor = select(factor, 116u, above_116);
    octave = select(octave, MATH_OCTAVE_116, above_116);
    octave_low = select(octave_low, MATH_OCTAVE_116_LOW, above_116);
    let above_105 = reduced >= 0x3f944581u;
    factor = select(factor, 105u, above_105);
    octave = select(octave, MATH_OCTAVE_105, above_105);
    octave_low = select(octave_low, MATH_OCTAVE_105_LOW, above_105);
    let above_95 = reduced >= 0x3fa3d70au;
    factor = select(factor, 95u, above_95);
    octave = select(octave, MATH_OCTAVE_95, above_95);
    octave_low = select(octave_low, MATH_OCTAVE_95_LOW, above_95);

    // m in units of 2^-24, r in units of 2^-31; its low 7 bits are apart so that either conversion is exact.
    let significand = (reduced & 0x007fffffu) | 0x00800000u;
    let scaled = select(significand, significand << 1u, reduced >= MATH_ONE);
    let whole = i32(scaled * factor - MATH_SIGN);
    let main = seal(f32(whole & -128i) * MATH_TWO_M31);
    let a = math_high(main);
    let b = seal(seal(main - a) + seal(f32(whole & 127i) * MATH_TWO_M31));

    // ln(1 + r) for r = a + b: a - a^2/2 exactly, and the rest in single precision.
    let r = seal(a + b);
    var cubic = seal(seal(MATH_LOG_4 * r) + MATH_LOG_3);
    cubic = seal(seal(cubic * r) + MATH_LOG_2);
    cubic = seal(seal(cubic * r) + MATH_LOG_1);
    cubic = seal(seal(cubic * r) + MATH_LOG_0);
    cubic = seal(seal(seal(r * r) * r) * cubic);
    let square = seal(seal(a * a) * MATH_HALF);
    let natural = seal(a - square);
    let lost = seal(seal(a - natural) - square);
    let rest = seal(lost + seal(b + seal(cubic - seal(b * seal(seal(b * MATH_HALF) + a)))));

    let natural_high = math_high(natural);
    let product = seal(natural_high * MATH_LOG2E_HIGH);
    let natural_low = seal(seal(natural - natural_high) + rest);
    let product_low = seal(seal(natural_low * MATH_LOG2E) + seal(natural_high * MATH_LOG2E_LOW));
    // Exact: at most 8 bits before the point and 14 behind it. Zero, or not below the product.
    let whole_octaves = seal(f32(exponent) + octave);
    let sum = seal(whole_octaves + product);
    return vec2<f32>(sum, seal(seal(seal(whole_octaves - sum) + product) + seal(product_low + octave_low)));
}

// The product of the parts of a logarithm and of a constant of 24 bits.
fn math_rebase(log2: vec2<f32>, constant: f32, constant_high: f32, constant_low: f32) -> f32 {
    let log2_high = math_high(log2.x);
    let log2_low = seal(seal(log2.x - log2_high) + log2.y);
    return seal(seal(log2_high * constant_high) + seal(seal(log2_low * constant) + seal(log2_high * constant_low)));
}

// The bits of a logarithm's result: `result` for positive finite numbers, and the special values.
fn math_log_result(bits: u32, result: f32) -> f32 {
    var selected = bitcast<u32>(result);
    selected = select(selected, MATH_INFINITY, bits == MATH_INFINITY);
    // Negative or NaN.
    selected = select(selected, MATH_NAN, bits > MATH_INFINITY);
    selected = select(selected, MATH_SIGN | MATH_INFINITY, (bits & ~MATH_SIGN) == 0u);
    return bitcast<f32>(selected);
}

// Bits of 2^(a + b).
fn math_exp2_parts(a_in: f32, b_in: f32) -> u32 {
    // Beyond the range of results, whatever lies there is as good as 2^±256.
    let bits = bitcast<u32>(a_in);
    let far = (bits & ~MATH_SIGN) >= 0x43800000u;
    let a = bitcast<f32>(select(bits, (bits & MATH_SIGN) | 0x43800000u, far));
    let b = select(b_in, 0.0, far);
    let rounded = seal(seal(a + b) + MATH_ROUND);
    let exponent = i32(bitcast<u32>(rounded) - 0x4b400000u);
    let d = seal(a - seal(rounded - MATH_ROUND));
    let f = seal(d + b);
    let f_high = math_high(f);
    let f_low = seal(seal(d - f_high) + b);
    var square = seal(seal(MATH_EXP_5 * f) + MATH_EXP_4);
    square = seal(seal(square * f) + MATH_EXP_3);
    square = seal(seal(square * f) + MATH_EXP_2);
    square = seal(seal(square * f) + MATH_EXP_1);
    square = seal(seal(square * f) + MATH_EXP_0);
    square = seal(seal(f * f) * square);
    let linear = seal(f_high * MATH_LN2_HIGH);
    let rest = seal(seal(seal(f_high * MATH_LN2_LOW) + seal(f_low * MATH_LN2)) + square);
    let sum = seal(1.0 + linear);
    let lost = seal(linear - seal(sum - 1.0));
    let low = seal(lost + rest);
    let power = seal(sum + low);
    return math_scaled(power, seal(low - seal(power - sum)), exponent);
}

// Bits of (x + rest)·2^exponent, for x from 1/2 to 2.
fn math_scaled(x: f32, rest: f32, exponent: i32) -> u32 {
    let bits = bitcast<u32>(x);
    let biased = i32(bits >> 23u) + exponent;
    let normal = bits + (u32(exponent) << 23u);
    // Two more bits hold on which side of x the number lies, which is all that rounding needs to know.
    let side = select(select(0u, 0xffffffffu, rest < 0.0), 1u, rest > 0.0);
    let significand = (((bits & 0x007fffffu) | 0x00800000u) << 2u) + side;
    let shift = u32(select(3i - biased, 27i, biased < -24i)) & 31u;
    // Half a unit less one, and the odd bit: a carry exactly where the result rounds up.
    let half = (1u << ((shift - 1u) & 31u)) - 1u;
    let subnormal = (significand + half + ((significand >> shift) & 1u)) >> shift;
    return select(select(subnormal, normal, biased >= 1i), MATH_INFINITY, biased >= 255i);
}
