// The mean of what counted. Follows normalised of reference.rs.

const INVOCATIONS: u32 = 64u;

struct Size {
    samples: u32,
}

@group(0) @binding(0) var<storage, read> sums: array<f32>;
@group(0) @binding(1) var<storage, read> validity: array<f32>;
@group(0) @binding(2) var<uniform> size: Size;
@group(0) @binding(3) var<storage, read_write> stacked: array<f32>;

@compute @workgroup_size(INVOCATIONS)
fn normalise(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= size.samples {
        return;
    }
    var mean = 0.0;
    if validity[index] > 0.0 {
        mean = held(bitcast<u32>(divide(sums[index], validity[index])));
    }
    stacked[index] = mean;
}
