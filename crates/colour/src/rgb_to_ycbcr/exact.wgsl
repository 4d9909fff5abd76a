// In 64-bit integers, modulo 2^64, of which the upper word is a code.

const HALF: u32 = 0x80000000u;

// Rows of three magnitudes; the fourth is the code of zero.
struct Coefficients {
    luma: vec4<u32>,
    cb: vec4<u32>,
    cr: vec4<u32>,
}

// The luma code of a pixel in eighths of a code.
fn luma(pixel: vec3<u32>) -> u32 {
    let row = coefficients.luma;
    let sum = wide_add(wide_mul(row.x, pixel.x), wide_add(wide_mul(row.y, pixel.y), wide_mul(row.z, pixel.z)));
    return code(wide_add_u32(sum, HALF), row.w);
}

// The codes of Cb and Cr of a pixel in eighths of a code.
fn chroma(pixel: vec3<u32>) -> vec2<u32> {
    let cb = coefficients.cb;
    let cr = coefficients.cr;
    let yellow = wide_add(wide_mul(cb.x, pixel.x), wide_mul(cb.y, pixel.y));
    let cyan = wide_add(wide_mul(cr.y, pixel.y), wide_mul(cr.z, pixel.z));
    return vec2<u32>(
        code(nearest(wide_sub(wide_mul(cb.z, pixel.z), yellow)), cb.w),
        code(nearest(wide_sub(wide_mul(cr.x, pixel.x), cyan)), cr.w),
    );
}

// A sum with half a code added, less the smallest step where it is negative.
fn nearest(sum: vec2<u32>) -> vec2<u32> {
    let up = wide_add_u32(sum, HALF);
    if (sum.y >> 31u) == 0u {
        return up;
    }
    return wide_sub(up, vec2<u32>(1u, 0u));
}

fn code(sum: vec2<u32>, zero: u32) -> u32 {
    return u32(clamp(i32(sum.y) + i32(zero), 0, i32(picture.max_code)));
}
