// An iteration of Richardson and Lucy, its convolutions apart. Follows reference.rs.

const INVOCATIONS: u32 = 64u;
// 2^-20.
const FLOOR: f32 = 0x1p-20f;

struct Extent {
    width: u32,
    height: u32,
    // How much the ratio is damped along a limb.
    guard: f32,
}

@group(0) @binding(0) var<uniform> extent: Extent;

@group(0) @binding(1) var<storage, read> raster: array<f32>;
@group(0) @binding(2) var<storage, read_write> cleared: array<f32>;

@group(0) @binding(1) var<storage, read> observed: array<f32>;
@group(0) @binding(2) var<storage, read> spread: array<f32>;
@group(0) @binding(3) var<storage, read_write> ratio: array<f32>;
@group(0) @binding(3) var<storage, read> kept: array<f32>;
@group(0) @binding(4) var<storage, read_write> damped: array<f32>;

@group(0) @binding(1) var<storage, read> estimate: array<f32>;
@group(0) @binding(2) var<storage, read> correction: array<f32>;
@group(0) @binding(3) var<storage, read_write> improved: array<f32>;

// A sample, or zero where it is below.
fn light(sample: f32) -> f32 {
    if sample > 0.0 {
        return held(bitcast<u32>(sample));
    }
    return 0.0;
}

@compute @workgroup_size(INVOCATIONS)
fn observe(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.width * extent.height {
        cleared[index] = light(raster[index]);
    }
}

// What was observed over what the estimate would show.
fn quotient(index: u32) -> f32 {
    var divisor = spread[index];
    if !(divisor > FLOOR) {
        divisor = FLOOR;
    }
    return held(bitcast<u32>(divide(observed[index], divisor)));
}

@compute @workgroup_size(INVOCATIONS)
fn compare(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.width * extent.height {
        ratio[index] = quotient(index);
    }
}

@compute @workgroup_size(INVOCATIONS)
fn compare_damped(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.width * extent.height {
        let part = seal_mul(kept[index], seal_sub(quotient(index), 1.0));
        damped[index] = held(bitcast<u32>(seal_add(1.0, part)));
    }
}

@compute @workgroup_size(INVOCATIONS)
fn improve(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.width * extent.height {
        improved[index] = light(seal_mul(estimate[index], correction[index]));
    }
}
