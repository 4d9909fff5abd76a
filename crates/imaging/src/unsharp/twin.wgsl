// The mask over a blurred raster. Follows reference.rs.

const INVOCATIONS: u32 = 64u;

struct Settings {
    // Samples of the raster.
    samples: u32,
    amount: f32,
    threshold: f32,
}

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> raster: array<f32>;
@group(0) @binding(2) var<storage, read> blurred: array<f32>;
@group(0) @binding(3) var<storage, read_write> sharpened: array<f32>;

@compute @workgroup_size(INVOCATIONS)
fn sharpen(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= settings.samples {
        return;
    }
    let sample = raster[index];
    let difference = seal_sub(sample, blurred[index]);
    if abs(difference) >= settings.threshold {
        sharpened[index] = held(bitcast<u32>(seal_add(sample, seal_mul(settings.amount, difference))));
    } else {
        sharpened[index] = sample;
    }
}
