// What sine and cosine share: the argument in quarter turns and their polynomials. Follows turn.rs.

const MATH_HALF_PI: f32 = 1.5707964;
const MATH_HALF_PI_HIGH: f32 = 1.5708008;
const MATH_HALF_PI_LOW: f32 = -4.454455e-6;
const MATH_SIN_0: f32 = -0.16666667;
const MATH_SIN_1: f32 = 0.008333373;
const MATH_SIN_2: f32 = -0.00019850302;
const MATH_SIN_3: f32 = 2.8045024e-6;
const MATH_COS_0: f32 = 0.041666646;
const MATH_COS_1: f32 = -0.0013887313;
const MATH_COS_2: f32 = 2.4432968e-5;

// Magnitudes below 2^-13, whose sine is the number itself and whose cosine is 1.
const MATH_TINY = 0x39000000u;

// An angle as quarter turns and the rest, at most an eighth of a turn, as an unevaluated sum in radians.
struct MathTurn {
    quarters: u32,
    main: f32,
    low: f32,
}

// The upper word of upper and lower shifted left by bit, which is below 32.
fn math_window(upper: u32, lower: u32, bit: u32) -> u32 {
    return (upper << bit) | ((lower >> 1u) >> (31u - bit));
}

// Four words from the given place, up to 4, of a zero word and 2/pi to 224 places behind the point. Selected, because many
// compilers copy a constant array before they index it.
fn math_two_over_pi(word: u32) -> vec4<u32> {
    let two = (word & 2u) != 0u;
    let v0 = select(0u, 0x4e441529u, two);
    let v1 = select(0xa2f9836eu, 0xfc2757d1u, two);
    let v2 = select(0x4e441529u, 0xf534ddc0u, two);
    let v3 = select(0xfc2757d1u, 0xdb629599u, two);
    let v4 = select(0xf534ddc0u, 0x3c439041u, two);
    let near = select(vec4<u32>(v0, v1, v2, v3), vec4<u32>(v1, v2, v3, v4), (word & 1u) != 0u);
    return select(near, vec4<u32>(0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu), (word & 4u) != 0u);
}

// The finite angle with these bits, zero if tiny.
fn math_turn(bits: u32) -> MathTurn {
    let magnitude = bits & ~MATH_SIGN;
    let place = (magnitude >> 23u) - 120u;
    let words = math_two_over_pi(place >> 5u);
    let bit = place & 31u;
    let significand = (magnitude & 0x007fffffu) | 0x00800000u;
    let high_product = significand * math_window(words.x, words.y, bit);
    let middle_product = wide_mul(significand, math_window(words.y, words.z, bit));
    let low_product = wide_mul(significand, math_window(words.z, words.w, bit));
    var sum = wide_add_u32(middle_product, low_product.y);
    sum.y += high_product;

    // Quarter turns to nearest, and what is left as sign and magnitude in units of 2^-62.
    let quarters = (sum.y + 0x20000000u) >> 30u;
    let signed_high = sum.y - (quarters << 30u);
    let flip = select(0u, 0xffffffffu, signed_high >= MATH_SIGN);
    let left = wide_add_u32(vec2<u32>(sum.x ^ flip, signed_high ^ flip), flip & 1u);
    let zeros = select(32u + countLeadingZeros(left.x), countLeadingZeros(left.y), left.y != 0u);
    let shifted = select(left, vec2<u32>(0u, left.x), zeros >= 32u);
    let upper = math_window(shifted.y, shifted.x, zeros & 31u);
    let lower = shifted.x << (zeros & 31u);

    // 24 bits, and 24 more.
    let main = seal(f32(upper >> 8u) * bitcast<f32>((105u - zeros) << 23u));
    let rest_bits = ((upper & 0xffu) << 16u) | (lower >> 16u);
    let rest = seal(f32(rest_bits) * bitcast<f32>((81u - zeros) << 23u));
    let a = math_high(main);
    let b = seal(seal(main - a) + rest);
    let product = seal(a * MATH_HALF_PI_HIGH);
    let product_low = seal(seal(b * MATH_HALF_PI) + seal(a * MATH_HALF_PI_LOW));
    let rounded = seal(product + product_low);
    let low = seal(product_low - seal(rounded - product));
    let sign = (bits ^ flip) & MATH_SIGN;

    // Up to pi/4 the angle itself.
    let small = magnitude < 0x3f490fdbu;
    let kept = select(bits, 0u, magnitude < MATH_TINY);
    return MathTurn(
        select(select(quarters, 0u - quarters, bits >= MATH_SIGN), 0u, small),
        bitcast<f32>(select(bitcast<u32>(rounded) ^ sign, kept, small)),
        bitcast<f32>(select(bitcast<u32>(low) ^ sign, 0u, small)),
    );
}

// The sine of an angle.
fn math_sine(angle: MathTurn) -> f32 {
    let y = angle.main;
    let odd = (angle.quarters & 1u) != 0u;
    let u = seal(y * y);
    var series = select(seal(seal(MATH_SIN_3 * u) + MATH_SIN_2), MATH_COS_2, odd);
    series = seal(seal(series * u) + select(MATH_SIN_1, MATH_COS_1, odd));
    series = seal(seal(series * u) + select(MATH_SIN_0, MATH_COS_0, odd));
    // The cosine's 1 - y^2/2 exactly for the first 12 bits of y, and the rest in single precision.
    let a = math_high(y);
    let b = seal(seal(y - a) + angle.low);
    let square = seal(seal(a * a) * MATH_HALF);
    let cosine = seal(1.0 - square);
    let lost = seal(seal(1.0 - cosine) - square);
    let main = select(y, cosine, odd);
    let cosine_low = seal(lost - seal(b * seal(seal(b * MATH_HALF) + a)));
    let sine_low = seal(angle.low - seal(angle.low * seal(u * MATH_HALF)));
    let low = select(sine_low, cosine_low, odd);
    let tail = seal(seal(u * select(y, u, odd)) * series);
    let result = seal(main + seal(low + tail));
    return bitcast<f32>(bitcast<u32>(result) ^ ((angle.quarters & 2u) << 30u));
}
