// sRGB to Oklab in plain f32.
fn native_linear(encoded: vec3<f32>) -> vec3<f32> {
    let magnitude = abs(encoded);
    let curve = pow((magnitude + 0.055) / 1.055, vec3<f32>(2.4));
    return sign(encoded) * select(curve, magnitude / 12.92, magnitude <= vec3<f32>(0.04045));
}

fn native_oklab(linear: vec3<f32>) -> vec3<f32> {
    let cones = vec3<f32>(
        LMS_00 * linear.x + LMS_01 * linear.y + LMS_02 * linear.z,
        LMS_10 * linear.x + LMS_11 * linear.y + LMS_12 * linear.z,
        LMS_20 * linear.x + LMS_21 * linear.y + LMS_22 * linear.z,
    );
    let magnitudes = abs(cones);
    // The logarithm of zero is no number.
    let small = magnitudes < vec3<f32>(1e-37);
    let roots = sign(cones) * select(pow(max(magnitudes, vec3<f32>(1e-37)), vec3<f32>(1.0 / 3.0)), vec3<f32>(0.0), small);
    return vec3<f32>(
        LAB_00 * roots.x + LAB_01 * roots.y + LAB_02 * roots.z,
        LAB_10 * roots.x + LAB_11 * roots.y + LAB_12 * roots.z,
        LAB_20 * roots.x + LAB_21 * roots.y + LAB_22 * roots.z,
    );
}
