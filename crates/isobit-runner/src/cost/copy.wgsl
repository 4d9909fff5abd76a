// A plain copy, one word an invocation: what memory alone takes.

@group(1) @binding(0) var<uniform> isobit_grid: vec4<u32>;
@group(0) @binding(0) var<uniform> copy: vec4<u32>;
@group(0) @binding(1) var<storage, read> words_from: array<u32>;
@group(0) @binding(2) var<storage, read_write> words_to: array<u32>;

@compute @workgroup_size(64)
fn copy_words(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = (isobit_grid.x + workgroup.x) * 64u + local;
    if index < copy.x {
        words_to[index] = words_from[index];
    }
}
