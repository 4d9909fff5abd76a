// The sum of absolute values of the blurred difference of two planes: one partial sum a workgroup. The host adds the partial
// sums and finishes with motions of reference.rs.
//
// Each invocation takes a run of samples of one row and moves five columns along with it. Numbers with a sign stand as two
// without, of which one is zero or both are to be subtracted: no weighted sum of either needs more than 32 bits.

const INVOCATIONS: u32 = 16u;
const RUN: u32 = 16u;

@group(0) @binding(0) var<storage, read> previous: array<u32>;
@group(0) @binding(1) var<storage, read> current: array<u32>;
@group(0) @binding(2) var<uniform> plane: SamplePlane;
@group(0) @binding(3) var<storage, read_write> partials: array<u32>;

var<workgroup> sums: array<u32, INVOCATIONS>;

// The first bytes of the five rows around one.
struct Rows {
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
}

@compute @workgroup_size(INVOCATIONS)
fn sad(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let width = plane.width;
    let height = plane.samples / width;
    let run = grid_invocation(workgroup_id, local, INVOCATIONS);
    let runs = (width + RUN - 1u) / RUN;
    let y = run / runs;
    var sad = 0u;
    if y < height {
        let rows = Rows(
            mirrored(y, 0u, height) * plane.stride,
            mirrored(y, 1u, height) * plane.stride,
            y * plane.stride,
            mirrored(y, 3u, height) * plane.stride,
            mirrored(y, 4u, height) * plane.stride,
        );
        let begin = (run - y * runs) * RUN;
        var a = column(rows, mirrored(begin, 0u, width));
        var b = column(rows, mirrored(begin, 1u, width));
        var c = column(rows, begin);
        var d = column(rows, mirrored(begin, 3u, width));
        for (var x = begin; x < min(begin + RUN, width); x++) {
            let e = column(rows, mirrored(x, 4u, width));
            let value = blur(a, b, c, d, e, 16u);
            sad += value.x + value.y;
            a = b;
            b = c;
            c = d;
            d = e;
        }
    }

    sums[local] = sad;
    workgroupBarrier();
    if local == 0u {
        for (var other = 1u; other < INVOCATIONS; other++) {
            sad += sums[other];
        }
        partials[grid_workgroup(workgroup_id)] = sad;
    }
}

// The place of tap number tap around centre among length, mirrored where it lies beyond the first or the last.
fn mirrored(centre: u32, tap: u32, length: u32) -> u32 {
    let place = max(centre + tap, 2u) - min(centre + tap, 2u);
    return min(place, 2u * (length - 1u) - place);
}

// The difference of the planes in column x, blurred down.
fn column(rows: Rows, x: u32) -> vec2<u32> {
    let byte = x * sample_bytes(plane.depth_bits);
    let a = pair(rows.a + byte);
    let b = pair(rows.b + byte);
    let c = pair(rows.c + byte);
    let d = pair(rows.d + byte);
    let e = pair(rows.e + byte);
    return blur(a, b, c, d, e, plane.depth_bits);
}

// The samples of both planes that begin at byte.
fn pair(byte: u32) -> vec2<u32> {
    let p = packed_sample(previous[byte / 4u], byte, plane.depth_bits);
    let c = packed_sample(current[byte / 4u], byte, plane.depth_bits);
    return vec2<u32>(p, c);
}

// The weighted sum of five values over 2^bits, rounded to the nearest whole number, halves upwards; each the first less the
// second number of a pair.
fn blur(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>, d: vec2<u32>, e: vec2<u32>, bits: u32) -> vec2<u32> {
    let sum = 3571u * (a + e) + 16004u * (b + d) + 26386u * c;
    let half = 1u << (bits - 1u);
    if sum.x >= sum.y {
        return vec2<u32>((sum.x - sum.y + half) >> bits, 0u);
    }
    return vec2<u32>(0u, (sum.y - sum.x + half - 1u) >> bits);
}
