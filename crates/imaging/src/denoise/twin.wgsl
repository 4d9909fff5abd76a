// Layers shrunk by the non-negative garrote, and their sum. Follows reference.rs.

const INVOCATIONS: u32 = 64u;

struct Layer {
    // Samples of the raster.
    samples: u32,
    // Whether it is the first, so that there is no sum yet.
    first: u32,
    // What it is shrunk by for noise of 1.
    scale: f32,
}

struct Extent {
    samples: u32,
}

@group(0) @binding(0) var<uniform> layer: Layer;
@group(0) @binding(1) var<storage, read> fine: array<f32>;
@group(0) @binding(2) var<storage, read> smoothed: array<f32>;
@group(0) @binding(3) var<storage, read> noise: array<f32>;
@group(0) @binding(4) var<storage, read_write> sum: array<f32>;

@group(0) @binding(0) var<uniform> extent: Extent;
@group(0) @binding(2) var<storage, read> gathered: array<f32>;
@group(0) @binding(3) var<storage, read_write> joined: array<f32>;

// What is left of a coefficient.
fn shrunk(detail: f32, cut: f32) -> f32 {
    if abs(detail) <= cut {
        return 0.0;
    }
    return seal_sub(detail, seal_mul(cut, divide(cut, detail)));
}

@compute @workgroup_size(INVOCATIONS)
fn gather(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= layer.samples {
        return;
    }
    let cut = held(bitcast<u32>(seal_mul(layer.scale, noise[0])));
    var before = 0.0;
    if layer.first == 0u {
        before = sum[index];
    }
    sum[index] = seal_add(before, shrunk(seal_sub(fine[index], smoothed[index]), cut));
}

@compute @workgroup_size(INVOCATIONS)
fn join(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.samples {
        joined[index] = held(bitcast<u32>(seal_add(gathered[index], fine[index])));
    }
}
