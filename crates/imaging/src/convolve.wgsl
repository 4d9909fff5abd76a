// Convolution with taps that are symmetric about their centre. Follows convolve.rs.

const INVOCATIONS: u32 = 64u;

struct Extent {
    width: u32,
    height: u32,
    taps: u32,
}

struct Tap {
    // From a sample to the place after it.
    x: i32,
    y: i32,
    weight: f32,
}

@group(0) @binding(0) var<uniform> extent: Extent;
@group(0) @binding(1) var<storage, read> taps: array<Tap>;
@group(0) @binding(2) var<storage, read> raster: array<f32>;
@group(0) @binding(3) var<storage, read_write> convolved: array<f32>;

// The sample there, or at the edge before it.
fn clamped(x: i32, y: i32) -> f32 {
    let column = clamp(x, 0i, i32(extent.width) - 1i);
    let row = clamp(y, 0i, i32(extent.height) - 1i);
    return raster[u32(row) * extent.width + u32(column)];
}

@compute @workgroup_size(INVOCATIONS)
fn convolve(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= extent.width * extent.height {
        return;
    }
    let y = i32(index / extent.width);
    let x = i32(index % extent.width);
    let centre = raster[index];
    var sum = 0.0;
    for (var i = 0u; i < extent.taps; i++) {
        let tap = taps[i];
        let before = clamped(x - tap.x, y - tap.y);
        let after = clamped(x + tap.x, y + tap.y);
        sum = seal_add(sum, seal_mul(tap.weight, seal_add(seal_sub(before, centre), seal_sub(after, centre))));
    }
    convolved[index] = held(bitcast<u32>(seal_add(centre, sum)));
}
