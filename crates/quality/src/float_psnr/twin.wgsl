// The sum of a plane's squared errors, each rounded to f32, in 64-bit integers and units of 1/scale²: one partial sum a
// workgroup. The host adds the partial sums and finishes with psnr of reference.rs.

const INVOCATIONS: u32 = 16u;
const SAMPLES_PER_INVOCATION: u32 = 16u;

@group(0) @binding(0) var<storage, read> reference: array<u32>;
@group(0) @binding(1) var<storage, read> distorted: array<u32>;
@group(0) @binding(2) var<uniform> plane: SamplePlane;
@group(0) @binding(3) var<storage, read_write> partials: array<vec2<u32>>;

var<workgroup> sums: array<vec2<u32>, INVOCATIONS>;

@compute @workgroup_size(INVOCATIONS)
fn noise(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let first = grid_invocation(workgroup_id, local, INVOCATIONS) * SAMPLES_PER_INVOCATION;
    let end = min(first + SAMPLES_PER_INVOCATION, plane.samples);
    var noise = vec2<u32>(0u, 0u);
    var place = sample_place(plane, first);
    for (var index = first; index < end; index++) {
        let r = packed_sample(reference[place.byte / 4u], place.byte, plane.depth_bits);
        let d = packed_sample(distorted[place.byte / 4u], place.byte, plane.depth_bits);
        place = sample_after(plane, place);
        noise = wide_add_u32(noise, square(max(r, d) - min(r, d)));
    }

    sums[local] = noise;
    workgroupBarrier();
    if local == 0u {
        for (var other = 1u; other < INVOCATIONS; other++) {
            noise = wide_add(noise, sums[other]);
        }
        partials[grid_workgroup(workgroup_id)] = noise;
    }
}
