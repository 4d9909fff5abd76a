// Moves stored f32 samples as they are. Follows outputs of reference.rs.

const INVOCATIONS: u32 = 64u;

@group(0) @binding(0) var<uniform> plane: SamplePlane;
@group(0) @binding(1) var<storage, read> stored: array<u32>;
@group(0) @binding(2) var<storage, read_write> moved: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn move_stored(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < plane.samples {
        moved[index] = stored[sample_byte(plane, index) / 4u];
    }
}
