// The shift of the least sum, and the place of a parabola between sums. Follows least and lowest of align.rs, behind
// level.wgsl.

const INVOCATIONS: u32 = 64u;
// Shifts that the widest search tries: (2 · REACH + 1)².
const MOST: u32 = 169u;

@group(0) @binding(2) var<storage, read> partials: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> found: array<i32>;
@group(0) @binding(4) var<storage, read_write> placements: array<vec4<u32>>;

var<workgroup> sums: array<vec2<u32>, MOST>;

// Joins the blocks of each shift.
fn gather(local: u32) -> u32 {
    let across = 2u * level.radius + 1u;
    let shifts = across * across;
    for (var index = local; index < shifts; index += INVOCATIONS) {
        var sum = vec2<u32>(0u);
        for (var block = 0u; block < level.blocks; block++) {
            sum = wide_add(sum, partials[index * level.blocks + block]);
        }
        sums[index] = sum;
    }
    workgroupBarrier();
    return shifts;
}

fn below(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

@compute @workgroup_size(INVOCATIONS)
fn choose(@builtin(local_invocation_index) local: u32) {
    let shifts = gather(local);
    if local != 0u || !kept() {
        return;
    }
    var least = shifts / 2u;
    for (var index = 0u; index < shifts; index++) {
        if below(sums[index], sums[least]) {
            least = index;
        }
    }
    let shift = vec2<i32>(found[0], found[1]) * i32(level.scale) + step_of(least);
    found[0] = shift.x;
    found[1] = shift.y;
}

fn lowest(before: vec2<u32>, here: vec2<u32>, after: vec2<u32>) -> i32 {
    var bend = wide_sub(wide_add(before, after), wide_add(here, here));
    if (bend.y & 0x80000000u) != 0u || (bend.x | bend.y) == 0u {
        return 0;
    }
    let falls = below(before, after);
    var slope = wide_sub(before, after);
    if falls {
        slope = wide_negate(slope);
    }
    if !below(slope, bend) {
        slope = bend;
    }
    while bend.y != 0u || (bend.x >> 24u) != 0u {
        bend = vec2<u32>((bend.x >> 1u) | (bend.y << 31u), bend.y >> 1u);
        slope = vec2<u32>((slope.x >> 1u) | (slope.y << 31u), slope.y >> 1u);
    }
    let sixteenths = i32((8u * slope.x + bend.x / 2u) / bend.x);
    return select(sixteenths, -sixteenths, falls);
}

// The placement of a frame: the sharpest stays where it is, and what is not kept or has moved too far has no weight.
@compute @workgroup_size(INVOCATIONS)
fn settle(@builtin(local_invocation_index) local: u32) {
    _ = gather(local);
    if local != 0u {
        return;
    }
    let rank = ranks[level.frame];
    var shift = vec2<i32>(0);
    if rank != 0u && kept() {
        shift = 16 * vec2<i32>(found[0], found[1]);
        shift.x += lowest(sums[3], sums[4], sums[5]);
        shift.y += lowest(sums[1], sums[4], sums[7]);
    }
    let counts = kept() && max(abs(shift.x), abs(shift.y)) <= level.farthest;
    let weight = select(0u, 0x3f800000u, counts);
    placements[level.frame] = vec4<u32>(bitcast<vec2<u32>>(shift), weight, rank);
}
