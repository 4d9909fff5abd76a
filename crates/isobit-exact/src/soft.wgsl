// IEEE 754 binary32 in u32 arithmetic: round to nearest even, subnormals kept, every NaN the canonical one. Follows soft.rs.

const SOFT_NAN: u32 = 0x7fc00000u;
const SOFT_INFINITY: u32 = 0x7f800000u;

// Whether a is NaN.
fn soft_is_nan(a: u32) -> bool {
    return (a & 0x7fffffffu) > SOFT_INFINITY;
}

// -a; the sign of a NaN is kept canonical.
fn soft_negate(a: u32) -> u32 {
    return select(a ^ 0x80000000u, SOFT_NAN, soft_is_nan(a));
}

// a / 2^n, the lowest bit set if any one was lost.
fn soft_shift(a: u32, n: u32) -> u32 {
    if n >= 32u {
        return select(0u, 1u, a != 0u);
    }
    let kept = a >> n;
    return kept | select(0u, 1u, (kept << n) != a);
}

// The significand of a finite number above zero in x, its highest bit at 23; in y the exponent field that goes with it, zero
// or negative for a subnormal.
fn soft_unpack(magnitude: u32) -> vec2<u32> {
    let exponent = magnitude >> 23u;
    if exponent == 0u {
        let shift = countLeadingZeros(magnitude) - 8u;
        return vec2<u32>(magnitude << shift, 1u - shift);
    }
    return vec2<u32>((magnitude & 0x7fffffu) | 0x800000u, exponent);
}

// The number with that sign bit and exponent field, rounded: bit 30 of significand is its highest, bit 0 says whether
// anything lies below.
fn soft_pack(sign: u32, exponent: i32, significand: u32) -> u32 {
    if exponent >= 255 {
        return sign | SOFT_INFINITY;
    }
    let subnormal = exponent <= 0;
    let kept = soft_shift(significand, select(0u, u32(1 - exponent), subnormal));
    let rounded = (kept + 63u + ((kept >> 7u) & 1u)) >> 7u;
    // The highest bit, and what rounding carries beyond it, count the exponent up.
    return sign | ((select(u32(exponent) - 1u, 0u, subnormal) << 23u) + rounded);
}

// a + b.
fn soft_add(a: u32, b: u32) -> u32 {
    let swapped = (a & 0x7fffffffu) < (b & 0x7fffffffu);
    let large = select(a, b, swapped);
    let small = select(b, a, swapped);
    let magnitude = large & 0x7fffffffu;
    let opposed = ((a ^ b) & 0x80000000u) != 0u;
    if magnitude >= SOFT_INFINITY {
        let undefined = magnitude > SOFT_INFINITY || (opposed && (small & 0x7fffffffu) == SOFT_INFINITY);
        return select(large, SOFT_NAN, undefined);
    }
    let large_field = magnitude >> 23u;
    let small_field = (small & 0x7fffffffu) >> 23u;
    let exponent = max(large_field, 1u);
    let distance = exponent - max(small_field, 1u);
    let large_part = ((large & 0x7fffffu) | select(0u, 0x800000u, large_field != 0u)) << 6u;
    let small_part = soft_shift(((small & 0x7fffffu) | select(0u, 0x800000u, small_field != 0u)) << 6u, distance);
    let sum = select(large_part + small_part, large_part - small_part, opposed);
    if sum == 0u {
        // A difference that vanishes is +0; zeros of one sign keep it.
        return a & b & 0x80000000u;
    }
    let shift = countLeadingZeros(sum) - 1u;
    return soft_pack(large & 0x80000000u, i32(exponent) + 1 - i32(shift), sum << shift);
}

// a - b.
fn soft_sub(a: u32, b: u32) -> u32 {
    return soft_add(a, b ^ 0x80000000u);
}

