// From the stored samples of two pixels to the bits of their difference, in plain f32.
fn map_pair(a: vec3<u32>, b: vec3<u32>) -> u32 {
    let first = vec3<u32>(sample_bits(a.x), sample_bits(a.y), sample_bits(a.z));
    let second = vec3<u32>(sample_bits(b.x), sample_bits(b.y), sample_bits(b.z));
    let x = native_linear(bitcast<vec3<f32>>(first));
    let y = native_linear(bitcast<vec3<f32>>(second));
    let encoded = max(first & vec3<u32>(0x7fffffffu), second & vec3<u32>(0x7fffffffu));
    let linear = max(bitcast<vec3<u32>>(abs(x)), bitcast<vec3<u32>>(abs(y)));
    if any(max(encoded, linear) > vec3<u32>(bitcast<u32>(MOST_LIGHT))) {
        return 0x7fc00000u;
    }
    return bitcast<u32>(native_difference(x, y));
}

// The bits of the f32 that a stored sample means.
fn sample_bits(stored: u32) -> u32 {
    if picture.depth_bits == 32u {
        return stored;
    }
    let max_code = (1u << picture.depth_bits) - 1u;
    return bitcast<u32>(f32(stored) / f32(max_code));
}
