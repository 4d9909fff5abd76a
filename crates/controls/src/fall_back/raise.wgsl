// One more than what the step before left, one invocation an element.

@group(0) @binding(0) var<storage, read> doubled: array<u32>;
// Elements, and three zeros.
@group(0) @binding(1) var<uniform> size: vec4<u32>;
@group(0) @binding(2) var<storage, read_write> codes: array<u32>;

@compute @workgroup_size(64)
fn raise(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index < size.x {
        codes[index] = doubled[index] + 1u;
    }
}