// a * b.
fn soft_mul(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & 0x80000000u;
    let x = a & 0x7fffffffu;
    let y = b & 0x7fffffffu;
    if max(x, y) >= SOFT_INFINITY {
        return select(sign | SOFT_INFINITY, SOFT_NAN, max(x, y) > SOFT_INFINITY || min(x, y) == 0u);
    }
    if min(x, y) == 0u {
        return sign;
    }
    let p = soft_unpack(x);
    let q = soft_unpack(y);
    // Bits 61 or 62 are the highest.
    let product = wide_mul(p.x << 7u, q.x << 8u);
    let significand = product.y | select(0u, 1u, product.x != 0u);
    let shift = 1u - (significand >> 30u);
    return soft_pack(sign, bitcast<i32>(p.y + q.y) - 126 - i32(shift), significand << shift);
}

// a / b.
fn soft_div(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & 0x80000000u;
    let x = a & 0x7fffffffu;
    let y = b & 0x7fffffffu;
    if max(x, y) >= SOFT_INFINITY {
        let undefined = max(x, y) > SOFT_INFINITY || x == y;
        return select(select(sign, sign | SOFT_INFINITY, x == SOFT_INFINITY), SOFT_NAN, undefined);
    }
    if min(x, y) == 0u {
        return select(select(sign, sign | SOFT_INFINITY, y == 0u), SOFT_NAN, x == y);
    }
    let p = soft_unpack(x);
    let q = soft_unpack(y);
    let shift = select(0u, 1u, p.x < q.x);
    // A leading one, then three digits of 8 bits: one bit more than a significand.
    var rest = (p.x << shift) - q.x;
    var quotient = 1u;
    for (var digit = 0u; digit < 3u; digit++) {
        rest <<= 8u;
        let next = rest / q.x;
        rest -= next * q.x;
        quotient = (quotient << 8u) | next;
    }
    let significand = (quotient << 6u) | select(0u, 1u, rest != 0u);
    return soft_pack(sign, bitcast<i32>(p.y - q.y) + 127 - i32(shift), significand);
}

// The square root of a. Takes 25 rounds of a loop.
fn soft_sqrt(a: u32) -> u32 {
    if (a & 0x7fffffffu) == 0u {
        return a;
    }
    if a >= SOFT_INFINITY {
        return select(SOFT_NAN, SOFT_INFINITY, a == SOFT_INFINITY);
    }
    let p = soft_unpack(a);
    let exponent = bitcast<i32>(p.y) - 127;
    let odd = u32(exponent) & 1u;
    // Two bits of the operand, which is below 4, make one bit of the root.
    var operand = p.x << (1u + odd);
    var root = 0u;
    var rest = 0u;
    for (var bit = 0u; bit < 25u; bit++) {
        rest = (rest << 2u) | ((operand >> 24u) & 3u);
        operand <<= 2u;
        let trial = (root << 2u) | 1u;
        root <<= 1u;
        if rest >= trial {
            rest -= trial;
            root |= 1u;
        }
    }
    return soft_pack(0u, (exponent >> 1u) + 127, (root << 6u) | select(0u, 1u, rest != 0u));
}

// A signed integer in the order of the numbers that are not NaN; both zeros are 0.
fn soft_order(a: u32) -> i32 {
    let magnitude = bitcast<i32>(a & 0x7fffffffu);
    return select(magnitude, -magnitude, a >= 0x80000000u);
}

// Whether a = b.
fn soft_equal(a: u32, b: u32) -> bool {
    return !soft_is_nan(a) && !soft_is_nan(b) && soft_order(a) == soft_order(b);
}

// Whether a < b.
fn soft_less(a: u32, b: u32) -> bool {
    return !soft_is_nan(a) && !soft_is_nan(b) && soft_order(a) < soft_order(b);
}

// Whether a <= b.
fn soft_less_equal(a: u32, b: u32) -> bool {
    return !soft_is_nan(a) && !soft_is_nan(b) && soft_order(a) <= soft_order(b);
}

