// From stored samples to the bits of display light. Follows reference.rs; scene light is not negative, so its bits are in
// the order of its values.
fn map_pixel(stored: vec3<u32>) -> vec3<u32> {
    var scene = stored;
    for (var plane = 0u; plane < 3u; plane++) {
        scene[plane] = transfer_sample(stored[plane], picture.depth_bits);
    }
    if any((scene & vec3<u32>(0x7fffffffu)) > vec3<u32>(0x7f800000u)) {
        return vec3<u32>(0x7fc00000u);
    }
    scene = select(scene, vec3<u32>(0u), scene < vec3<u32>(bitcast<u32>(HLG_LEAST)));
    let light = bitcast<vec3<f32>>(scene);
    let red_green = seal_add(seal_mul(HLG_RED, light.x), seal_mul(HLG_GREEN, light.y));
    let luminance = bitcast<u32>(seal_add(red_green, seal_mul(HLG_BLUE, light.z)));
    if luminance == 0u {
        return vec3<u32>(0u);
    }
    let gain = power(scaled_bits(luminance), HLG_GAMMA_LESS_1);
    var display = vec3<u32>(0u);
    for (var plane = 0u; plane < 3u; plane++) {
        if scene[plane] != 0u {
            let scaled = scaled_bits(scene[plane]);
            let significand = pair_mul_f32(gain.significand, scaled.significand.x);
            display[plane] = rounded(Scaled(significand, gain.exponent + scaled.exponent));
        }
    }
    return display;
}
