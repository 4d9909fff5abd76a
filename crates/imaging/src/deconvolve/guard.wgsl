// How much the guard leaves of the ratio at each place. Follows kept of reference.rs.

const INVOCATIONS: u32 = 64u;
// The level of a straight limb, smoothed, over twice the slope a sample from which the guard is whole.
const LIMB: f32 = 6.2665706;

struct Extent {
    width: u32,
    height: u32,
    // How much the ratio is damped along a limb.
    guard: f32,
}

@group(0) @binding(0) var<uniform> extent: Extent;
@group(0) @binding(1) var<storage, read> smoothed: array<f32>;
@group(0) @binding(2) var<storage, read_write> highest: atomic<u32>;

@group(0) @binding(2) var<storage, read> brightest: array<f32>;
@group(0) @binding(3) var<storage, read_write> kept: array<f32>;

// Numbers that are not negative are in the order of their bits.
@compute @workgroup_size(INVOCATIONS)
fn brighten(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.width * extent.height && smoothed[index] > 0.0 {
        atomicMax(&highest, bitcast<u32>(smoothed[index]));
    }
}

// How much of a limb a place is, from 0 to 1.
fn steepness(index: u32) -> f32 {
    if brightest[0] == 0.0 {
        return 0.0;
    }
    let x = index % extent.width;
    let row = index - x;
    let below = row + select(0u, extent.width, row + extent.width < extent.width * extent.height);
    let above = row - select(0u, extent.width, row != 0u);
    let right = smoothed[row + min(x + 1u, extent.width - 1u)];
    let left = smoothed[row + max(x, 1u) - 1u];
    let across = held(bitcast<u32>(seal_sub(right, left)));
    let down = held(bitcast<u32>(seal_sub(smoothed[below + x], smoothed[above + x])));
    let slope = square_root(seal_add(seal_mul(across, across), seal_mul(down, down)));
    let part = held(bitcast<u32>(divide(seal_mul(slope, LIMB), brightest[0])));
    if part > 1.0 {
        return 1.0;
    }
    return part;
}

@compute @workgroup_size(INVOCATIONS)
fn keep(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.width * extent.height {
        kept[index] = seal_sub(1.0, seal_mul(extent.guard, steepness(index)));
    }
}
