// Maps each sample of a plane by the odd extension of transfer. Follows plane_map.rs.
//
// Infinity and NaN are told apart and passed on as bits, since WGSL lets a compiler assume that neither occurs.

const INVOCATIONS: u32 = 64u;
const SIGN: u32 = 0x80000000u;
const INFINITY: u32 = 0x7f800000u;
const QUIET: u32 = 0x00400000u;

@group(0) @binding(0) var<storage, read> samples: array<u32>;
@group(0) @binding(1) var<uniform> plane: SamplePlane;
@group(0) @binding(2) var<storage, read_write> mapped: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn map_plane(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= plane.samples {
        return;
    }
    let byte = sample_byte(plane, index);
    let stored = packed_sample(samples[byte / 4u], byte, plane.depth_bits);
    mapped[index] = odd_transfer(value(stored));
}

// The bits of the f32 that a stored sample means.
fn value(stored: u32) -> u32 {
    if plane.depth_bits == 32u {
        return stored;
    }
    let max_code = (1u << plane.depth_bits) - 1u;
    return bitcast<u32>(f32(stored) / f32(max_code));
}

// From bits to bits: f(-x) = -f(x), infinity kept, NaN kept as a quiet NaN.
fn odd_transfer(x: u32) -> u32 {
    let sign = x & SIGN;
    let magnitude = x & ~SIGN;
    if magnitude > INFINITY {
        return x | QUIET;
    }
    if magnitude >= OVERFLOW {
        return sign | INFINITY;
    }
    return sign | bitcast<u32>(transfer(bitcast<f32>(magnitude)));
}
