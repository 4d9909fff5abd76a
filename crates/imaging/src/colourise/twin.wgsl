// A mono image in the colours of a palette. Follows reference.rs.

const INVOCATIONS: u32 = 64u;
const STEPS: u32 = 8u;
const NAN: u32 = 0x7fc00000u;
const INFINITY: u32 = 0x7f800000u;

struct Settings {
    // The share of the grey.
    grey: f32,
    // The share of the palette's colours.
    strength: f32,
    // Whether the palette is inverted.
    invert: u32,
    // The colour at which each step of the palette starts.
    starts: array<vec4<f32>, STEPS>,
    // What each step adds to it.
    rises: array<vec4<f32>, STEPS>,
}

@group(0) @binding(0) var<storage, read> stored: array<u32>;
@group(0) @binding(1) var<uniform> plane: SamplePlane;
@group(0) @binding(2) var<uniform> settings: Settings;
// Bits of f32, so that NaN is stored as it is.
@group(0) @binding(3) var<storage, read_write> red: array<u32>;
@group(0) @binding(4) var<storage, read_write> green: array<u32>;
@group(0) @binding(5) var<storage, read_write> blue: array<u32>;

fn colourise(v: f32) -> vec3<u32> {
    var place = v;
    if settings.invert != 0u {
        place = seal_sub(1.0, v);
    }
    place = seal_mul(f32(STEPS), place);
    let step = min(u32(place), STEPS - 1u);
    let t = seal_sub(place, f32(step));
    var levels = vec3<u32>(0u);
    for (var channel = 0u; channel < 3u; channel++) {
        let colour = seal_add(settings.starts[step][channel], seal_mul(t, settings.rises[step][channel]));
        let mixed = seal_add(seal_mul(settings.grey, v), seal_mul(settings.strength, colour));
        levels[channel] = bitcast<u32>(unit(mixed));
    }
    return levels;
}

@compute @workgroup_size(INVOCATIONS)
fn colourise_samples(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= plane.samples {
        return;
    }
    let byte = sample_byte(plane, index);
    let sample = packed_sample(stored[byte / 4u], byte, plane.depth_bits);
    var levels = vec3<u32>(NAN);
    if plane.depth_bits != 32u {
        let max_code = (1u << plane.depth_bits) - 1u;
        levels = colourise(unit(divide(f32(sample), f32(max_code))));
    } else if (sample & 0x7fffffffu) <= INFINITY {
        levels = colourise(unit(held(sample)));
    }
    red[index] = levels.x;
    green[index] = levels.y;
    blue[index] = levels.z;
}
