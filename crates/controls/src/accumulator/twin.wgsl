// The energy of each row in integers, one invocation a sample, added to what the sums hold beforehand.

@group(0) @binding(2) var<storage, read_write> energies: array<atomic<u32>>;

@compute @workgroup_size(64)
fn add(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index >= shape.width * shape.height {
        return;
    }
    let y = index / shape.width;
    let value = code(index % shape.width, y);
    atomicAdd(&energies[y], value * value);
}
