// Codes as numbers, dead samples as no number, one invocation a sample.

// Bits of f32: a compiler may assume that a float is a number, and of bits it cannot.
@group(0) @binding(2) var<storage, read_write> values: array<u32>;

const NAN = 0x7fc00000u;

@compute @workgroup_size(64)
fn decode(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index >= shape.width * shape.height {
        return;
    }
    let stored = code(index % shape.width, index / shape.width);
    let dead = stored % 16u == 0u;
    values[index] = select(bitcast<u32>(f32(stored)), NAN, dead);
}