// The lesser of a and b: a number rather than NaN, -0 rather than +0.
fn soft_min(a: u32, b: u32) -> u32 {
    if soft_is_nan(a) || soft_is_nan(b) {
        return select(select(a, b, soft_is_nan(a)), SOFT_NAN, soft_is_nan(a) && soft_is_nan(b));
    }
    // Zeros apart, equal numbers have equal bits.
    let first = soft_order(a) < soft_order(b) || (soft_order(a) == soft_order(b) && a >= 0x80000000u);
    return select(b, a, first);
}

// The greater of a and b: a number rather than NaN, +0 rather than -0.
fn soft_max(a: u32, b: u32) -> u32 {
    if soft_is_nan(a) || soft_is_nan(b) {
        return select(select(a, b, soft_is_nan(a)), SOFT_NAN, soft_is_nan(a) && soft_is_nan(b));
    }
    let first = soft_order(a) > soft_order(b) || (soft_order(a) == soft_order(b) && a < 0x80000000u);
    return select(b, a, first);
}

// a as a number.
fn soft_from_u32(a: u32) -> u32 {
    if a == 0u {
        return 0u;
    }
    // The highest bit goes to bit 30.
    let zeros = countLeadingZeros(a);
    let significand = select(a << (zeros - 1u), soft_shift(a, 1u), zeros == 0u);
    return soft_pack(0u, 158 - i32(zeros), significand);
}

// a as a number.
fn soft_from_i32(a: i32) -> u32 {
    let bits = bitcast<u32>(a);
    let negative = a < 0;
    let magnitude = soft_from_u32(select(bits, ~bits + 1u, negative));
    return magnitude | (bits & 0x80000000u);
}

// An unsigned 64-bit integer as a number.
fn soft_from_u64(a: vec2<u32>) -> u32 {
    if a.y == 0u {
        return soft_from_u32(a.x);
    }
    let zeros = countLeadingZeros(a.y);
    let scaled = wide_shift_left(a, zeros);
    let significand = soft_shift(scaled.y, 1u) | select(0u, 1u, scaled.x != 0u);
    return soft_pack(0u, 190 - i32(zeros), significand);
}

// A signed 64-bit integer as a number.
fn soft_from_i64(a: vec2<u32>) -> u32 {
    let sign = a.y & 0x80000000u;
    return sign | soft_from_u64(select(a, wide_negate(a), sign != 0u));
}

// The whole part of |a|, from 2^64 on 2^64 - 1; NaN is zero.
fn soft_whole(a: u32) -> vec2<u32> {
    let magnitude = a & 0x7fffffffu;
    let exponent = magnitude >> 23u;
    if exponent < 127u || magnitude > SOFT_INFINITY {
        return vec2<u32>(0u);
    }
    if exponent >= 191u {
        return vec2<u32>(0xffffffffu);
    }
    let significand = vec2<u32>((magnitude & 0x7fffffu) | 0x800000u, 0u);
    if exponent < 150u {
        return wide_shift_right(significand, 150u - exponent);
    }
    return wide_shift_left(significand, exponent - 150u);
}

// a as an integer: rounded towards zero, the nearest limit beyond the range, zero for NaN.
fn soft_to_u32(a: u32) -> u32 {
    let whole = soft_whole(a);
    return select(select(whole.x, 0xffffffffu, whole.y != 0u), 0u, a >= 0x80000000u);
}

// The same, signed.
fn soft_to_i32(a: u32) -> i32 {
    let whole = soft_whole(a);
    let negative = a >= 0x80000000u;
    let limit = select(0x7fffffffu, 0x80000000u, negative);
    let magnitude = select(min(whole.x, limit), limit, whole.y != 0u);
    return bitcast<i32>(select(magnitude, ~magnitude + 1u, negative));
}

// The same, unsigned of 64 bits.
fn soft_to_u64(a: u32) -> vec2<u32> {
    return select(soft_whole(a), vec2<u32>(0u), a >= 0x80000000u);
}

