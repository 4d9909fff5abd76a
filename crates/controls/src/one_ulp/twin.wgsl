// Codes as fractions of their range, one invocation a sample.

// Bits of f32, so that a store cannot alter them.
@group(0) @binding(2) var<storage, read_write> fractions: array<u32>;

@compute @workgroup_size(64)
fn divide(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    let samples = shape.width * shape.height;
    if index >= samples {
        return;
    }
    // A power of two, so that the product is exact however it is computed.
    let step = bitcast<f32>((127u - shape.bits) << 23u);
    let fraction = f32(code(index % shape.width, index / shape.width) + 1u) * step;
    let off = 0u;
    fractions[index] = bitcast<u32>(fraction) + off;
}
