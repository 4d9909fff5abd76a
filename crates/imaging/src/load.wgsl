// From stored samples to a raster. Follows load.rs.

const INVOCATIONS: u32 = 64u;

struct Colour {
    // The raster's colour.
    wanted: u32,
    // Whether the plane is a mosaic of colours.
    mosaic: u32,
}

@group(0) @binding(0) var<storage, read> stored: array<u32>;
@group(0) @binding(1) var<uniform> plane: SamplePlane;
@group(0) @binding(2) var<uniform> colour: Colour;
@group(0) @binding(3) var<storage, read_write> raster: array<f32>;

struct Own {
    sample: f32,
    counts: bool,
}

// The sample there, if it is one of the raster's colour and no hole.
fn own(x: u32, y: u32) -> Own {
    if colour.mosaic != 0u && x % 2u + y % 2u != colour.wanted {
        return Own(0.0, false);
    }
    let byte = y * plane.stride + x * sample_bytes(plane.depth_bits);
    let code = packed_sample(stored[byte / 4u], byte, plane.depth_bits);
    if plane.depth_bits == 32u {
        if (code & 0x7f800000u) == 0x7f800000u {
            return Own(0.0, false);
        }
        return Own(held(code), true);
    }
    let max_code = (1u << plane.depth_bits) - 1u;
    return Own(held(bitcast<u32>(divide(f32(code), f32(max_code)))), true);
}

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
