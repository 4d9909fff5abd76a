// e^x. Follows exp.rs.

fn math_exp(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let magnitude = bits & ~MATH_SIGN;
    // Below 2^-30 the result is 1; from 256 on it is infinite or zero.
    var clamped = select(bits, 0u, magnitude < 0x30800000u);
    clamped = select(clamped, (bits & MATH_SIGN) | 0x43800000u, magnitude >= 0x43800000u);
    let main = bitcast<f32>(clamped);
    let main_high = math_high(main);
    let rest = seal(seal(seal(main - main_high) * MATH_LOG2E) + seal(main_high * MATH_LOG2E_LOW));
    let power = math_exp2_parts(seal(main_high * MATH_LOG2E_HIGH), rest);
    return bitcast<f32>(select(power, MATH_NAN, magnitude > MATH_INFINITY));
}
