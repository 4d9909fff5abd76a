// The sums of a plane's codes and of their squares, each rounded to f32, in 64-bit integers: one pair of partial sums a
// workgroup. The host adds the pairs and finishes with moments of reference.rs.

const INVOCATIONS: u32 = 16u;
const SAMPLES_PER_INVOCATION: u32 = 16u;

struct Sums {
    // Of the values, in units of 1/scale: the sum of the codes.
    first: vec2<u32>,
    // Of the squares, each rounded to f32, in units of 1/scale².
    second: vec2<u32>,
}

@group(0) @binding(0) var<storage, read> codes: array<u32>;
@group(0) @binding(1) var<uniform> plane: SamplePlane;
@group(0) @binding(2) var<storage, read_write> partials: array<Sums>;

var<workgroup> shared_sums: array<Sums, INVOCATIONS>;

@compute @workgroup_size(INVOCATIONS)
fn sums(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let begin = grid_invocation(workgroup_id, local, INVOCATIONS) * SAMPLES_PER_INVOCATION;
    let end = min(begin + SAMPLES_PER_INVOCATION, plane.samples);
    var sums = Sums(vec2<u32>(0u, 0u), vec2<u32>(0u, 0u));
    var place = sample_place(plane, begin);
    for (var index = begin; index < end; index++) {
        let code = packed_sample(codes[place.byte / 4u], place.byte, plane.depth_bits);
        place = sample_after(plane, place);
        sums.first = wide_add_u32(sums.first, code);
        sums.second = wide_add_u32(sums.second, square(code));
    }

    shared_sums[local] = sums;
    workgroupBarrier();
    if local == 0u {
        for (var other = 1u; other < INVOCATIONS; other++) {
            sums.first = wide_add(sums.first, shared_sums[other].first);
            sums.second = wide_add(sums.second, shared_sums[other].second);
        }
        partials[grid_workgroup(workgroup_id)] = sums;
    }
}
