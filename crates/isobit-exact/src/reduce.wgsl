// Sums of 64-bit integers over a workgroup of 64 invocations. Patterns for a whole grid are in reduce.rs.

const REDUCE_SIZE: u32 = 64u;

var<workgroup> reduce_cells: array<vec2<u32>, REDUCE_SIZE>;

// The sum of value over all 64 invocations of the workgroup, for each of them. All must call it, in uniform control flow.
fn reduce_workgroup(local: u32, value: vec2<u32>) -> vec2<u32> {
    reduce_cells[local] = value;
    for (var half = REDUCE_SIZE / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if local < half {
            reduce_cells[local] = wide_add(reduce_cells[local], reduce_cells[local + half]);
        }
    }
    workgroupBarrier();
    let sum = reduce_cells[0];
    // A second call must not overwrite what another invocation has yet to read.
    workgroupBarrier();
    return sum;
}
