// A raster, shifted and weighted, added to sums, and its weight where it counts. Follows Accumulator of reference.rs.

const INVOCATIONS: u32 = 64u;
// Sixteenths of a sample, and the taps of each of them in the table.
const PHASES: u32 = 16u;
const MOST: u32 = 6u;

struct Place {
    width: u32,
    height: u32,
    // The place of the frame among the placements.
    frame: u32,
    // Samples along an axis that a place is made of.
    taps: u32,
}

@group(0) @binding(0) var<storage, read> raster: array<f32>;
@group(0) @binding(1) var<storage, read> valid: array<u32>;
@group(0) @binding(2) var<storage, read> table: array<f32>;
@group(0) @binding(3) var<uniform> place: Place;
// Shift to the right and downwards in sixteenths of a sample, weight as f32.
@group(0) @binding(4) var<storage, read> placements: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> sums: array<f32>;
@group(0) @binding(6) var<storage, read_write> validity: array<f32>;

fn counts(x: i32, y: i32) -> bool {
    if x < 0 || y < 0 || x >= i32(place.width) || y >= i32(place.height) {
        return false;
    }
    return valid[u32(y) * place.width + u32(x)] != 0u;
}

fn clamped(x: i32, y: i32) -> f32 {
    let column = u32(clamp(x, 0, i32(place.width) - 1));
    return raster[u32(clamp(y, 0, i32(place.height) - 1)) * place.width + column];
}

fn between(x: i32, y: i32, phase_x: u32, phase_y: u32) -> f32 {
    let first = 1 - i32(place.taps / 2u);
    var sum = 0.0;
    for (var j = 0u; j < place.taps; j++) {
        var row = 0.0;
        for (var i = 0u; i < place.taps; i++) {
            let sample = clamped(x + first + i32(i), y + first + i32(j));
            row = seal_add(row, seal_mul(table[phase_x * MOST + i], sample));
        }
        sum = seal_add(sum, seal_mul(table[phase_y * MOST + j], row));
    }
    return held(bitcast<u32>(sum));
}

@compute @workgroup_size(INVOCATIONS)
fn accumulate(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    let placement = placements[place.frame];
    let weight = bitcast<f32>(placement.z);
    if index >= place.width * place.height || weight == 0.0 {
        return;
    }
    let down = index / place.width;
    let shift = bitcast<vec2<i32>>(placement.xy);
    let phase = placement.xy % PHASES;
    // Arithmetic shifts round down, negative ones too.
    let x = i32(index - down * place.width) + (shift.x >> 4u);
    let y = i32(down) + (shift.y >> 4u);
    let wide = i32(phase.x != 0u);
    let high = i32(phase.y != 0u);
    if counts(x, y) && counts(x + wide, y) && counts(x, y + high) && counts(x + wide, y + high) {
        sums[index] = seal_add(sums[index], seal_mul(weight, between(x, y, phase.x, phase.y)));
        validity[index] = seal_add(validity[index], weight);
    }
}
