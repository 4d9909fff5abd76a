// Sums of squared differences for each shift around a centre, in blocks of the window. Follows sums of align.rs, behind
// level.wgsl.

const PER_INVOCATION: u32 = 64u;

@group(0) @binding(2) var<storage, read> best: array<i32>;
@group(0) @binding(3) var<storage, read> samples: array<i32>;
@group(0) @binding(4) var<storage, read> found: array<i32>;
@group(0) @binding(5) var<storage, read_write> partials: array<vec2<u32>>;

@compute @workgroup_size(REDUCE_SIZE)
fn differences(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let workgroup = grid_workgroup(workgroup_id);
    let shift_number = workgroup / level.blocks;
    let block = workgroup - shift_number * level.blocks;
    let columns = level.width - 2u * level.margin;
    let places = columns * (level.height - 2u * level.margin);
    let shift = vec2<i32>(found[0], found[1]) * i32(level.scale) + step_of(shift_number);
    let last = vec2<i32>(vec2<u32>(level.width, level.height)) - 1;
    // At most 64 squares below 2^22: below 2^28.
    var sum = 0u;
    if kept() {
        let begin = block * REDUCE_SIZE * PER_INVOCATION + local;
        for (var step = 0u; step < PER_INVOCATION; step++) {
            let place = begin + step * REDUCE_SIZE;
            if place < places {
                let row = place / columns;
                let here = vec2<u32>(place - row * columns, row) + level.margin;
                let there = vec2<u32>(clamp(vec2<i32>(here) + shift, vec2<i32>(0), last));
                let difference = best[here.y * level.width + here.x] - samples[there.y * level.width + there.x];
                sum += u32(difference * difference);
            }
        }
    }
    let total = reduce_workgroup(local, vec2<u32>(sum, 0u));
    if local == 0u {
        partials[workgroup] = total;
    }
}
