// From stored samples to the bits of display light, in plain f32.
fn map_pixel(stored: vec3<u32>) -> vec3<u32> {
    var scene = vec3<f32>(0.0);
    for (var plane = 0u; plane < 3u; plane++) {
        let x = sample_bits(stored[plane]);
        if (x & 0x7fffffffu) > 0x7f800000u {
            return vec3<u32>(0x7fc00000u);
        }
        let clipped = select(min(x, 0x3f800000u), 0u, x >= 0x80000000u);
        scene[plane] = inverse_oetf(bitcast<f32>(clipped));
    }
    let luminance = 0.2627 * scene.x + 0.6780 * scene.y + 0.0593 * scene.z;
    if luminance <= 0.0 {
        return vec3<u32>(0u);
    }
    return bitcast<vec3<u32>>(scene * pow(luminance, 0.2));
}

fn inverse_oetf(signal: f32) -> f32 {
    if signal <= 0.5 {
        return signal * signal / 3.0;
    }
    return (exp((signal - 0.5599107) / 0.17883277) + 0.28466892) / 12.0;
}

// The bits of the f32 that a stored sample means.
fn sample_bits(stored: u32) -> u32 {
    if picture.depth_bits == 32u {
        return stored;
    }
    let max_code = (1u << picture.depth_bits) - 1u;
    return bitcast<u32>(f32(stored) / f32(max_code));
}
