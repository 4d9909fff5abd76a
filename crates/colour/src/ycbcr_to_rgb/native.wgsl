// In plain f32.

struct Coefficients {
    // Codes of the result for an eighth of a code.
    luma: f32,
    cr_in_red: f32,
    cb_in_green: f32,
    cr_in_green: f32,
    cb_in_blue: f32,
    // Black luma and no chroma, in eighths of a code.
    black: f32,
    middle: f32,
    unused: f32,
}

// R'G'B' codes of a pixel in eighths of a code.
fn pixel(y: u32, chroma: vec2<u32>) -> vec3<u32> {
    let luma = coefficients.luma * (f32(y) - coefficients.black);
    let cb = f32(chroma.x) - coefficients.middle;
    let cr = f32(chroma.y) - coefficients.middle;
    let rgb = vec3<f32>(
        luma + coefficients.cr_in_red * cr,
        luma - coefficients.cb_in_green * cb - coefficients.cr_in_green * cr,
        luma + coefficients.cb_in_blue * cb,
    );
    return vec3<u32>(clamp(floor(rgb + 0.5), vec3<f32>(0.0), vec3<f32>(f32(picture.max_code))));
}