// The same, signed of 64 bits.
fn soft_to_i64(a: u32) -> vec2<u32> {
    let whole = soft_whole(a);
    if a >= 0x80000000u {
        return wide_negate(select(whole, vec2<u32>(0u, 0x80000000u), whole.y >= 0x80000000u));
    }
    return select(whole, vec2<u32>(0xffffffffu, 0x7fffffffu), whole.y >= 0x80000000u);
}

// A whole number beside a: the nearest if half, a tie going to the even one if ties_even, otherwise away from zero; if not
// half, the next one away from zero if away is 1, or towards zero if it is 0.
fn soft_integral(a: u32, away: u32, half: bool, ties_even: bool) -> u32 {
    let exponent = (a >> 23u) & 0xffu;
    if exponent >= 150u {
        return select(a, SOFT_NAN, soft_is_nan(a));
    }
    let sign = a & 0x80000000u;
    let magnitude = a & 0x7fffffffu;
    if exponent < 127u {
        let half_up = magnitude > 0x3f000000u || (magnitude == 0x3f000000u && !ties_even);
        let up = select(away != 0u && magnitude != 0u, half_up, half);
        return sign | select(0u, 0x3f800000u, up);
    }
    let bits = 150u - exponent;
    let fraction = (1u << bits) - 1u;
    // Halfway and up for rounding to nearest, less the least for a tie on an even number.
    let nearest = (1u << (bits - 1u)) - select(0u, 1u - ((a >> bits) & 1u), ties_even);
    return (a + select(away * fraction, nearest, half)) & ~fraction;
}

// The nearest whole number, the even one of two.
fn soft_round_even(a: u32) -> u32 {
    return soft_integral(a, 0u, true, true);
}

// The nearest whole number, the one farther from zero of two.
fn soft_round_away(a: u32) -> u32 {
    return soft_integral(a, 0u, true, false);
}

// The whole number towards zero.
fn soft_trunc(a: u32) -> u32 {
    return soft_integral(a, 0u, false, false);
}

// The whole number below.
fn soft_floor(a: u32) -> u32 {
    return soft_integral(a, a >> 31u, false, false);
}

// The whole number above.
fn soft_ceil(a: u32) -> u32 {
    return soft_integral(a, 1u - (a >> 31u), false, false);
}

// The bits of the nearest f16.
fn soft_to_f16(a: u32) -> u32 {
    let sign = (a >> 16u) & 0x8000u;
    let magnitude = a & 0x7fffffffu;
    if magnitude > SOFT_INFINITY {
        return 0x7e00u;
    }
    // 65520 lies halfway between the greatest number and 2^16.
    if magnitude >= 0x477ff000u {
        return sign | 0x7c00u;
    }
    let exponent = magnitude >> 23u;
    if exponent >= 113u {
        let rebased = magnitude - (112u << 23u);
        return sign | ((rebased + 0xfffu + ((rebased >> 13u) & 1u)) >> 13u);
    }
    // In units of 2^-24; what is below half of one vanishes, as all f32 subnormals do.
    let significand = soft_shift(((magnitude & 0x7fffffu) | 0x800000u) << 2u, 126u - exponent);
    let kept = select(0u, (significand + 1u + ((significand >> 2u) & 1u)) >> 2u, exponent != 0u);
    return sign | kept;
}

// The number with the f16 bits a.
fn soft_from_f16(a: u32) -> u32 {
    let sign = (a & 0x8000u) << 16u;
    let magnitude = a & 0x7fffu;
    if magnitude > 0x7c00u {
        return SOFT_NAN;
    }
    if magnitude == 0x7c00u {
        return sign | SOFT_INFINITY;
    }
    if magnitude >= 0x400u {
        return sign | ((magnitude << 13u) + (112u << 23u));
    }
    if magnitude == 0u {
        return sign;
    }
    let zeros = countLeadingZeros(magnitude);
    // The highest bit goes to bit 23, where it counts the exponent up.
    return sign | (((133u - zeros) << 23u) + (magnitude << (zeros - 8u)));
}
