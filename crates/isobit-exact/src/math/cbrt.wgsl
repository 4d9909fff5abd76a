// The cube root. Follows cbrt.rs.

const MATH_CBRT_1: f32 = 0.33333334;
const MATH_CBRT_2: f32 = 0.22222222;
const MATH_CBRT_3: f32 = 0.17283951;

fn math_cbrt(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let magnitude = bits & ~MATH_SIGN;
    let extended = math_extended(magnitude);
    // k = floor(e/3): the product and shift divide integers up to 277 by 3.
    let third = ((((extended >> 23u) + 23i) * 171i) >> 9u) - 50i;
    let reduced = u32(extended - third * 0x01800000i);
    let a = bitcast<f32>(reduced);
    // a^(-1/3): its bits are about a third of a's down from those of 1; then a cubic step.
    var root = bitcast<f32>(0x3f772800u - ((reduced - MATH_ONE) >> 8u) * 85u);
    let miss = seal(1.0 - seal(seal(a * root) * seal(root * root)));
    root = seal(root + seal(root * seal(miss * seal(seal(miss * MATH_CBRT_2) + MATH_CBRT_1))));
    let cube = seal(seal(root * root) * root);
    let inverse = seal(cube + seal(cube * seal(1.0 - seal(a * cube))));
    let t = bitcast<f32>((bitcast<u32>(seal(a * seal(root * root))) + 0x8000u) & 0xffff0000u);
    let v = seal(seal(a - seal(seal(t * t) * t)) * inverse);
    let series = seal(seal(seal(seal(v * MATH_CBRT_3) + MATH_CBRT_2) * v) + MATH_CBRT_1);
    let y = seal(t + seal(seal(t * v) * series));
    var result = (bits & MATH_SIGN) | (bitcast<u32>(y) + (u32(third) << 23u));
    result = select(result, bits, magnitude == 0u || magnitude == MATH_INFINITY);
    return bitcast<f32>(select(result, MATH_NAN, magnitude > MATH_INFINITY));
}
