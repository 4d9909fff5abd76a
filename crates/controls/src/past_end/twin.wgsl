// Each code halved, one invocation a sample.

@group(0) @binding(2) var<storage, read_write> codes: array<u32>;

@compute @workgroup_size(64)
fn halve(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    let samples = shape.width * shape.height;
    if index >= samples {
        return;
    }
    // What is read stays inside the plane wherever the result goes.
    let source = min(index, samples - 1u);
    codes[index] = code(source % shape.width, source / shape.width) / 2u;
}
