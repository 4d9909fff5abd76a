// The samples that a raster is loaded from. Follows Samples of load.rs.

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
