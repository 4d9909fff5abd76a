// Y'CbCr to R'G'B' codes. Follows reference.rs; pixel is in exact.wgsl or native.wgsl.

const INVOCATIONS: u32 = 64u;

struct Picture {
    // Bytes from one row to the next: luma, Cb, Cr.
    strides: vec3<u32>,
    // Bits of a sample: 8, 10, 12 or 16.
    depth_bits: u32,
    width: u32,
    pixels: u32,
    chroma_size: vec2<u32>,
    // 1 or 2, horizontally and vertically.
    subsampling: vec2<u32>,
    max_code: u32,
}

@group(0) @binding(0) var<storage, read> samples_y: array<u32>;
@group(0) @binding(1) var<storage, read> samples_cb: array<u32>;
@group(0) @binding(2) var<storage, read> samples_cr: array<u32>;
@group(0) @binding(3) var<uniform> picture: Picture;
@group(0) @binding(4) var<uniform> coefficients: Coefficients;
// Codes packed as they are stored, without padding between rows.
@group(0) @binding(5) var<storage, read_write> codes_r: array<u32>;
@group(0) @binding(6) var<storage, read_write> codes_g: array<u32>;
@group(0) @binding(7) var<storage, read_write> codes_b: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn ycbcr_to_rgb(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let word = grid_invocation(workgroup_id, local, INVOCATIONS);
    let bytes = sample_bytes(picture.depth_bits);
    let first = word * (4u / bytes);
    if first >= picture.pixels {
        return;
    }
    var y = first / picture.width;
    var x = first - y * picture.width;
    var words = vec3<u32>(0u);
    for (var index = 0u; index < 4u / bytes && first + index < picture.pixels; index++) {
        let codes = pixel(8u * luma(x, y), upsampled(x, y));
        words |= codes << vec3<u32>(8u * bytes * index);
        x++;
        if x == picture.width {
            x = 0u;
            y++;
        }
    }
    codes_r[word] = words.x;
    codes_g[word] = words.y;
    codes_b[word] = words.z;
}

fn luma(x: u32, y: u32) -> u32 {
    let byte = y * picture.strides.x + x * sample_bytes(picture.depth_bits);
    return packed_sample(samples_y[byte / 4u], byte, picture.depth_bits);
}

// Cb and Cr, as they are stored.
fn chroma(x: u32, y: u32) -> vec2<u32> {
    let byte = y * picture.strides.yz + x * sample_bytes(picture.depth_bits);
    return vec2<u32>(
        packed_sample(samples_cb[byte.x / 4u], byte.x, picture.depth_bits),
        packed_sample(samples_cr[byte.y / 4u], byte.y, picture.depth_bits),
    );
}

// Cb and Cr at a luma sample, in eighths of a code.
fn upsampled(x: u32, y: u32) -> vec2<u32> {
    if picture.subsampling.x == 1u {
        return 2u * column(x, y);
    }
    if x % 2u == 0u {
        return 2u * column(x / 2u, y);
    }
    return column(x / 2u, y) + column(min(x / 2u + 1u, picture.chroma_size.x - 1u), y);
}

// Cb and Cr of chroma column x at the height of luma row y, in quarters of a code.
fn column(x: u32, y: u32) -> vec2<u32> {
    if picture.subsampling.y == 1u {
        return 4u * chroma(x, y);
    }
    let near = y / 2u;
    let far = select(min(near + 1u, picture.chroma_size.y - 1u), max(near, 1u) - 1u, y % 2u == 0u);
    return 3u * chroma(x, near) + chroma(x, far);
}
