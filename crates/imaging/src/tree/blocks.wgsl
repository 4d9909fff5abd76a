// One step up the tree: the sums of each block of terms. Follows append of tree.rs, behind tree.wgsl.

struct Count {
    terms: u32,
}

@group(0) @binding(0) var<storage, read> terms: array<vec4<f32>>;
@group(0) @binding(1) var<uniform> count: Count;
@group(0) @binding(2) var<storage, read_write> sums: array<vec4<f32>>;

@compute @workgroup_size(TREE_BLOCK)
fn tree(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, TREE_BLOCK);
    var own = vec4<f32>(0.0);
    if index < count.terms {
        own = terms[index];
    }
    let sum = tree_block(local, own);
    if local == 0u {
        sums[grid_workgroup(workgroup_id)] = sum;
    }
}
