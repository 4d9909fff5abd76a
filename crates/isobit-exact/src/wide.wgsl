// 64-bit integers as vec2<u32>, the low word in x; signed ones in two's complement. Follows wide.rs.

// a + b, modulo 2^64.
fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    // The low word wrapped exactly if it came out below either term.
    let carry = select(0u, 1u, low < a.x);
    return vec2<u32>(low, a.y + b.y + carry);
}

// a + b, modulo 2^64.
fn wide_add_u32(a: vec2<u32>, b: u32) -> vec2<u32> {
    return wide_add(a, vec2<u32>(b, 0u));
}

// a - b, modulo 2^64.
fn wide_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let borrow = select(0u, 1u, a.x < b.x);
    return vec2<u32>(a.x - b.x, a.y - b.y - borrow);
}

// -a, modulo 2^64.
fn wide_negate(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(~a.x + 1u, ~a.y + select(0u, 1u, a.x == 0u));
}

// a · b, whole.
fn wide_mul(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    // At most (2^16 - 1)^2 + 2^16 - 1, below 2^32; so is the next line, whose carry is below 2^16 too.
    let middle = a_high * b_low + (low >> 16u);
    let cross = a_low * b_high + (middle & 0xffffu);
    let high = a_high * b_high + (middle >> 16u) + (cross >> 16u);
    return vec2<u32>((cross << 16u) | (low & 0xffffu), high);
}

// a · b, modulo 2^64.
fn wide_mul_low(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = wide_mul(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

// a · b, whole, in four words.
fn wide_mul_full(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    let low = wide_mul(a.x, b.x);
    let high = wide_mul(a.y, b.y);
    // (2^32 - 1)^2 + 2^32 - 1 is below 2^64; the second sum of two such may not be, and is kept apart.
    let first = wide_add_u32(wide_mul(a.y, b.x), low.y);
    let second = wide_add_u32(wide_mul(a.x, b.y), first.x);
    let top = wide_add_u32(wide_add_u32(high, first.y), second.y);
    return vec4<u32>(low.x, second.x, top);
}

// a · 2^n, modulo 2^64; zero from n = 64 on.
fn wide_shift_left(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n >= 32u {
        return vec2<u32>(0u, select(a.x << (n - 32u), 0u, n >= 64u));
    }
    // Two shifts, since a shift by 32 would be one by 0.
    return vec2<u32>(a.x << n, (a.y << n) | ((a.x >> 1u) >> (31u - n)));
}

// a / 2^n rounded down, a unsigned; zero from n = 64 on.
fn wide_shift_right(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n >= 32u {
        return vec2<u32>(select(a.y >> (n - 32u), 0u, n >= 64u), 0u);
    }
    return vec2<u32>((a.x >> n) | ((a.y << 1u) << (31u - n)), a.y >> n);
}

// a / 2^n rounded down, a signed; 0 or -1 from n = 64 on.
fn wide_shift_right_signed(a: vec2<u32>, n: u32) -> vec2<u32> {
    let high = bitcast<i32>(a.y);
    if n >= 32u {
        return bitcast<vec2<u32>>(vec2<i32>(high >> min(n - 32u, 31u), high >> 31u));
    }
    return vec2<u32>((a.x >> n) | ((a.y << 1u) << (31u - n)), bitcast<u32>(high >> n));
}

// Whether a = b.
fn wide_equal(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x == b.x && a.y == b.y;
}

// Whether a < b, both unsigned.
fn wide_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// Whether a < b, both signed.
fn wide_less_signed(a: vec2<u32>, b: vec2<u32>) -> bool {
    return bitcast<i32>(a.y) < bitcast<i32>(b.y) || (a.y == b.y && a.x < b.x);
}

// The lesser of a and b, both unsigned.
fn wide_min(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, wide_less(b, a));
}

// The greater of a and b, both unsigned.
fn wide_max(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, wide_less(a, b));
}

// The lesser of a and b, both signed.
fn wide_min_signed(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, wide_less_signed(b, a));
}

// The greater of a and b, both signed.
fn wide_max_signed(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, wide_less_signed(a, b));
}

// The zeros before the highest one of a; 64 for zero.
fn wide_leading_zeros(a: vec2<u32>) -> u32 {
    return select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
}

// One digit of 16 bits of a quotient: (high · 2^16 + digit) / divisor, high below divisor, the highest bit of divisor set;
// the digit in x, the remainder in y.
fn wide_digit(high: u32, digit: u32, divisor: u32) -> vec2<u32> {
    let top = divisor >> 16u;
    let bottom = divisor & 0xffffu;
    var quotient = high / top;
    var rest = high - quotient * top;
    // The estimate is at most two too large; once rest has 17 bits it is right.
    if quotient >= 0x10000u || quotient * bottom > ((rest << 16u) | digit) {
        quotient -= 1u;
        rest += top;
        if rest < 0x10000u && (quotient >= 0x10000u || quotient * bottom > ((rest << 16u) | digit)) {
            quotient -= 1u;
        }
    }
    // Below divisor, whatever the terms wrap to.
    return vec2<u32>(quotient, ((high << 16u) | digit) - quotient * divisor);
}

// a / b and the remainder; a.y below b.
fn wide_divide_u32(a: vec2<u32>, b: u32) -> vec2<u32> {
    let shift = countLeadingZeros(b);
    let divisor = b << shift;
    let scaled = wide_shift_left(a, shift);
    let first = wide_digit(scaled.y, scaled.x >> 16u, divisor);
    let second = wide_digit(first.y, scaled.x & 0xffffu, divisor);
    return vec2<u32>((first.x << 16u) | second.x, second.y >> shift);
}

// The quotient a / b rounded down in xy and the remainder in zw, both unsigned; 2^64 - 1 and a for b = 0.
fn wide_divide(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    if b.y == 0u {
        if b.x == 0u {
            return vec4<u32>(0xffffffffu, 0xffffffffu, a);
        }
        let high = a.y / b.x;
        let low = wide_divide_u32(vec2<u32>(a.x, a.y - high * b.x), b.x);
        return vec4<u32>(low.x, high, low.y, 0u);
    }
    // The quotient has one word. Half of a over the highest 32 bits of b is at most one too large.
    let shift = countLeadingZeros(b.y);
    let divisor = wide_shift_left(b, shift).y;
    let estimate = wide_divide_u32(wide_shift_right(a, 1u), divisor).x;
    var quotient = wide_shift_right(wide_shift_left(vec2<u32>(estimate, 0u), shift), 31u).x;
    quotient -= select(0u, 1u, quotient != 0u);
    var rest = wide_sub(a, wide_mul_low(vec2<u32>(quotient, 0u), b));
    if !wide_less(rest, b) {
        quotient += 1u;
        rest = wide_sub(rest, b);
    }
    return vec4<u32>(quotient, 0u, rest);
}

// The quotient a / b rounded towards zero in xy and the remainder, of the sign of a, in zw, both signed; -1 and a for b = 0;
// -2^63 over -1 wraps to -2^63 and 0.
fn wide_divide_signed(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    if b.x == 0u && b.y == 0u {
        return vec4<u32>(0xffffffffu, 0xffffffffu, a);
    }
    let a_negative = a.y >= 0x80000000u;
    let b_negative = b.y >= 0x80000000u;
    let divided = wide_divide(select(a, wide_negate(a), a_negative), select(b, wide_negate(b), b_negative));
    let quotient = select(divided.xy, wide_negate(divided.xy), a_negative != b_negative);
    return vec4<u32>(quotient, select(divided.zw, wide_negate(divided.zw), a_negative));
}
