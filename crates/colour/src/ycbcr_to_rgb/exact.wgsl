// In 64-bit integers, modulo 2^64, of which the upper word is a code.

struct Coefficients {
    // What the zeros of luma and chroma, and the half of the rounding, add to each colour: 64 bits, the low word first.
    red: vec2<u32>,
    green: vec2<u32>,
    blue: vec2<u32>,
    luma: u32,
    cr_in_red: u32,
    cb_in_green: u32,
    cr_in_green: u32,
    cb_in_blue: u32,
}

// R'G'B' codes of a pixel in eighths of a code.
fn pixel(y: u32, chroma: vec2<u32>) -> vec3<u32> {
    let luma = wide_mul(coefficients.luma, y);
    let green = wide_add(
        wide_mul(coefficients.cb_in_green, chroma.x),
        wide_mul(coefficients.cr_in_green, chroma.y),
    );
    return vec3<u32>(
        code(wide_add(wide_add(coefficients.red, luma), wide_mul(coefficients.cr_in_red, chroma.y))),
        code(wide_sub(wide_add(coefficients.green, luma), green)),
        code(wide_add(wide_add(coefficients.blue, luma), wide_mul(coefficients.cb_in_blue, chroma.x))),
    );
}

// The code of a sum to which half a code was added.
fn code(sum: vec2<u32>) -> u32 {
    return u32(clamp(i32(sum.y), 0, i32(picture.max_code)));
}
