// In plain f32.

// Rows of three magnitudes, in codes of the result for an eighth of a code; the fourth is the code of zero.
struct Coefficients {
    luma: vec4<f32>,
    cb: vec4<f32>,
    cr: vec4<f32>,
}

// The luma code of a pixel in eighths of a code.
fn luma(pixel: vec3<u32>) -> u32 {
    let row = coefficients.luma;
    return code(dot(row.xyz, vec3<f32>(pixel)), row.w);
}

// The codes of Cb and Cr of a pixel in eighths of a code.
fn chroma(pixel: vec3<u32>) -> vec2<u32> {
    let rgb = vec3<f32>(pixel);
    let cb = coefficients.cb;
    let cr = coefficients.cr;
    return vec2<u32>(
        code(cb.z * rgb.z - cb.x * rgb.x - cb.y * rgb.y, cb.w),
        code(cr.x * rgb.x - cr.y * rgb.y - cr.z * rgb.z, cr.w),
    );
}

fn code(value: f32, zero: f32) -> u32 {
    let code = floor(value + 0.5) + zero;
    return u32(clamp(code, 0.0, f32(picture.max_code)));
}
