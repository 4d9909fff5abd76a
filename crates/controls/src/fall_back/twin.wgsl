// Twice each sample, one invocation a sample.

@group(0) @binding(2) var<storage, read_write> doubled: array<u32>;

@compute @workgroup_size(64)
fn double(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index < shape.width * shape.height {
        doubled[index] = 2u * code(index % shape.width, index / shape.width);
    }
}
