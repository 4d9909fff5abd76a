// R'G'B' to Y'CbCr codes. Follows reference.rs; luma and chroma are in exact.wgsl or native.wgsl.

const INVOCATIONS: u32 = 64u;

struct Picture {
    // Bytes from one row of a plane to the next.
    strides: vec3<u32>,
    // Bits of a sample: 8, 10, 12 or 16.
    depth_bits: u32,
    size: vec2<u32>,
    // Pixels that a sample of the result stands for: 1 or 2, horizontally and vertically.
    subsampling: vec2<u32>,
    // Samples in a row of the result, and in all of it.
    width: u32,
    samples: u32,
    max_code: u32,
}

@group(0) @binding(0) var<storage, read> samples_r: array<u32>;
@group(0) @binding(1) var<storage, read> samples_g: array<u32>;
@group(0) @binding(2) var<storage, read> samples_b: array<u32>;
@group(0) @binding(3) var<uniform> picture: Picture;
@group(0) @binding(4) var<uniform> coefficients: Coefficients;
// Codes packed as they are stored, without padding between rows: luma or Cb, and Cr.
@group(0) @binding(5) var<storage, read_write> codes_first: array<u32>;
@group(0) @binding(6) var<storage, read_write> codes_cr: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn rgb_to_luma(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let word = grid_invocation(workgroup_id, local, INVOCATIONS);
    let first = word * samples_per_word();
    if first >= picture.samples {
        return;
    }
    var packed = 0u;
    for (var index = 0u; index < samples_per_word() && first + index < picture.samples; index++) {
        packed |= luma(downsampled(first + index)) << (index * 32u / samples_per_word());
    }
    codes_first[word] = packed;
}

@compute @workgroup_size(INVOCATIONS)
fn rgb_to_chroma(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let word = grid_invocation(workgroup_id, local, INVOCATIONS);
    let first = word * samples_per_word();
    if first >= picture.samples {
        return;
    }
    var packed = vec2<u32>(0u);
    for (var index = 0u; index < samples_per_word() && first + index < picture.samples; index++) {
        packed |= chroma(downsampled(first + index)) << vec2<u32>(index * 32u / samples_per_word());
    }
    codes_first[word] = packed.x;
    codes_cr[word] = packed.y;
}

fn samples_per_word() -> u32 {
    return 4u / sample_bytes(picture.depth_bits);
}

fn rgb(x: u32, y: u32) -> vec3<u32> {
    let byte = y * picture.strides + x * sample_bytes(picture.depth_bits);
    return vec3<u32>(
        packed_sample(samples_r[byte.x / 4u], byte.x, picture.depth_bits),
        packed_sample(samples_g[byte.y / 4u], byte.y, picture.depth_bits),
        packed_sample(samples_b[byte.z / 4u], byte.z, picture.depth_bits),
    );
}

// A pixel of the filtered picture, in eighths of a code.
fn downsampled(index: u32) -> vec3<u32> {
    let y = index / picture.width;
    let x = index - y * picture.width;
    if picture.subsampling.y == 1u {
        return 2u * row(x, y);
    }
    return row(x, 2u * y) + row(x, min(2u * y + 1u, picture.size.y - 1u));
}

// A pixel of row y filtered horizontally, in quarters of a code.
fn row(index: u32, y: u32) -> vec3<u32> {
    if picture.subsampling.x == 1u {
        return 4u * rgb(index, y);
    }
    let x = 2u * index;
    return rgb(max(x, 1u) - 1u, y) + 2u * rgb(x, y) + rgb(min(x + 1u, picture.size.x - 1u), y);
}
