// Sums of runs of 256 samples, one workgroup a run.

@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

var<workgroup> terms: array<u32, 256>;
var<workgroup> total: atomic<u32>;

// Zero, after a while that no compiler can leave out.
fn late_zero(term: u32) -> u32 {
    var state = term;
    for (var step = 0u; step < 2048u; step++) {
        state = (state ^ (state >> 3u)) * 2654435761u;
    }
    return state & shape.zero;
}

@compute @workgroup_size(256)
fn sum(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let index = group.x * 256u + lane;
    var term = 0u;
    if index < shape.width * shape.height {
        term = code(index % shape.width, index / shape.width);
    }
    // Where invocations run side by side, half of them are late.
    if lane >= 128u {
        term += late_zero(term);
    }
    terms[lane] = term;
    workgroupBarrier();

    // Every term is read twice, once by its own invocation and once by the opposite one. Where subgroups run one after
    // another, the first of them, whichever it is, needs terms of one that is still to come.
    atomicAdd(&total, terms[lane] + terms[(lane + 128u) % 256u]);
    workgroupBarrier();

    if lane == 0u {
        sums[group.x] = atomicLoad(&total) / 2u;
    }
}
