// IEEE 754 binary64 as vec2<u32>, the low word in x: round to nearest even, subnormals kept, every NaN the canonical one.
// Follows soft64.rs; the steps are those of soft.wgsl.

const SOFT64_NAN: vec2<u32> = vec2<u32>(0u, 0x7ff80000u);
const SOFT64_INFINITY: u32 = 0x7ff00000u;

// A finite number above zero: the highest bit of the significand is bit 52, the exponent field goes with it.
struct Soft64 {
    significand: vec2<u32>,
    exponent: i32,
}

// Whether a is NaN.
fn soft64_is_nan(a: vec2<u32>) -> bool {
    let high = a.y & 0x7fffffffu;
    return high > SOFT64_INFINITY || (high == SOFT64_INFINITY && a.x != 0u);
}

// a without its sign.
fn soft64_magnitude(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x, a.y & 0x7fffffffu);
}

// -a; the sign of a NaN is kept canonical.
fn soft64_negate(a: vec2<u32>) -> vec2<u32> {
    return select(vec2<u32>(a.x, a.y ^ 0x80000000u), SOFT64_NAN, soft64_is_nan(a));
}

// a / 2^n, the lowest bit set if any one was lost.
fn soft64_shift(a: vec2<u32>, n: u32) -> vec2<u32> {
    let kept = wide_shift_right(a, n);
    let lost = !wide_equal(wide_shift_left(kept, n), a);
    return vec2<u32>(kept.x | select(0u, 1u, lost), kept.y);
}

fn soft64_unpack(magnitude: vec2<u32>) -> Soft64 {
    let exponent = magnitude.y >> 20u;
    if exponent == 0u {
        let shift = wide_leading_zeros(magnitude) - 11u;
        return Soft64(wide_shift_left(magnitude, shift), 1 - i32(shift));
    }
    return Soft64(vec2<u32>(magnitude.x, (magnitude.y & 0xfffffu) | 0x100000u), i32(exponent));
}

// The number with that sign bit and exponent field, rounded: bit 62 of significand is its highest, bit 0 says whether
// anything lies below.
fn soft64_pack(sign: u32, exponent: i32, significand: vec2<u32>) -> vec2<u32> {
    if exponent >= 2047 {
        return vec2<u32>(0u, sign | SOFT64_INFINITY);
    }
    var kept = significand;
    var field = 0u;
    if exponent <= 0 {
        kept = soft64_shift(significand, u32(1 - exponent));
    } else {
        field = u32(exponent) - 1u;
    }
    let raised = wide_add_u32(kept, 511u + ((kept.x >> 10u) & 1u));
    let rounded = wide_shift_right(raised, 10u);
    // The highest bit, and what rounding carries beyond it, count the exponent up.
    return vec2<u32>(rounded.x, sign | ((field << 20u) + rounded.y));
}

// a + b.
fn soft64_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let swapped = wide_less(soft64_magnitude(a), soft64_magnitude(b));
    let large = select(a, b, swapped);
    let small = select(b, a, swapped);
    let opposed = ((a.y ^ b.y) & 0x80000000u) != 0u;
    let large_field = (large.y >> 20u) & 0x7ffu;
    let small_field = (small.y >> 20u) & 0x7ffu;
    if large_field == 0x7ffu {
        let undefined = soft64_is_nan(large) || (opposed && small_field == 0x7ffu);
        return select(large, SOFT64_NAN, undefined);
    }
    let exponent = max(large_field, 1u);
    let distance = exponent - max(small_field, 1u);
    let large_bits = vec2<u32>(large.x, (large.y & 0xfffffu) | select(0u, 0x100000u, large_field != 0u));
    let small_bits = vec2<u32>(small.x, (small.y & 0xfffffu) | select(0u, 0x100000u, small_field != 0u));
    let large_part = wide_shift_left(large_bits, 9u);
    let small_part = soft64_shift(wide_shift_left(small_bits, 9u), distance);
    var sum = wide_add(large_part, small_part);
    if opposed {
        sum = wide_sub(large_part, small_part);
    }
    if sum.x == 0u && sum.y == 0u {
        // A difference that vanishes is +0; zeros of one sign keep it.
        return vec2<u32>(0u, a.y & b.y & 0x80000000u);
    }
    let shift = wide_leading_zeros(sum) - 1u;
    return soft64_pack(large.y & 0x80000000u, i32(exponent) + 1 - i32(shift), wide_shift_left(sum, shift));
}

// a - b.
fn soft64_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return soft64_add(a, vec2<u32>(b.x, b.y ^ 0x80000000u));
}

