// Sums of numbers in rows and of integers over a grid, by each of the documented ways.

@group(0) @binding(0) var<storage, read> terms: array<f32>;
// Terms of a row, rows, workgroups.
@group(0) @binding(1) var<uniform> size: vec4<u32>;
@group(0) @binding(2) var<storage, read_write> rows: array<vec4<u32>>;

@compute @workgroup_size(64)
fn sum_rows(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = grid_invocation(workgroup, local, 64u);
    if row >= size.y {
        return;
    }
    var single = 0.0;
    var double = vec2<u32>(0u);
    for (var index = row * size.x; index < (row + 1u) * size.x; index++) {
        single = ordered_add(single, terms[index]);
        double = ordered_add_f64(double, terms[index]);
    }
    rows[row] = vec4<u32>(bitcast<u32>(single), 0u, double);
}

@group(0) @binding(3) var<storage, read_write> total: vec4<u32>;

@compute @workgroup_size(1)
fn sum_total() {
    var single = 0.0;
    var double = vec2<u32>(0u);
    for (var row = 0u; row < size.y; row++) {
        single = ordered_add(single, bitcast<f32>(rows[row].x));
        double = soft64_add(double, rows[row].zw);
    }
    total = vec4<u32>(bitcast<u32>(single), 0u, double);
}

@group(0) @binding(4) var<storage, read_write> partials: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> atomics: array<atomic<u32>, 2>;

@compute @workgroup_size(64)
fn sum_bits(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup, local, 64u);
    var value = vec2<u32>(0u);
    if index < size.x * size.y {
        value = wide_mul(bitcast<u32>(terms[index]), 0x10000001u);
    }
    let sum = reduce_workgroup(local, value);
    if local == 0u {
        partials[grid_workgroup(workgroup)] = sum;
        let before = atomicAdd(&atomics[0], sum.x);
        let carry = select(0u, 1u, before + sum.x < before);
        atomicAdd(&atomics[1], sum.y + carry);
    }
}

@group(0) @binding(6) var<storage, read_write> integer: array<vec2<u32>>;

@compute @workgroup_size(64)
fn sum_partials(@builtin(local_invocation_index) local: u32) {
    var value = vec2<u32>(0u);
    for (var index = local; index < size.z; index += 64u) {
        value = wide_add(value, partials[index]);
    }
    let sum = reduce_workgroup(local, value);
    if local == 0u {
        integer[0] = sum;
    }
}
