// A running f64 sum formed in parallel: guesses of binades, increments of blocks, and one walk over the blocks.

@group(0) @binding(0) var<storage, read> terms: array<f32>;
// Terms, blocks of 64 terms.
@group(0) @binding(1) var<uniform> size: vec4<u32>;
@group(0) @binding(2) var<storage, read_write> rough: array<f32>;

// The magnitude of a term as an f64; zero behind the last.
fn term(index: u32) -> vec2<u32> {
    if index >= size.x {
        return vec2<u32>(0u);
    }
    return soft64_from_f32(bitcast<u32>(terms[index]) & 0x7fffffffu);
}

@compute @workgroup_size(64)
fn guess_blocks(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let block = grid_invocation(workgroup, local, 64u);
    if block >= size.y {
        return;
    }
    var sum = 0.0;
    for (var index = block * 64u; index < min((block + 1u) * 64u, size.x); index++) {
        sum += abs(terms[index]);
    }
    rough[block] = sum;
}

@group(0) @binding(3) var<storage, read_write> binades: array<u32>;

@compute @workgroup_size(1)
fn guess_binades() {
    var sum = 0.0;
    for (var block = 0u; block < size.y; block++) {
        binades[block] = ordered_binade(soft64_from_f32(bitcast<u32>(sum)));
        sum += rough[block];
    }
}

@group(0) @binding(4) var<storage, read_write> increments: array<vec4<u32>>;

var<workgroup> cells: array<vec3<u32>, 64>;

@compute @workgroup_size(64)
fn sum_blocks(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let block = grid_workgroup(workgroup);
    // The grid may have more workgroups than there are blocks.
    let inside = block < size.y;
    let binade = select(0u, binades[min(block, size.y - 1u)], inside);
    cells[local] = ordered_increment(binade, term(block * 64u + local));
    for (var half = 32u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if local < half {
            cells[local] = ordered_join(cells[local], cells[local + half]);
        }
    }
    if local == 0u && inside {
        increments[block] = vec4<u32>(cells[0], binade);
    }
}

// The sum in xy, in z how many blocks were added term by term.
@group(0) @binding(5) var<storage, read_write> result: vec4<u32>;

@compute @workgroup_size(1)
fn walk_blocks() {
    var sum = vec2<u32>(0u);
    var refused = 0u;
    for (var block = 0u; block < size.y; block++) {
        let increment = increments[block];
        let after = ordered_advance(sum, increment.w, increment.xyz);
        sum = after.xy;
        if after.z != 0u {
            refused++;
            for (var index = block * 64u; index < (block + 1u) * 64u; index++) {
                sum = soft64_add(sum, term(index));
            }
        }
    }
    result = vec4<u32>(sum, refused, 0u);
}