// a * b.
fn soft64_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & 0x80000000u;
    let x = soft64_magnitude(a);
    let y = soft64_magnitude(b);
    let vanishes = (x.x | x.y) == 0u || (y.x | y.y) == 0u;
    if max(x.y, y.y) >= SOFT64_INFINITY {
        let undefined = vanishes || soft64_is_nan(a) || soft64_is_nan(b);
        return select(vec2<u32>(0u, sign | SOFT64_INFINITY), SOFT64_NAN, undefined);
    }
    if vanishes {
        return vec2<u32>(0u, sign);
    }
    let p = soft64_unpack(x);
    let q = soft64_unpack(y);
    // Bits 125 or 126 are the highest.
    let product = wide_mul_full(wide_shift_left(p.significand, 10u), wide_shift_left(q.significand, 11u));
    let significand = vec2<u32>(product.z | select(0u, 1u, (product.x | product.y) != 0u), product.w);
    let shift = 1u - (significand.y >> 30u);
    return soft64_pack(sign, p.exponent + q.exponent - 1022 - i32(shift), wide_shift_left(significand, shift));
}

// a / b.
fn soft64_div(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & 0x80000000u;
    let x = soft64_magnitude(a);
    let y = soft64_magnitude(b);
    let infinite = vec2<u32>(0u, sign | SOFT64_INFINITY);
    if max(x.y, y.y) >= SOFT64_INFINITY {
        let undefined = soft64_is_nan(a) || soft64_is_nan(b) || wide_equal(x, y);
        return select(select(vec2<u32>(0u, sign), infinite, x.y == SOFT64_INFINITY), SOFT64_NAN, undefined);
    }
    let x_zero = (x.x | x.y) == 0u;
    let y_zero = (y.x | y.y) == 0u;
    if x_zero || y_zero {
        return select(select(vec2<u32>(0u, sign), infinite, y_zero), SOFT64_NAN, x_zero && y_zero);
    }
    let p = soft64_unpack(x);
    let q = soft64_unpack(y);
    let shift = select(0u, 1u, wide_less(p.significand, q.significand));
    // A leading one, then five digits of 11 bits: three bits more than a significand.
    var rest = wide_sub(wide_shift_left(p.significand, shift), q.significand);
    var quotient = vec2<u32>(1u, 0u);
    for (var digit = 0u; digit < 5u; digit++) {
        rest = wide_shift_left(rest, 11u);
        // From the high words alone, at most one too small.
        var next = rest.y / (q.significand.y + 1u);
        rest = wide_sub(rest, wide_mul_low(q.significand, vec2<u32>(next, 0u)));
        if !wide_less(rest, q.significand) {
            rest = wide_sub(rest, q.significand);
            next += 1u;
        }
        quotient = wide_shift_left(quotient, 11u);
        quotient.x |= next;
    }
    var significand = wide_shift_left(quotient, 7u);
    significand.x |= select(0u, 1u, (rest.x | rest.y) != 0u);
    return soft64_pack(sign, p.exponent - q.exponent + 1023 - i32(shift), significand);
}

// The square root of a. Takes 54 rounds of a loop.
fn soft64_sqrt(a: vec2<u32>) -> vec2<u32> {
    if (a.x | (a.y & 0x7fffffffu)) == 0u {
        return a;
    }
    if a.y >= SOFT64_INFINITY {
        return select(SOFT64_NAN, a, a.y == SOFT64_INFINITY && a.x == 0u);
    }
    let p = soft64_unpack(a);
    let exponent = p.exponent - 1023;
    // Two bits of the operand, which is below 4, make one bit of the root.
    var operand = wide_shift_left(p.significand, u32(exponent) & 1u);
    var root = vec2<u32>(0u);
    var rest = vec2<u32>(0u);
    for (var bit = 0u; bit < 54u; bit++) {
        rest = wide_shift_left(rest, 2u);
        rest.x |= (operand.y >> 20u) & 3u;
        operand = wide_shift_left(operand, 2u);
        root = wide_shift_left(root, 1u);
        // Twice the root so far, and one.
        let trial = vec2<u32>((root.x << 1u) | 1u, (root.y << 1u) | (root.x >> 31u));
        if !wide_less(rest, trial) {
            rest = wide_sub(rest, trial);
            root.x |= 1u;
        }
    }
    var significand = wide_shift_left(root, 9u);
    significand.x |= select(0u, 1u, (rest.x | rest.y) != 0u);
    return soft64_pack(0u, (exponent >> 1u) + 1023, significand);
}

// A signed integer in the order of the numbers that are not NaN; both zeros are 0.
fn soft64_order(a: vec2<u32>) -> vec2<u32> {
    let magnitude = soft64_magnitude(a);
    return select(magnitude, wide_negate(magnitude), a.y >= 0x80000000u);
}

// Whether a = b.
fn soft64_equal(a: vec2<u32>, b: vec2<u32>) -> bool {
    return !soft64_is_nan(a) && !soft64_is_nan(b) && wide_equal(soft64_order(a), soft64_order(b));
}

