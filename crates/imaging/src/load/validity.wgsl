// Which samples of a raster come from the frame. Follows validity of load.rs, behind own.wgsl.

@group(0) @binding(3) var<storage, read_write> valid: array<u32>;

fn has_neighbour(x: u32, y: u32) -> bool {
    let height = plane.samples / plane.width;
    for (var j = max(y, 1u) - 1u; j < min(y + 2u, height); j++) {
        for (var i = max(x, 1u) - 1u; i < min(x + 2u, plane.width); i++) {
            if own(i, j).counts {
                return true;
            }
        }
    }
    return false;
}

@compute @workgroup_size(INVOCATIONS)
fn validity(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= plane.samples {
        return;
    }
    let y = index / plane.width;
    let x = index - y * plane.width;
    var comes = own(x, y).counts;
    if !comes && colour.mosaic != 0u && x % 2u + y % 2u != colour.wanted {
        comes = has_neighbour(x, y);
    }
    valid[index] = u32(comes);
}
