// x^y. Follows pow.rs.

// Not an integer; an odd integer; an even integer.
const MATH_FRACTION = 0u;
const MATH_ODD = 1u;
const MATH_EVEN = 2u;

// Which of the three a finite number is, given the bits of its magnitude.
fn math_integer_kind(magnitude: u32) -> u32 {
    let exponent = magnitude >> 23u;
    let unit = 1u << ((150u - exponent) & 31u);
    let significand = (magnitude & 0x007fffffu) | 0x00800000u;
    var kind = select(MATH_EVEN, MATH_ODD, (significand & unit) != 0u);
    kind = select(kind, MATH_FRACTION, (significand & (unit - 1u)) != 0u);
    kind = select(kind, MATH_EVEN, exponent > 150u);
    return select(kind, MATH_FRACTION, exponent < 127u);
}

fn math_pow(x: f32, y: f32) -> f32 {
    let x_bits = bitcast<u32>(x);
    let y_bits = bitcast<u32>(y);
    let x_magnitude = x_bits & ~MATH_SIGN;
    let y_magnitude = y_bits & ~MATH_SIGN;
    let kind = math_integer_kind(y_magnitude);
    let sign = select(0u, x_bits & MATH_SIGN, kind == MATH_ODD);

    // From 2^40 on the result is infinite, zero or 1, and below 2^-32 it is 1, whatever y is exactly.
    let y_clamped = min(max(y_magnitude, 0x2f800000u), 0x53800000u);
    let exponent = bitcast<f32>((y_bits & MATH_SIGN) | y_clamped);
    let parts = math_log2_parts(x_magnitude);
    let main_high = math_high(parts.x);
    let main_low = seal(seal(parts.x - main_high) + parts.y);
    let exponent_high = math_high(exponent);
    let low = seal(seal(seal(exponent - exponent_high) * main_high) + seal(exponent * main_low));
    var result = sign | math_exp2_parts(seal(exponent_high * main_high), low);

    let negative = y_bits >= MATH_SIGN;
    result = select(result, MATH_NAN, x_bits >= MATH_SIGN && kind == MATH_FRACTION);
    let below = x_magnitude < MATH_ONE;
    let limit = select(select(0u, MATH_INFINITY, below == negative), MATH_ONE, x_magnitude == MATH_ONE);
    result = select(result, limit, y_magnitude == MATH_INFINITY);
    let end = sign | select(0u, MATH_INFINITY, (x_magnitude == 0u) == negative);
    result = select(result, end, x_magnitude == 0u || x_magnitude == MATH_INFINITY);
    result = select(result, MATH_NAN, max(x_magnitude, y_magnitude) > MATH_INFINITY);
    return bitcast<f32>(select(result, MATH_ONE, x_bits == MATH_ONE || y_magnitude == 0u));
}
