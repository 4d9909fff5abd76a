// Comparisons are of bits: a driver may take a subnormal for zero.

// x, or 0 where its magnitude is below least.
fn settled(x: f32, least: f32) -> f32 {
    return select(x, 0.0, (bitcast<u32>(x) & 0x7fffffffu) < bitcast<u32>(least));
}

fn settled3(x: vec3<f32>, least: f32) -> vec3<f32> {
    return vec3<f32>(settled(x.x, least), settled(x.y, least), settled(x.z, least));
}

// Whether one of three f32, given by their bits, is beyond most in magnitude, or not a number.
fn is_no_colour(bits: vec3<u32>, most: f32) -> bool {
    return any((bits & vec3<u32>(0x7fffffffu)) > vec3<u32>(bitcast<u32>(most)));
}

// The products of a row of a matrix and a vector, added from left to right.
fn row_sum(a: f32, b: f32, c: f32, vector: vec3<f32>) -> f32 {
    return seal_add(seal_add(seal_mul(a, vector.x), seal_mul(b, vector.y)), seal_mul(c, vector.z));
}
