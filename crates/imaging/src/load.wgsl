// From stored samples to a raster. Follows load.rs, behind own.wgsl.

@group(0) @binding(3) var<storage, read_write> raster: array<f32>;

@compute @workgroup_size(INVOCATIONS)
fn load(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= plane.samples {
        return;
    }
    let y = index / plane.width;
    let x = index - y * plane.width;
    let here = own(x, y);
    if here.counts {
        raster[index] = here.sample;
        return;
    }
    let height = plane.samples / plane.width;
    var sum = 0.0;
    var count = 0u;
    for (var j = max(y, 1u) - 1u; j < min(y + 2u, height); j++) {
        for (var i = max(x, 1u) - 1u; i < min(x + 2u, plane.width); i++) {
            let neighbour = own(i, j);
            if neighbour.counts {
                sum = seal_add(sum, neighbour.sample);
                count++;
            }
        }
    }
    if count == 0u {
        raster[index] = 0.0;
    } else {
        raster[index] = held(bitcast<u32>(divide(sum, f32(count))));
    }
}
