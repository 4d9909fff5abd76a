// The samples of a plane as they are shown, one invocation a sample.

@group(0) @binding(2) var<storage, read_write> codes: array<u32>;

@compute @workgroup_size(64)
fn show(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index >= shape.width * shape.height {
        return;
    }
    let x = index % shape.width;
    let y = index / shape.width;
    let pitch = shape.stride / shape.bytes;
    // No sound address reaches the end of the plane; a wrong one is led back into it, so that no driver has to do so.
    let stored = (y * pitch + x) % (shape.stride / shape.bytes * shape.height);
    codes[index] = code_at(stored * shape.bytes);
}
