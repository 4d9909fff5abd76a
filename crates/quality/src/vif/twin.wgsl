// Visual information fidelity in fixed point. Follows reference.rs: each level is filtered down its columns into moments and
// along its rows into variances, whose information is summed, one quadruple of partial sums a workgroup; and it is filtered
// once more, by the next scale's filter, into the next level. The host adds the partial sums and finishes with score.
//
// A filter's taps sum to 2^16. Squares have 32 bits, so their lower and upper halves are filtered apart, and neither sum
// exceeds 32 bits. An invocation filters for four neighbours at once, which share most of the samples under them: one
// component each, their weights a tap apart.

const INVOCATIONS: u32 = 16u;
const GROUPS_PER_INVOCATION: u32 = 4u;
const FILTER_INVOCATIONS: u32 = 64u;

const NOISE: u32 = 0x20000u;
// 65536e-10 as f64.
const EPSILON: vec2<u32> = vec2<u32>(0xd9d7bdbbu, 0x3edb7cdfu);
const LOG_UNIT: u32 = 2048u;

// What a dispatch covers of a level, and the filter that it applies.
struct Strip {
    // Samples in a row of the level.
    width: u32,
    // Rows of the level.
    height: u32,
    // The scale of the level.
    scale: u32,
    // Taps on either side of the middle one.
    reach: u32,
    // The first row.
    first: u32,
    // Rows of the result.
    rows: u32,
    // The largest gain, as f64.
    gain_limit: vec2<u32>,
    // Followed by at least three zeros.
    taps: array<vec4<u32>, 5>,
}

struct Sums {
    kept: vec2<u32>,
    whole: vec2<u32>,
    flat_variance: vec2<u32>,
    flat: vec2<u32>,
}

// Sums under the filter in four neighbouring windows. Of squares and products there are two: of their lower and of their
// upper halves.
struct Windows {
    mean_r: vec4<u32>,
    mean_d: vec4<u32>,
    rr_low: vec4<u32>,
    rr_high: vec4<u32>,
    dd_low: vec4<u32>,
    dd_high: vec4<u32>,
    rd_low: vec4<u32>,
    rd_high: vec4<u32>,
}

@group(0) @binding(0) var<storage, read> reference: array<u32>;
@group(0) @binding(1) var<storage, read> distorted: array<u32>;
@group(0) @binding(2) var<uniform> plane: SamplePlane;
@group(0) @binding(3) var<uniform> strip: Strip;
// Both clips below the first scale: the reference's sample in the lower half.
@group(0) @binding(4) var<storage, read_write> level: array<u32>;
// The same of every second row, filtered down the columns.
@group(0) @binding(5) var<storage, read_write> columns: array<u32>;
// Means, the reference's in the lower half; means of the reference's squares, of the distorted clip's, of the products.
@group(0) @binding(6) var<storage, read_write> moments: array<vec4<u32>>;
// Two logarithms to a word.
@group(0) @binding(7) var<storage, read> logarithms: array<u32>;
@group(0) @binding(8) var<storage, read_write> partials: array<Sums>;

var<workgroup> shared_sums: array<Sums, INVOCATIONS>;

fn tap(index: u32) -> u32 {
    return strip.taps[index / 4u][index % 4u];
}

// The index between 0 and length whose sample stands under tap number index of a filter around the first sample. A filter
// of a neighbour that lies beyond the edge itself may find any sample.
fn mirror(index: u32, length: u32) -> u32 {
    let distance = u32(abs(i32(index) - i32(strip.reach)));
    return min(min(distance, 2u * (length - 1u) - distance), length - 1u);
}

fn halves(word: u32) -> vec2<u32> {
    return vec2<u32>(word & 0xffffu, word >> 16u);
}

// A sample of the reference and of the distorted clip.
fn samples(x: u32, y: u32) -> vec2<u32> {
    if strip.scale > 0u {
        return halves(level[y * strip.width + x]);
    }
    let byte = y * plane.stride + x * sample_bytes(plane.depth_bits);
    return vec2<u32>(
        packed_sample(reference[byte / 4u], byte, plane.depth_bits),
        packed_sample(distorted[byte / 4u], byte, plane.depth_bits),
    );
}

// Bits of a sample.
fn sample_bits() -> u32 {
    return select(16u, plane.depth_bits, strip.scale == 0u);
}

// value / 2^shift, rounded half up.
fn rounded(value: vec4<u32>, shift: u32) -> vec4<u32> {
    return (value + vec4<u32>((1u << shift) >> 1u)) >> vec4<u32>(shift);
}

