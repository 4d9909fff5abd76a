@group(0) @binding(0) var<storage, read> sent: array<u32>;
@group(0) @binding(1) var<storage, read_write> returned: array<u32>;

@compute @workgroup_size(64)
fn echo(@builtin(global_invocation_id) id: vec3<u32>) {
    returned[id.x] = sent[id.x];
}

// The shape in which a miscompiled barrier was seen: 64 invocations, halved in each round.
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;
var<workgroup> partial: array<u32, 64>;

@compute @workgroup_size(64)
fn reduce(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    partial[lane] = lane + 1u;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half >>= 1u) {
        if lane < half {
            partial[lane] += partial[lane + half];
        }
        workgroupBarrier();
    }
    if lane == 0u {
        sums[group.x] = partial[0];
    }
}

@group(0) @binding(3) var<storage, read_write> rounds: array<u32>;
@group(0) @binding(4) var<uniform> limit: vec4<u32>;

// The state depends on every iteration, so that the loop cannot be replaced by its result.
@compute @workgroup_size(1)
fn count() {
    var state = limit.y;
    var done = 0u;
    for (var i = 0u; i < limit.x; i++) {
        state = (state ^ (state >> 7u)) * 1664525u + i;
        done += 1u + (u32(state == 0xffffffffu) & limit.z);
    }
    rounds[0] = done;
}
