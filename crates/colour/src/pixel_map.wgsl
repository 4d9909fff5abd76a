// Maps each pixel of three planes by map_pixel. Follows pixel_map.rs.

const INVOCATIONS: u32 = 64u;

struct Picture {
    // Bytes from one row to the next, plane by plane.
    strides: vec3<u32>,
    width: u32,
    pixels: u32,
    // Bits of a sample: 8, 10, 12 or 16, or 32 for f32.
    depth_bits: u32,
}

@group(0) @binding(0) var<storage, read> samples_r: array<u32>;
@group(0) @binding(1) var<storage, read> samples_g: array<u32>;
@group(0) @binding(2) var<storage, read> samples_b: array<u32>;
@group(0) @binding(3) var<uniform> picture: Picture;
@group(0) @binding(4) var<storage, read_write> mapped_0: array<u32>;
@group(0) @binding(5) var<storage, read_write> mapped_1: array<u32>;
@group(0) @binding(6) var<storage, read_write> mapped_2: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn map_pixels(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= picture.pixels {
        return;
    }
    let y = index / picture.width;
    let x = index - y * picture.width;
    let bytes = y * picture.strides + x * sample_bytes(picture.depth_bits);
    let stored = vec3<u32>(
        packed_sample(samples_r[bytes.x / 4u], bytes.x, picture.depth_bits),
        packed_sample(samples_g[bytes.y / 4u], bytes.y, picture.depth_bits),
        packed_sample(samples_b[bytes.z / 4u], bytes.z, picture.depth_bits),
    );
    let mapped = map_pixel(stored);
    mapped_0[index] = mapped.x;
    mapped_1[index] = mapped.y;
    mapped_2[index] = mapped.z;
}
