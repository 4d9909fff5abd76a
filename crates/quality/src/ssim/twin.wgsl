// The moments of the window around every sample of a band of rows: first in rows, then across them, with the names of
// reference.rs. The host makes terms of them with its function term, adds those in order and divides.

const INVOCATIONS: u32 = 64u;
const RADIUS: u32 = 4u;

struct Band {
    // The first row of windows, and the row behind the last one.
    first: u32,
    end: u32,
    // The first row that their windows reach, and the row behind the last one.
    top: u32,
    bottom: u32,
    // Rows of the plane.
    height: u32,
    // The taps, four to a vector.
    taps: array<vec4<u32>, 3>,
}

@group(0) @binding(0) var<uniform> plane: SamplePlane;
@group(0) @binding(1) var<uniform> band: Band;

// What rows reads and writes.
@group(0) @binding(2) var<storage, read> reference: array<u32>;
@group(0) @binding(3) var<storage, read> distorted: array<u32>;
@group(0) @binding(4) var<storage, read_write> out_row_pairs: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> out_row_xx: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> out_row_xy: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> out_row_yy: array<vec2<u32>>;

// What windows reads and writes.
@group(0) @binding(2) var<storage, read> row_pairs: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> row_xx: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> row_xy: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> row_yy: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> out_pairs: array<vec2<u32>>;
// Five words a window, as twin.rs packs them.
@group(0) @binding(7) var<storage, read_write> out_seconds: array<u32>;

fn tap_at(k: u32) -> u32 {
    return band.taps[k / 4u][k % 4u];
}

// The first tap around centre that falls on one of length places, and the one behind the last.
fn taps(centre: u32, length: u32) -> vec2<u32> {
    let first = RADIUS - min(RADIUS, centre);
    let end = min(2u * RADIUS + 1u, length + RADIUS - centre);
    return vec2<u32>(first, end);
}

// A number below 2^40 in parts: its low 16 bits, and the other 24. Taps add up to 256, so weighted sums of either part stay
// below 2^32, and only the whole needs 64 bits.
fn parts(number: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(number.x & 0xffffu, (number.x >> 16u) | (number.y << 16u));
}

// The number whose parts they are, carries included.
fn whole(parts: vec2<u32>) -> vec2<u32> {
    return wide_add_u32(vec2<u32>(parts.y << 16u, parts.y >> 16u), parts.x);
}

// The moments of the part of each sample's window that lies in its own row.
@compute @workgroup_size(INVOCATIONS)
fn rows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= (band.bottom - band.top) * plane.width {
        return;
    }
    let row = index / plane.width;
    let centre = index - row * plane.width;
    let range = taps(centre, plane.width);
    let bytes = sample_bytes(plane.depth_bits);
    var byte = (band.top + row) * plane.stride + (centre + range.x - RADIUS) * bytes;
    var pair = vec2<u32>(0u, 0u);
    var xx = vec2<u32>(0u, 0u);
    var xy = vec2<u32>(0u, 0u);
    var yy = vec2<u32>(0u, 0u);
    for (var k = range.x; k < range.y; k++) {
        let x = packed_sample(reference[byte / 4u], byte, plane.depth_bits);
        let y = packed_sample(distorted[byte / 4u], byte, plane.depth_bits);
        byte += bytes;
        let tap = tap_at(k);
        pair += tap * vec2<u32>(x, y);
        xx += tap * parts(vec2<u32>(x * x, 0u));
        xy += tap * parts(vec2<u32>(x * y, 0u));
        yy += tap * parts(vec2<u32>(y * y, 0u));
    }
    out_row_pairs[index] = pair;
    out_row_xx[index] = whole(xx);
    out_row_xy[index] = whole(xy);
    out_row_yy[index] = whole(yy);
}

// The moments of each sample's window.
@compute @workgroup_size(INVOCATIONS)
fn windows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= (band.end - band.first) * plane.width {
        return;
    }
    let centre = band.first + index / plane.width;
    let range = taps(centre, band.height);
    var place = (centre + range.x - RADIUS - band.top) * plane.width + index % plane.width;
    var pair = vec2<u32>(0u, 0u);
    var xx = vec2<u32>(0u, 0u);
    var xy = vec2<u32>(0u, 0u);
    var yy = vec2<u32>(0u, 0u);
    for (var k = range.x; k < range.y; k++) {
        let tap = tap_at(k);
        pair += tap * row_pairs[place];
        xx += tap * parts(row_xx[place]);
        xy += tap * parts(row_xy[place]);
        yy += tap * parts(row_yy[place]);
        place += plane.width;
    }
    out_pairs[index] = pair;
    let sum_xx = whole(xx);
    let sum_xy = whole(xy);
    let sum_yy = whole(yy);
    out_seconds[5u * index] = sum_xx.x;
    out_seconds[5u * index + 1u] = sum_xy.x;
    out_seconds[5u * index + 2u] = sum_yy.x;
    out_seconds[5u * index + 3u] = sum_xx.y | (sum_xy.y << 16u);
    out_seconds[5u * index + 4u] = sum_yy.y;
}