// Adds a sample to each window; squares are those of the reference, of the distorted clip, and the product.
fn windows_add(windows: ptr<function, Windows>, weights: vec4<u32>, means: vec2<u32>, squares: vec3<u32>) {
    let low = squares & vec3<u32>(0xffffu);
    let high = squares >> vec3<u32>(16u);
    (*windows).mean_r += weights * means.x;
    (*windows).mean_d += weights * means.y;
    (*windows).rr_low += weights * low.x;
    (*windows).rr_high += weights * high.x;
    (*windows).dd_low += weights * low.y;
    (*windows).dd_high += weights * high.y;
    (*windows).rd_low += weights * low.z;
    (*windows).rd_high += weights * high.z;
}

// (high 2^16 + low) / 2^shift, rounded half up, for shifts of at most 16 bits.
fn joined(low: vec4<u32>, high: vec4<u32>, shift: u32) -> vec4<u32> {
    return (high << vec4<u32>(16u - shift)) + rounded(low, shift);
}

// The moments of four windows one below the other, filtered down the column: means of 16 bits, squares of 32.
@compute @workgroup_size(FILTER_INVOCATIONS)
fn column_moments(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, FILTER_INVOCATIONS);
    let y = 4u * (index / strip.width);
    let x = index % strip.width;
    if y >= strip.rows {
        return;
    }
    var windows = Windows();
    var weights = vec4<u32>(0u);
    for (var k = 0u; k < 2u * strip.reach + 4u; k++) {
        weights = vec4<u32>(tap(k), weights.xyz);
        let pair = samples(x, mirror(strip.first + y + k, strip.height));
        windows_add(&windows, weights, pair, pair.xyx * pair.xyy);
    }
    let bits = sample_bits();
    let means = rounded(windows.mean_r, bits) | (rounded(windows.mean_d, bits) << vec4<u32>(16u));
    let shift = 2u * (bits - 8u);
    let rr = joined(windows.rr_low, windows.rr_high, shift);
    let dd = joined(windows.dd_low, windows.dd_high, shift);
    let rd = joined(windows.rd_low, windows.rd_high, shift);
    for (var window = 0u; window < min(4u, strip.rows - y); window++) {
        let at = vec4<u32>(means[window], rr[window], dd[window], rd[window]);
        moments[(y + window) * strip.width + x] = at;
    }
}

// Every second row of samples, filtered down the column, four at a time.
@compute @workgroup_size(FILTER_INVOCATIONS)
fn halve_columns(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, FILTER_INVOCATIONS);
    let y = 4u * (index / strip.width);
    let x = index % strip.width;
    if y >= strip.rows {
        return;
    }
    var sum_r = vec4<u32>(0u);
    var sum_d = vec4<u32>(0u);
    var weights = vec4<u32>(0u);
    var previous = vec4<u32>(0u);
    for (var k = 0u; k < 2u * strip.reach + 7u; k++) {
        let next = vec4<u32>(tap(k), previous.xyz);
        previous = weights;
        weights = next;
        let pair = samples(x, mirror(2u * y + k, strip.height));
        sum_r += weights * pair.x;
        sum_d += weights * pair.y;
    }
    let bits = sample_bits();
    let pairs = rounded(sum_r, bits) | (rounded(sum_d, bits) << vec4<u32>(16u));
    for (var row = 0u; row < min(4u, strip.rows - y); row++) {
        columns[(y + row) * strip.width + x] = pairs[row];
    }
}

// Every second sample of these rows, filtered along them, four at a time: the next level.
@compute @workgroup_size(FILTER_INVOCATIONS)
fn halve_rows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, FILTER_INVOCATIONS);
    let width = strip.width / 2u;
    let groups = (width + 3u) / 4u;
    let y = index / groups;
    let x = 4u * (index % groups);
    if y >= strip.rows {
        return;
    }
    var sum_r = vec4<u32>(0u);
    var sum_d = vec4<u32>(0u);
    var weights = vec4<u32>(0u);
    var previous = vec4<u32>(0u);
    for (var k = 0u; k < 2u * strip.reach + 7u; k++) {
        let next = vec4<u32>(tap(k), previous.xyz);
        previous = weights;
        weights = next;
        let pair = halves(columns[y * strip.width + mirror(2u * x + k, strip.width)]);
        sum_r += weights * pair.x;
        sum_d += weights * pair.y;
    }
    let pairs = rounded(sum_r, 16u) | (rounded(sum_d, 16u) << vec4<u32>(16u));
    for (var column = 0u; column < min(4u, width - x); column++) {
        level[y * width + x + column] = pairs[column];
    }
}

