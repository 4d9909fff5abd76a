// Copies a raster as it is.

const INVOCATIONS: u32 = 64u;

struct Extent {
    samples: u32,
}

@group(0) @binding(0) var<uniform> extent: Extent;
@group(0) @binding(1) var<storage, read> raster: array<u32>;
@group(0) @binding(2) var<storage, read_write> copied: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn copy(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.samples {
        copied[index] = raster[index];
    }
}
