// Positive numbers of 48 bits with an exponent of their own, and their powers. Follows mod.rs step by step.

struct Scaled {
    significand: vec2<f32>,
    exponent: i32,
}

fn scaled_bits(bits: u32) -> Scaled {
    var shift = 0u;
    var field = i32(bits >> 23u);
    if bits < 0x00800000u {
        shift = countLeadingZeros(bits) - 8u;
        field = 1 - i32(shift);
    }
    let normal = bits << shift;
    return Scaled(vec2<f32>(bitcast<f32>(0x3f800000u | (normal & 0x007fffffu)), 0.0), field - 127);
}

fn scaled_pair(pair: vec2<f32>) -> Scaled {
    let exponent = i32(bitcast<u32>(pair.x) >> 23u) - 127;
    return Scaled(times_power_of_two(pair, -exponent), exponent);
}

// Codes are below 2^16, so that any conversion of them is exact.
fn scaled_code(code: u32, max_code: u32) -> Scaled {
    return scaled_pair(ratio(vec2<f32>(f32(code), 0.0), vec2<f32>(f32(max_code), 0.0)));
}

fn at_least(x: Scaled, bound: f32) -> bool {
    let other = scaled_pair(vec2<f32>(bound, 0.0));
    let above = x.exponent == other.exponent && x.significand.x >= other.significand.x;
    return x.exponent > other.exponent || above;
}

fn times_power_of_two(x: vec2<f32>, exponent: i32) -> vec2<f32> {
    let half = exponent >> 1u;
    let first = bitcast<f32>(u32(half + 127) << 23u);
    let second = bitcast<f32>(u32(exponent - half + 127) << 23u);
    return vec2<f32>(seal_mul(seal_mul(x.x, first), second), seal_mul(seal_mul(x.y, first), second));
}

fn value(x: Scaled) -> vec2<f32> {
    return times_power_of_two(x.significand, x.exponent);
}

// The bits of x rounded to f32.
fn rounded(x: Scaled) -> u32 {
    let bits = bitcast<u32>(x.significand.x);
    let field = i32(bits >> 23u) + x.exponent;
    if field >= 255 {
        return 0x7f800000u;
    }
    if field >= 1 {
        return bits + (u32(x.exponent) << 23u);
    }
    if field < -23 {
        return 0u;
    }
    let shift = u32(1 - field);
    let significand = 0x00800000u | (bits & 0x007fffffu);
    let whole = significand >> shift;
    let fraction = significand & ((1u << shift) - 1u);
    let half = 1u << (shift - 1u);
    let low = bitcast<u32>(x.significand.y);
    let tie_up = select(low >> 31u == 0u, (whole & 1u) == 1u, (low & 0x7fffffffu) == 0u);
    let up = fraction > half || (fraction == half && tie_up);
    return whole + u32(up);
}

fn reciprocal(x: f32) -> f32 {
    var guess = bitcast<f32>(0x7ef311c3u - bitcast<u32>(x));
    for (var step = 0u; step < 4u; step++) {
        guess = seal_add(guess, seal_mul(guess, seal_sub(1.0, seal_mul(x, guess))));
    }
    return guess;
}

fn ratio(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let inverse = reciprocal(b.x);
    let quotient = seal_mul(a.x, inverse);
    let rest = pair_sub(a, pair_mul_f32(b, quotient));
    return fast_two_sum(quotient, seal_mul(rest.x, inverse));
}

fn log2_scaled(x: Scaled) -> vec2<f32> {
    let high = x.significand.x >= SQRT_2;
    let scale = select(1.0, 0.5, high);
    let exponent = x.exponent + i32(high);
    let m = vec2<f32>(seal_mul(x.significand.x, scale), seal_mul(x.significand.y, scale));
    let s = ratio(pair_add_f32(m, -1.0), pair_add_f32(m, 1.0));
    var square = vec2<f32>(0.0, 0.0);
    // 2^-36
    if (bitcast<u32>(s.x) & 0x7fffffffu) >= 0x2d800000u {
        square = pair_mul(s, s);
    }
    var tail = seal_add(seal_mul(LOG_8, square.x), LOG_7);
    tail = seal_add(seal_mul(tail, square.x), LOG_6);
    tail = seal_add(seal_mul(tail, square.x), LOG_5);
    tail = seal_add(seal_mul(tail, square.x), LOG_4);
    var sum = pair_add(LOG_3, pair_mul_f32(square, tail));
    sum = pair_add(LOG_2, pair_mul(square, sum));
    sum = pair_add(LOG_1, pair_mul(square, sum));
    sum = pair_add(LOG_0, pair_mul(square, sum));
    return pair_add_f32(pair_mul(s, sum), f32(exponent));
}

fn octave(j: u32) -> vec2<f32> {
    switch j {
        case 1u: { return OCTAVE_1; }
        case 2u: { return OCTAVE_2; }
        case 3u: { return OCTAVE_3; }
        case 4u: { return OCTAVE_4; }
        case 5u: { return OCTAVE_5; }
        case 6u: { return OCTAVE_6; }
        case 7u: { return OCTAVE_7; }
        default: { return OCTAVE_0; }
    }
}

fn exp2_scaled(x: vec2<f32>) -> Scaled {
    let eighths = seal_add(seal_mul(x.x, 8.0), ROUNDER);
    let n = bitcast<i32>(eighths) - bitcast<i32>(ROUNDER);
    let r = two_sum(seal_sub(x.x, seal_mul(seal_sub(eighths, ROUNDER), 0.125)), x.y);
    var tail = seal_add(seal_mul(EXP_7, r.x), EXP_6);
    tail = seal_add(seal_mul(tail, r.x), EXP_5);
    tail = seal_add(seal_mul(tail, r.x), EXP_4);
    var sum = pair_add(EXP_3, pair_mul_f32(r, tail));
    sum = pair_add(EXP_2, pair_mul(r, sum));
    sum = pair_add(EXP_1, pair_mul(r, sum));
    let less_one = pair_mul(r, sum);
    let base = octave(u32(n & 7));
    return Scaled(pair_add(base, pair_mul(base, less_one)), n >> 3u);
}

fn power(x: Scaled, exponent: vec2<f32>) -> Scaled {
    return exp2_scaled(pair_mul(log2_scaled(x), exponent));
}
