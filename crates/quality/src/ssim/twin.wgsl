// The term of every sample of a band of rows: moments in rows, then moments of windows and the similarity they make, in f64.
// The host adds the terms in order and divides, with score of reference.rs.

const INVOCATIONS: u32 = 64u;
const RADIUS: u32 = 4u;

struct Band {
    // The first row of which terms are formed, and the row behind the last one.
    first: u32,
    end: u32,
    // The first row whose moments are held, and the row behind the last one.
    top: u32,
    bottom: u32,
    // Rows of the plane.
    height: u32,
    padding: u32,
    // The stabilisers of luminance and of contrast, as f64.
    c1: vec2<u32>,
    c2: vec2<u32>,
}

@group(0) @binding(0) var<uniform> plane: SamplePlane;
@group(0) @binding(1) var<uniform> band: Band;

// What rows writes and reads.
@group(0) @binding(2) var<storage, read_write> out_x: array<u32>;
@group(0) @binding(3) var<storage, read_write> out_y: array<u32>;
@group(0) @binding(4) var<storage, read_write> out_xx: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> out_xy: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> out_yy: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> reference: array<u32>;
@group(0) @binding(8) var<storage, read> distorted: array<u32>;

// What terms reads and writes.
@group(0) @binding(2) var<storage, read> row_x: array<u32>;
@group(0) @binding(3) var<storage, read> row_y: array<u32>;
@group(0) @binding(4) var<storage, read> row_xx: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> row_xy: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> row_yy: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> out_terms: array<vec2<u32>>;

const TAPS: array<u32, 9> = array<u32, 9>(2u, 9u, 28u, 55u, 68u, 55u, 28u, 9u, 2u);

// Weighted sums over a window, or over its part in one row: of 1, of the codes, of their squares and of their product.
struct Moments {
    weight: u32,
    x: u32,
    y: u32,
    xx: vec2<u32>,
    xy: vec2<u32>,
    yy: vec2<u32>,
}

// Adds a moment of a row, times its tap; the product is below 2^64.
fn add_wide(sum: vec2<u32>, tap: u32, moment: vec2<u32>) -> vec2<u32> {
    let product = wide_mul(tap, moment.x);
    return wide_add(sum, vec2<u32>(product.x, product.y + tap * moment.y));
}

// The first tap around centre that falls on one of length places, and the one behind the last.
fn taps(centre: u32, length: u32) -> vec2<u32> {
    let first = RADIUS - min(RADIUS, centre);
    let end = min(2u * RADIUS + 1u, length + RADIUS - centre);
    return vec2<u32>(first, end);
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
    var x = 0u;
    var y = 0u;
    var xx = vec2<u32>(0u, 0u);
    var xy = vec2<u32>(0u, 0u);
    var yy = vec2<u32>(0u, 0u);
    for (var k = range.x; k < range.y; k++) {
        let r = packed_sample(reference[byte / 4u], byte, plane.depth_bits);
        let d = packed_sample(distorted[byte / 4u], byte, plane.depth_bits);
        byte += bytes;
        let tap = TAPS[k];
        x += tap * r;
        y += tap * d;
        xx = wide_add(xx, wide_mul(tap * r, r));
        xy = wide_add(xy, wide_mul(tap * r, d));
        yy = wide_add(yy, wide_mul(tap * d, d));
    }
    out_x[index] = x;
    out_y[index] = y;
    out_xx[index] = xx;
    out_xy[index] = xy;
    out_yy[index] = yy;
}

// The term of every sample: its similarity times its weight.
@compute @workgroup_size(INVOCATIONS)
fn terms(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= (band.end - band.first) * plane.width {
        return;
    }
    let y = band.first + index / plane.width;
    let x = index % plane.width;
    // The weight of a row is that of the taps around x.
    let across = taps(x, plane.width);
    var row_weight = 0u;
    for (var k = across.x; k < across.y; k++) {
        row_weight += TAPS[k];
    }
    let down = taps(y, band.height);
    var moments = Moments(0u, 0u, 0u, vec2<u32>(0u, 0u), vec2<u32>(0u, 0u), vec2<u32>(0u, 0u));
    var place = (y + down.x - RADIUS - band.top) * plane.width + x;
    for (var k = down.x; k < down.y; k++) {
        let tap = TAPS[k];
        moments.weight += tap * row_weight;
        moments.x += tap * row_x[place];
        moments.y += tap * row_y[place];
        moments.xx = add_wide(moments.xx, tap, row_xx[place]);
        moments.xy = add_wide(moments.xy, tap, row_xy[place]);
        moments.yy = add_wide(moments.yy, tap, row_yy[place]);
        place += plane.width;
    }
    out_terms[index] = term(moments);
}

// The similarity of a window times its weight. All sums carry a factor of the weight's square. Products of two integers are
// formed whole and rounded once, as f64 rounds the product of two integers that it holds exactly.
fn term(moments: Moments) -> vec2<u32> {
    let weight = vec2<u32>(moments.weight, 0u);
    let w = soft64_from_u32(moments.weight);
    let c1 = soft64_mul(soft64_mul(band.c1, w), w);
    let c2 = soft64_mul(soft64_mul(band.c2, w), w);
    let mxx = soft64_from_u64(wide_mul(moments.x, moments.x));
    let mxy = soft64_from_u64(wide_mul(moments.x, moments.y));
    let myy = soft64_from_u64(wide_mul(moments.y, moments.y));
    let xx = soft64_from_u64(wide_mul_low(moments.xx, weight));
    let xy = soft64_from_u64(wide_mul_low(moments.xy, weight));
    let yy = soft64_from_u64(wide_mul_low(moments.yy, weight));
    let covariance = soft64_sub(xy, mxy);
    let luminance = soft64_mul(w, soft64_add(soft64_add(mxy, mxy), c1));
    let similar = soft64_mul(luminance, soft64_add(c2, soft64_add(covariance, covariance)));
    let variances = soft64_add(soft64_sub(soft64_add(soft64_sub(xx, mxx), yy), myy), c2);
    return soft64_div(similar, soft64_mul(soft64_add(soft64_add(mxx, myy), c1), variances));
}
