// From stored samples to the bits of L, a and b, in plain f32.
fn map_pixel(stored: vec3<u32>) -> vec3<u32> {
    let encoded = vec3<u32>(sample_bits(stored.x), sample_bits(stored.y), sample_bits(stored.z));
    let linear = native_linear(bitcast<vec3<f32>>(encoded));
    let magnitudes = (max(encoded, bitcast<vec3<u32>>(linear)) & vec3<u32>(0x7fffffffu));
    if any(magnitudes > vec3<u32>(bitcast<u32>(MOST_LIGHT))) {
        return vec3<u32>(0x7fc00000u);
    }
    return bitcast<vec3<u32>>(native_oklab(linear));
}

// The bits of the f32 that a stored sample means.
fn sample_bits(stored: u32) -> u32 {
    if picture.depth_bits == 32u {
        return stored;
    }
    let max_code = (1u << picture.depth_bits) - 1u;
    return bitcast<u32>(f32(stored) / f32(max_code));
}