// Whether a < b.
fn soft64_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return !soft64_is_nan(a) && !soft64_is_nan(b) && wide_less_signed(soft64_order(a), soft64_order(b));
}

// Whether a <= b.
fn soft64_less_equal(a: vec2<u32>, b: vec2<u32>) -> bool {
    return !soft64_is_nan(a) && !soft64_is_nan(b) && !wide_less_signed(soft64_order(b), soft64_order(a));
}

// The lesser of a and b: a number rather than NaN, -0 rather than +0.
fn soft64_min(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if soft64_is_nan(a) || soft64_is_nan(b) {
        return select(select(a, b, soft64_is_nan(a)), SOFT64_NAN, soft64_is_nan(a) && soft64_is_nan(b));
    }
    // Zeros apart, equal numbers have equal bits.
    let first = !soft64_less(b, a) && (soft64_less(a, b) || a.y >= 0x80000000u);
    return select(b, a, first);
}

// The greater of a and b: a number rather than NaN, +0 rather than -0.
fn soft64_max(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if soft64_is_nan(a) || soft64_is_nan(b) {
        return select(select(a, b, soft64_is_nan(a)), SOFT64_NAN, soft64_is_nan(a) && soft64_is_nan(b));
    }
    let first = !soft64_less(a, b) && (soft64_less(b, a) || a.y < 0x80000000u);
    return select(b, a, first);
}

// An unsigned 64-bit integer as a number.
fn soft64_from_u64(a: vec2<u32>) -> vec2<u32> {
    if (a.x | a.y) == 0u {
        return a;
    }
    let zeros = wide_leading_zeros(a);
    // The highest bit goes to bit 62.
    let significand = soft64_shift(wide_shift_left(a, zeros), 1u);
    return soft64_pack(0u, 1086 - i32(zeros), significand);
}

// A signed 64-bit integer as a number.
fn soft64_from_i64(a: vec2<u32>) -> vec2<u32> {
    let sign = a.y & 0x80000000u;
    let magnitude = soft64_from_u64(select(a, wide_negate(a), sign != 0u));
    return vec2<u32>(magnitude.x, magnitude.y | sign);
}

// a as a number, always exact.
fn soft64_from_u32(a: u32) -> vec2<u32> {
    if a == 0u {
        return vec2<u32>(0u);
    }
    let zeros = countLeadingZeros(a);
    let significand = wide_shift_left(vec2<u32>(a, 0u), zeros + 21u);
    return vec2<u32>(significand.x, ((1053u - zeros) << 20u) + significand.y);
}

// a as a number, always exact.
fn soft64_from_i32(a: i32) -> vec2<u32> {
    let bits = bitcast<u32>(a);
    let magnitude = soft64_from_u32(select(bits, ~bits + 1u, a < 0));
    return vec2<u32>(magnitude.x, magnitude.y | (bits & 0x80000000u));
}

// The number with the f32 bits a, always exact.
fn soft64_from_f32(a: u32) -> vec2<u32> {
    let sign = a & 0x80000000u;
    let magnitude = a & 0x7fffffffu;
    if magnitude > SOFT_INFINITY {
        return SOFT64_NAN;
    }
    if magnitude == SOFT_INFINITY {
        return vec2<u32>(0u, sign | SOFT64_INFINITY);
    }
    if magnitude == 0u {
        return vec2<u32>(0u, sign);
    }
    let p = soft_unpack(magnitude);
    // The highest bit of the significand counts the exponent up.
    return vec2<u32>(p.x << 29u, sign | (((p.y + 895u) << 20u) + (p.x >> 3u)));
}

// The bits of the nearest f32.
fn soft64_to_f32(a: vec2<u32>) -> u32 {
    let sign = a.y & 0x80000000u;
    if soft64_is_nan(a) {
        return SOFT_NAN;
    }
    let field = (a.y >> 20u) & 0x7ffu;
    if field == 0u {
        // Far below half of the least f32.
        return sign;
    }
    let significand = soft64_shift(vec2<u32>(a.x, (a.y & 0xfffffu) | 0x100000u), 22u).x;
    return soft_pack(sign, i32(field) - 896, significand);
}

// The whole part of |a|, from 2^64 on 2^64 - 1; NaN is zero.
fn soft64_whole(a: vec2<u32>) -> vec2<u32> {
    let field = (a.y >> 20u) & 0x7ffu;
    if field < 1023u || soft64_is_nan(a) {
        return vec2<u32>(0u);
    }
    if field >= 1087u {
        return vec2<u32>(0xffffffffu);
    }
    let significand = vec2<u32>(a.x, (a.y & 0xfffffu) | 0x100000u);
    if field < 1075u {
        return wide_shift_right(significand, 1075u - field);
    }
    return wide_shift_left(significand, field - 1075u);
}

