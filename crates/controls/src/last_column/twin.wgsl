// The negative of a plane, one invocation a row.

@group(0) @binding(2) var<storage, read_write> codes: array<u32>;

@compute @workgroup_size(64)
fn invert(@builtin(global_invocation_id) id: vec3<u32>) {
    let y = id.x;
    if y >= shape.height {
        return;
    }
    let largest = (1u << shape.bits) - 1u;
    for (var x = 0u; x < shape.width; x++) {
        codes[y * shape.width + x] = largest - code(x, y);
    }
}
