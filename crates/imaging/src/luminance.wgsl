// The luminance of red, green and blue. Follows luminance.rs.

const INVOCATIONS: u32 = 64u;

struct Size {
    samples: u32,
}

@group(0) @binding(0) var<storage, read> red: array<f32>;
@group(0) @binding(1) var<storage, read> green: array<f32>;
@group(0) @binding(2) var<storage, read> blue: array<f32>;
@group(0) @binding(3) var<uniform> size: Size;
@group(0) @binding(4) var<storage, read_write> luminances: array<f32>;

@compute @workgroup_size(INVOCATIONS)
fn luminance(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= size.samples {
        return;
    }
    let warm = seal_add(seal_mul(0.25, red[index]), seal_mul(0.5, green[index]));
    luminances[index] = held(bitcast<u32>(seal_add(warm, seal_mul(0.25, blue[index]))));
}
