// The moments of the window around every sample of a band of rows: first in rows, then across them, with the names of
// reference.rs. The host makes terms of them with its function term, adds those in order and divides.

const INVOCATIONS: u32 = 64u;
// Samples of a row or of a column that an invocation takes, one after the other.
const RUN: u32 = 8u;

struct Band {
    // The first row of windows, and the row behind the last one.
    first: u32,
    end: u32,
    // The first row that their windows reach, and the row behind the last one.
    top: u32,
    bottom: u32,
    // Rows of the plane.
    height: u32,
    // The taps from the outermost to the centre.
    taps: array<vec4<u32>, 2>,
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

// Sums over a window or a part of it: of the codes, and of their squares and product (xx, xy, yy) in two parts, the low 16
// bits and the others. Second moments in rows are below 2^40 and the taps add up to 256, so weighted sums of either part stay
// below 2^32: only the whole needs 64 bits.
struct Sums {
    pair: vec2<u32>,
    low: vec3<u32>,
    high: vec3<u32>,
}

const NOTHING = Sums(vec2<u32>(0u, 0u), vec3<u32>(0u, 0u, 0u), vec3<u32>(0u, 0u, 0u));

// Adds two places that have the same tap.
fn add(sums: Sums, tap: u32, a: Sums, b: Sums) -> Sums {
    let pair = sums.pair + tap * (a.pair + b.pair);
    let low = sums.low + tap * (a.low + b.low);
    let high = sums.high + tap * (a.high + b.high);
    return Sums(pair, low, high);
}

// The weighted sum of nine places.
fn weighed(a: Sums, b: Sums, c: Sums, d: Sums, e: Sums, f: Sums, g: Sums, h: Sums, i: Sums) -> Sums {
    var sums = add(NOTHING, band.taps[0].x, a, i);
    sums = add(sums, band.taps[0].y, b, h);
    sums = add(sums, band.taps[0].z, c, g);
    sums = add(sums, band.taps[0].w, d, f);
    return add(sums, band.taps[1].x, e, NOTHING);
}

// A second moment from its parts.
fn whole(low: u32, high: u32) -> vec2<u32> {
    return wide_add_u32(vec2<u32>(high << 16u, high >> 16u), low);
}

// The moments in rows, a run of samples of one row after the other: nine places move along with it.
@compute @workgroup_size(INVOCATIONS)
fn rows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let run = grid_invocation(workgroup_id, local, INVOCATIONS);
    let runs = (plane.width + RUN - 1u) / RUN;
    let row = run / runs;
    if row >= band.bottom - band.top {
        return;
    }
    let line = (band.top + row) * plane.stride;
    let begin = (run - row * runs) * RUN;
    // Below zero, a place wraps to one far beyond the last.
    var a = sample(line, begin - 4u);
    var b = sample(line, begin - 3u);
    var c = sample(line, begin - 2u);
    var d = sample(line, begin - 1u);
    var e = sample(line, begin);
    var f = sample(line, begin + 1u);
    var g = sample(line, begin + 2u);
    var h = sample(line, begin + 3u);
    for (var x = begin; x < min(begin + RUN, plane.width); x++) {
        let i = sample(line, x + 4u);
        let sums = weighed(a, b, c, d, e, f, g, h, i);
        let index = row * plane.width + x;
        out_row_pairs[index] = sums.pair;
        out_row_xx[index] = whole(sums.low.x, sums.high.x);
        out_row_xy[index] = whole(sums.low.y, sums.high.y);
        out_row_yy[index] = whole(sums.low.z, sums.high.z);
        a = b;
        b = c;
        c = d;
        d = e;
        e = f;
        f = g;
        g = h;
        h = i;
    }
}

// The moments of the samples in column x, nothing beyond the border, of the row that begins at byte line.
fn sample(line: u32, x: u32) -> Sums {
    if x >= plane.width {
        return NOTHING;
    }
    let byte = line + x * sample_bytes(plane.depth_bits);
    let r = packed_sample(reference[byte / 4u], byte, plane.depth_bits);
    let d = packed_sample(distorted[byte / 4u], byte, plane.depth_bits);
    let products = vec3<u32>(r * r, r * d, d * d);
    return Sums(vec2<u32>(r, d), products & vec3<u32>(0xffffu), products >> vec3<u32>(16u));
}

// The moments of windows, a run of samples of one column after the other: nine rows move along with it.
@compute @workgroup_size(INVOCATIONS)
fn windows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let run = grid_invocation(workgroup_id, local, INVOCATIONS);
    let line = run / plane.width;
    let x = run - line * plane.width;
    let begin = band.first + line * RUN;
    if begin >= band.end {
        return;
    }
    var a = row(begin - 4u, x);
    var b = row(begin - 3u, x);
    var c = row(begin - 2u, x);
    var d = row(begin - 1u, x);
    var e = row(begin, x);
    var f = row(begin + 1u, x);
    var g = row(begin + 2u, x);
    var h = row(begin + 3u, x);
    for (var y = begin; y < min(begin + RUN, band.end); y++) {
        let i = row(y + 4u, x);
        let sums = weighed(a, b, c, d, e, f, g, h, i);
        let index = (y - band.first) * plane.width + x;
        let xx = whole(sums.low.x, sums.high.x);
        let xy = whole(sums.low.y, sums.high.y);
        let yy = whole(sums.low.z, sums.high.z);
        out_pairs[index] = sums.pair;
        out_seconds[5u * index] = xx.x;
        out_seconds[5u * index + 1u] = xy.x;
        out_seconds[5u * index + 2u] = yy.x;
        out_seconds[5u * index + 3u] = xx.y | (xy.y << 16u);
        out_seconds[5u * index + 4u] = yy.y;
        a = b;
        b = c;
        c = d;
        d = e;
        e = f;
        f = g;
        g = h;
        h = i;
    }
}

// The moments in row y around column x, nothing beyond the border.
fn row(y: u32, x: u32) -> Sums {
    if y >= band.height {
        return NOTHING;
    }
    let index = (y - band.top) * plane.width + x;
    let xx = row_xx[index];
    let xy = row_xy[index];
    let yy = row_yy[index];
    let low = vec3<u32>(xx.x, xy.x, yy.x);
    let high = vec3<u32>(xx.y, xy.y, yy.y);
    return Sums(row_pairs[index], low & vec3<u32>(0xffffu), (low >> vec3<u32>(16u)) | (high << vec3<u32>(16u)));
}
