// Maps the pixels of two clips at the same place to their difference. Follows mod.rs.

const INVOCATIONS: u32 = 64u;

struct Picture {
    // Bytes from one row to the next, plane by plane.
    strides: vec3<u32>,
    width: u32,
    pixels: u32,
    // Bits of a sample: 8, 10, 12 or 16, or 32 for f32.
    depth_bits: u32,
}

@group(0) @binding(0) var<storage, read> reference_r: array<u32>;
@group(0) @binding(1) var<storage, read> reference_g: array<u32>;
@group(0) @binding(2) var<storage, read> reference_b: array<u32>;
@group(0) @binding(3) var<storage, read> distorted_r: array<u32>;
@group(0) @binding(4) var<storage, read> distorted_g: array<u32>;
@group(0) @binding(5) var<storage, read> distorted_b: array<u32>;
@group(0) @binding(6) var<uniform> picture: Picture;
@group(0) @binding(7) var<storage, read_write> difference_map: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn map_pairs(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= picture.pixels {
        return;
    }
    let y = index / picture.width;
    let x = index - y * picture.width;
    let bytes = y * picture.strides + x * sample_bytes(picture.depth_bits);
    let words = bytes / 4u;
    let a = vec3<u32>(
        packed_sample(reference_r[words.x], bytes.x, picture.depth_bits),
        packed_sample(reference_g[words.y], bytes.y, picture.depth_bits),
        packed_sample(reference_b[words.z], bytes.z, picture.depth_bits),
    );
    let b = vec3<u32>(
        packed_sample(distorted_r[words.x], bytes.x, picture.depth_bits),
        packed_sample(distorted_g[words.y], bytes.y, picture.depth_bits),
        packed_sample(distorted_b[words.z], bytes.z, picture.depth_bits),
    );
    difference_map[index] = map_pair(a, b);
}
