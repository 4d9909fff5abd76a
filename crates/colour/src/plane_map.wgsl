// Maps each sample of a plane by mapped_bits. Follows plane_map.rs.

const INVOCATIONS: u32 = 64u;

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
    mapped[index] = mapped_bits(stored);
}
