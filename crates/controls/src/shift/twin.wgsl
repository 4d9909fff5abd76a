// Samples cut down to eight bits, one invocation a sample.

@group(0) @binding(2) var<storage, read_write> codes: array<u32>;

@compute @workgroup_size(64)
fn cut(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index >= shape.width * shape.height {
        return;
    }
    let dropped = shape.bits - 8u;
    codes[index] = code(index % shape.width, index / shape.width) >> dropped;
}