@compute @workgroup_size(INVOCATIONS)
fn information(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let workgroup = grid_workgroup(workgroup_id);
    let groups = (strip.width + 3u) / 4u;
    var sums = Sums();
    for (var step = 0u; step < GROUPS_PER_INVOCATION; step++) {
        let index = (workgroup * GROUPS_PER_INVOCATION + step) * INVOCATIONS + local;
        let y = index / groups;
        if y < strip.rows {
            add_group(&sums, 4u * (index % groups), y);
        }
    }

    shared_sums[local] = sums;
    workgroupBarrier();
    if local == 0u {
        for (var other = 1u; other < INVOCATIONS; other++) {
            sums.kept = wide_add(sums.kept, shared_sums[other].kept);
            sums.whole = wide_add(sums.whole, shared_sums[other].whole);
            sums.flat_variance = wide_add(sums.flat_variance, shared_sums[other].flat_variance);
            sums.flat = wide_add(sums.flat, shared_sums[other].flat);
        }
        partials[workgroup] = sums;
    }
}

// Adds four windows side by side, as far as the row has them.
fn add_group(sums: ptr<function, Sums>, x: u32, y: u32) {
    var windows = Windows();
    var weights = vec4<u32>(0u);
    for (var k = 0u; k < 2u * strip.reach + 4u; k++) {
        weights = vec4<u32>(tap(k), weights.xyz);
        let column = moments[y * strip.width + mirror(x + k, strip.width)];
        windows_add(&windows, weights, halves(column.x), column.yzw);
    }
    let mean_r = windows.mean_r;
    let mean_d = windows.mean_d;
    let rr = joined(windows.rr_low, windows.rr_high, 16u);
    let dd = joined(windows.dd_low, windows.dd_high, 16u);
    let rd = joined(windows.rd_low, windows.rd_high, 16u);
    for (var window = 0u; window < min(4u, strip.width - x); window++) {
        let reference_variance = central(rr[window], mean_r[window], mean_r[window]);
        let distorted_variance = central(dd[window], mean_d[window], mean_d[window]);
        let covariance = central(rd[window], mean_r[window], mean_d[window]);
        add_window(sums, reference_variance, max(distorted_variance, 0), covariance);
    }
}

// square less the product of the means, rounded half up to units of 2^32.
fn central(square: u32, mean: u32, other: u32) -> i32 {
    let product = wide_mul(mean, other);
    return bitcast<i32>(square - (product.y + (product.x >> 31u)));
}

// Adds what one window says: the variances of the reference and of the distorted clip, and their covariance.
fn add_window(sums: ptr<function, Sums>, r: i32, d: i32, joint: i32) {
    if r < i32(NOISE) {
        (*sums).flat_variance = wide_add_u32((*sums).flat_variance, u32(d));
        (*sums).flat = wide_add_u32((*sums).flat, 1u);
        return;
    }
    let whole = logarithm(vec2<u32>(NOISE + u32(r), 0u)) - 17u * LOG_UNIT;
    (*sums).whole = wide_add_u32((*sums).whole, whole);
    if joint > 0 && d > 0 {
        (*sums).kept = wide_add_u32((*sums).kept, information_kept(r, d, joint));
    }
}

// What the distorted clip keeps of the information, as a gain on the reference and a residual; all three are positive.
fn information_kept(r: i32, d: i32, joint: i32) -> u32 {
    let variance = soft64_from_i32(r);
    let covariance = soft64_from_i32(joint);
    var gain = soft64_div(covariance, soft64_add(variance, EPSILON));
    let residual = soft64_to_i32(soft64_sub(soft64_from_i32(d), soft64_mul(gain, covariance)));
    let noise = vec2<u32>(NOISE + u32(max(residual, 0)), 0u);
    if soft64_less(strip.gain_limit, gain) {
        gain = strip.gain_limit;
    }
    let signal = soft64_to_u64(soft64_mul(soft64_mul(gain, gain), variance));
    return logarithm(wide_add(noise, signal)) - logarithm(noise);
}

// The logarithm of value, at least 2^16, by its 16 highest bits, in units of 1/2048.
fn logarithm(value: vec2<u32>) -> u32 {
    let shift = 48u - wide_leading_zeros(value);
    let entry = wide_shift_right(value, shift).x - 0x8000u;
    let pair = logarithms[entry / 2u];
    return ((pair >> (16u * (entry % 2u))) & 0xffffu) + LOG_UNIT * shift;
}
