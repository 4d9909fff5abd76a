// From stored samples to the bits of an sRGB colour, in plain f32.
fn map_pixel(stored: vec3<u32>) -> vec3<u32> {
    let bits = vec3<u32>(lab_bits(stored.x, 0u), lab_bits(stored.y, 1u), lab_bits(stored.z, 2u));
    if any((bits & vec3<u32>(0x7fffffffu)) > vec3<u32>(bitcast<u32>(MOST_ROOT))) {
        return vec3<u32>(0x7fc00000u);
    }
    let lab = bitcast<vec3<f32>>(bits);
    let roots = vec3<f32>(
        lab.x + ROOT_01 * lab.y + ROOT_02 * lab.z,
        lab.x + ROOT_11 * lab.y + ROOT_12 * lab.z,
        lab.x + ROOT_21 * lab.y + ROOT_22 * lab.z,
    );
    let cones = roots * roots * roots;
    let linear = vec3<f32>(
        RGB_00 * cones.x + RGB_01 * cones.y + RGB_02 * cones.z,
        RGB_10 * cones.x + RGB_11 * cones.y + RGB_12 * cones.z,
        RGB_20 * cones.x + RGB_21 * cones.y + RGB_22 * cones.z,
    );
    let magnitude = abs(linear);
    let curve = 1.055 * pow(max(magnitude, vec3<f32>(0.0031308)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return bitcast<vec3<u32>>(sign(linear) * select(curve, 12.92 * magnitude, magnitude < vec3<f32>(0.0031308)));
}

// The bits of the f32 that a stored sample of a plane means.
fn lab_bits(stored: u32, plane: u32) -> u32 {
    if picture.depth_bits == 32u {
        return stored;
    }
    let max_code = (1u << picture.depth_bits) - 1u;
    let zero = select(f32(max_code / 2u + 1u), 0.0, plane == 0u);
    return bitcast<u32>((f32(stored) - zero) / f32(max_code));
}
