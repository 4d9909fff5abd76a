// The angle of a point. Follows atan2.rs.

const MATH_QUARTER_PI_HIGH: f32 = 0.7853985;
const MATH_QUARTER_PI_LOW: f32 = -3.1987892e-7;
const MATH_ATAN_0: f32 = -0.33333313;
const MATH_ATAN_1: f32 = 0.1999839;
const MATH_ATAN_2: f32 = -0.14242236;
const MATH_ATAN_3: f32 = 0.10585444;
const MATH_ATAN_4: f32 = -0.06059209;
const MATH_TAN_EIGHTH: f32 = 0.41421357;

// The magnitude of a coordinate beside an infinite one: 1 if it is infinite too, else 0.
fn math_beside_infinity(magnitude: u32) -> u32 {
    return select(0u, MATH_ONE, magnitude >= MATH_INFINITY);
}

fn math_atan2(y: f32, x: f32) -> f32 {
    let y_bits = bitcast<u32>(y);
    let x_bits = bitcast<u32>(x);
    var y_magnitude = y_bits & ~MATH_SIGN;
    var x_magnitude = x_bits & ~MATH_SIGN;
    let nan = max(y_magnitude, x_magnitude) > MATH_INFINITY;
    // An infinite coordinate is as 1 beside 1 or 0.
    let infinite = max(y_magnitude, x_magnitude) == MATH_INFINITY;
    y_magnitude = select(y_magnitude, math_beside_infinity(y_magnitude), infinite);
    x_magnitude = select(x_magnitude, math_beside_infinity(x_magnitude), infinite);

    let steep = y_magnitude > x_magnitude;
    let lesser = min(y_magnitude, x_magnitude);
    let greater = max(y_magnitude, x_magnitude);
    // Significands from 1 to 2, and how many binades the lesser lies below.
    let lesser_extended = math_extended(lesser);
    let greater_extended = math_extended(greater);
    let below = (greater_extended >> 23u) - (lesser_extended >> 23u);
    let n = bitcast<f32>(select((u32(lesser_extended) & 0x007fffffu) | MATH_ONE, 0u, lesser == 0u));
    let d = bitcast<f32>((u32(greater_extended) & 0x007fffffu) | MATH_ONE);
    // A ratio below 2^-30 hardly shows beside a multiple of pi/4.
    let down = bitcast<f32>(u32(127i - min(below, 30i)) << 23u);
    let near = seal(n * down);

    // Compared as products, the ratio and a number close to tan(pi/8).
    let diagonal = near > seal(d * MATH_TAN_EIGHTH);
    let numerator = select(vec2<f32>(n, 0.0), two_sum(d, -near), diagonal);
    let denominator = select(vec2<f32>(d, 0.0), fast_two_sum(d, near), diagonal);
    var inverse = bitcast<f32>(0x7ef311c3u - bitcast<u32>(denominator.x));
    inverse = seal(inverse * seal(2.0 - seal(denominator.x * inverse)));
    inverse = seal(inverse * seal(2.0 - seal(denominator.x * inverse)));
    inverse = seal(inverse * seal(2.0 - seal(denominator.x * inverse)));
    let quotient = seal(numerator.x * inverse);
    let product = two_product(quotient, denominator.x);
    let correction = seal(numerator.y - seal(quotient * denominator.y));
    let missing = seal(seal(seal(numerator.x - product.x) - product.y) + correction);
    let quotient_low = seal(missing * inverse);

    let left = x_bits >= MATH_SIGN;
    let axis = select(0i, 2i, steep);
    let sector = select(axis, 4i - axis, left);
    let sector_minus = steep != left;
    // The ratio itself, down to the subnormal: its cube does not show.
    let ratio = fast_two_sum(quotient, quotient_low);
    let flat = select(math_scaled(ratio.x, ratio.y, -below), 0u, lesser == 0u);

    let eighths = sector + select(0i, select(1i, -1i, sector_minus), diagonal);
    let minus = sector_minus != diagonal;
    let scale = select(down, 1.0, diagonal);
    let t = seal(quotient * scale);
    let u = seal(t * t);
    var series = seal(seal(MATH_ATAN_4 * u) + MATH_ATAN_3);
    series = seal(seal(series * u) + MATH_ATAN_2);
    series = seal(seal(series * u) + MATH_ATAN_1);
    series = seal(seal(series * u) + MATH_ATAN_0);
    let low = seal(quotient_low * scale);
    let rest = seal(seal(low - seal(low * u)) + seal(seal(u * t) * series));
    let flip = select(0u, MATH_SIGN, minus);
    let t_signed = bitcast<f32>(bitcast<u32>(t) ^ flip);
    let rest_signed = bitcast<f32>(bitcast<u32>(rest) ^ flip);
    let count = f32(eighths);
    let sum = fast_two_sum(seal(count * MATH_QUARTER_PI_HIGH), t_signed);
    let result = seal(sum.x + seal(sum.y + seal(seal(count * MATH_QUARTER_PI_LOW) + rest_signed)));
    let angle = select(bitcast<u32>(result), flat, sector == 0i && below >= 20i);
    return bitcast<f32>(select((y_bits & MATH_SIGN) | angle, MATH_NAN, nan));
}
