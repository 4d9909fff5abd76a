// The energy of each row, one invocation a row.

@group(0) @binding(2) var<storage, read_write> energies: array<f32>;

// The same bits, by a way that keeps a compiler from fusing or reordering what lies on either side.
fn seal(value: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(value) ^ shape.zero);
}

@compute @workgroup_size(64)
fn energy(@builtin(global_invocation_id) id: vec3<u32>) {
    let y = id.x;
    if y >= shape.height {
        return;
    }
    var sum = 0.0;
    for (var step = 0u; step < shape.width; step++) {
        let x = step;
        let value = f32(code(x, y));
        sum = seal(sum + seal(value * value));
    }
    energies[y] = sum;
}
