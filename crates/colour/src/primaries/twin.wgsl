// Linear light in other primaries. Follows reference.rs; row_sum is in exact.wgsl or native.wgsl.
//
// f32 samples are sorted by their bits, so that arithmetic meets neither subnormals, nor overflow, nor infinity or NaN.

const SIGN: u32 = 0x80000000u;
const INFINITY: u32 = 0x7f800000u;
const NAN: u32 = 0x7fc00000u;
// The bits of 2^-64 and of 2^120.
const NO_LIGHT: u32 = 0x1f800000u;
const BRIGHT: u32 = 0x7b800000u;
// What 2^16 adds to the bits of a number.
const DIMMED: u32 = 0x08000000u;

// Three rows, the fourth column unused.
@group(0) @binding(7) var<uniform> matrix: array<vec4<f32>, 3>;

fn map_pixel(stored: vec3<u32>) -> vec3<u32> {
    if picture.depth_bits == 32u {
        return convert(stored);
    }
    return product(vec3<f32>(stored));
}

// From bits to bits.
fn convert(stored: vec3<u32>) -> vec3<u32> {
    let magnitude = stored & vec3<u32>(~SIGN);
    if any(magnitude >= vec3<u32>(INFINITY)) {
        return vec3<u32>(
            not_finite(matrix[0].xyz, stored),
            not_finite(matrix[1].xyz, stored),
            not_finite(matrix[2].xyz, stored),
        );
    }
    let dark = magnitude < vec3<u32>(NO_LIGHT);
    if any(magnitude >= vec3<u32>(BRIGHT)) {
        let dimmed = product(bitcast<vec3<f32>>(select(stored - DIMMED, vec3<u32>(0u), dark)));
        return vec3<u32>(brightened(dimmed.x), brightened(dimmed.y), brightened(dimmed.z));
    }
    return product(bitcast<vec3<f32>>(select(stored, vec3<u32>(0u), dark)));
}

// The bits of each row's sum.
fn product(light: vec3<f32>) -> vec3<u32> {
    return vec3<u32>(
        unsigned_zero(row_sum(matrix[0].xyz, light)),
        unsigned_zero(row_sum(matrix[1].xyz, light)),
        unsigned_zero(row_sum(matrix[2].xyz, light)),
    );
}

fn unsigned_zero(value: f32) -> u32 {
    let bits = bitcast<u32>(value);
    return select(bits, 0u, (bits & ~SIGN) == 0u);
}

// The bits of a number, or of +0, times 2^16.
fn brightened(bits: u32) -> u32 {
    let magnitude = bits & ~SIGN;
    if magnitude == 0u {
        return 0u;
    }
    return (bits & SIGN) | min(magnitude + DIMMED, INFINITY);
}

// The bits of a row's sum where a component is infinite or NaN: opposite infinities are NaN.
fn not_finite(row: vec3<f32>, stored: vec3<u32>) -> u32 {
    let magnitude = stored & vec3<u32>(~SIGN);
    let infinite = magnitude == vec3<u32>(INFINITY);
    let negative = ((stored ^ bitcast<vec3<u32>>(row)) & vec3<u32>(SIGN)) != vec3<u32>(0u);
    let rises = any(infinite & !negative);
    let falls = any(infinite & negative);
    if any(magnitude > vec3<u32>(INFINITY)) || (rises && falls) {
        return NAN;
    }
    return select(INFINITY, SIGN | INFINITY, falls);
}