// a as an integer: rounded towards zero, the nearest limit beyond the range, zero for NaN.
fn soft64_to_u32(a: vec2<u32>) -> u32 {
    let whole = soft64_whole(a);
    return select(select(whole.x, 0xffffffffu, whole.y != 0u), 0u, a.y >= 0x80000000u);
}

// The same, signed.
fn soft64_to_i32(a: vec2<u32>) -> i32 {
    let whole = soft64_whole(a);
    let negative = a.y >= 0x80000000u;
    let limit = select(0x7fffffffu, 0x80000000u, negative);
    let magnitude = select(min(whole.x, limit), limit, whole.y != 0u);
    return bitcast<i32>(select(magnitude, ~magnitude + 1u, negative));
}

// The same, unsigned of 64 bits.
fn soft64_to_u64(a: vec2<u32>) -> vec2<u32> {
    return select(soft64_whole(a), vec2<u32>(0u), a.y >= 0x80000000u);
}

// The same, signed of 64 bits.
fn soft64_to_i64(a: vec2<u32>) -> vec2<u32> {
    let whole = soft64_whole(a);
    if a.y >= 0x80000000u {
        return wide_negate(select(whole, vec2<u32>(0u, 0x80000000u), whole.y >= 0x80000000u));
    }
    return select(whole, vec2<u32>(0xffffffffu, 0x7fffffffu), whole.y >= 0x80000000u);
}

// A whole number beside a: the nearest if half, a tie going to the even one if ties_even, otherwise away from zero; if not
// half, the next one away from zero if away, or towards zero if not.
fn soft64_integral(a: vec2<u32>, away: bool, half: bool, ties_even: bool) -> vec2<u32> {
    let field = (a.y >> 20u) & 0x7ffu;
    if field >= 1075u {
        return select(a, SOFT64_NAN, soft64_is_nan(a));
    }
    let magnitude = soft64_magnitude(a);
    if field < 1023u {
        let tie = magnitude.y == 0x3fe00000u && magnitude.x == 0u;
        let half_up = magnitude.y >= 0x3fe00000u && !(tie && ties_even);
        let up = select(away && (magnitude.x | magnitude.y) != 0u, half_up, half);
        return vec2<u32>(0u, (a.y & 0x80000000u) | select(0u, 0x3ff00000u, up));
    }
    let bits = 1075u - field;
    let fraction = wide_sub(wide_shift_left(vec2<u32>(1u, 0u), bits), vec2<u32>(1u, 0u));
    // Halfway and up for rounding to nearest, less the least for a tie on an even number.
    let even = ties_even && (wide_shift_right(a, bits).x & 1u) == 0u;
    let nearest = wide_sub(wide_shift_left(vec2<u32>(1u, 0u), bits - 1u), vec2<u32>(select(0u, 1u, even), 0u));
    let raised = wide_add(a, select(select(vec2<u32>(0u), fraction, away), nearest, half));
    return raised & ~fraction;
}

// The nearest whole number, the even one of two.
fn soft64_round_even(a: vec2<u32>) -> vec2<u32> {
    return soft64_integral(a, false, true, true);
}

// The nearest whole number, the one farther from zero of two.
fn soft64_round_away(a: vec2<u32>) -> vec2<u32> {
    return soft64_integral(a, false, true, false);
}

// The whole number towards zero.
fn soft64_trunc(a: vec2<u32>) -> vec2<u32> {
    return soft64_integral(a, false, false, false);
}

// The whole number below.
fn soft64_floor(a: vec2<u32>) -> vec2<u32> {
    return soft64_integral(a, a.y >= 0x80000000u, false, false);
}

// The whole number above.
fn soft64_ceil(a: vec2<u32>) -> vec2<u32> {
    return soft64_integral(a, a.y < 0x80000000u, false, false);
}

// The bits of the nearest f16, rounded once.
fn soft64_to_f16(a: vec2<u32>) -> u32 {
    let sign = a.y & 0x80000000u;
    if soft64_is_nan(a) {
        return soft_to_f16(SOFT_NAN);
    }
    // Below every normal f32, and far below half of the least f16.
    if ((a.y >> 20u) & 0x7ffu) < 897u {
        return sign >> 16u;
    }
    if (a.y & 0x7fffffffu) >= 0x47f00000u {
        return soft_to_f16(sign | SOFT_INFINITY);
    }
    // The f32 towards zero, its last bit set if that is inexact; its exponent field is lower by 896, modulo 2^9 here.
    let odd = soft64_shift(soft64_magnitude(a), 29u).x - 0xc0000000u;
    return soft_to_f16(sign | odd);
}

// The number with the f16 bits a, always exact.
fn soft64_from_f16(a: u32) -> vec2<u32> {
    return soft64_from_f32(soft_from_f16(a));
}
