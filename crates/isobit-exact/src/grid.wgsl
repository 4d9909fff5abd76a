// The place of a workgroup in a dispatch that an executor may split into slices.

// x: workgroups before this slice; y: workgroups of the whole dispatch; z and w: zero, which no compiler can know.
@group(1) @binding(0) var<uniform> isobit_grid: vec4<u32>;

// The index of the workgroup in the whole dispatch.
fn grid_workgroup(workgroup_id: vec3<u32>) -> u32 {
    return isobit_grid.x + workgroup_id.x;
}

// The index of the invocation in the whole dispatch, in workgroups of size invocations.
fn grid_invocation(workgroup_id: vec3<u32>, local_invocation_index: u32, size: u32) -> u32 {
    return grid_workgroup(workgroup_id) * size + local_invocation_index;
}
