// The energies of gradient and Laplacian of a luminance, and the scores made of their sums. Follows reference.rs, behind
// tree.wgsl.

struct Frame {
    width: u32,
    height: u32,
    // The place of the frame's scores.
    index: u32,
}

@group(0) @binding(0) var<storage, read> luminance: array<f32>;
@group(0) @binding(1) var<uniform> frame: Frame;
@group(0) @binding(2) var<storage, read_write> sums_of_blocks: array<vec4<f32>>;

fn at(x: u32, y: u32) -> f32 {
    return luminance[y * frame.width + x];
}

fn square(x: f32) -> f32 {
    return seal_mul(x, x);
}

// Level, energy of the gradient, energy of the Laplacian.
fn terms(x: u32, y: u32) -> vec4<f32> {
    let here = at(x, y);
    let left = at(max(x, 1u) - 1u, y);
    let right = at(min(x + 1u, frame.width - 1u), y);
    let above = at(x, max(y, 1u) - 1u);
    let below = at(x, min(y + 1u, frame.height - 1u));
    let across = held(bitcast<u32>(seal_sub(right, here)));
    let down = held(bitcast<u32>(seal_sub(below, here)));
    let around = seal_add(seal_add(left, right), seal_add(above, below));
    let laplacian = held(bitcast<u32>(seal_sub(around, seal_mul(4.0, here))));
    return vec4<f32>(abs(here), seal_add(square(across), square(down)), square(laplacian), 0.0);
}

@compute @workgroup_size(TREE_BLOCK)
fn energies(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, TREE_BLOCK);
    var own = vec4<f32>(0.0);
    if index < frame.width * frame.height {
        let y = index / frame.width;
        own = terms(index - y * frame.width, y);
    }
    let sum = tree_block(local, own);
    if local == 0u {
        sums_of_blocks[grid_workgroup(workgroup_id)] = sum;
    }
}

@group(0) @binding(0) var<storage, read> sums: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> scores_of_frames: array<vec4<f32>>;

fn score(energy: f32, samples: f32, level: f32) -> f32 {
    if level == 0.0 {
        return 0.0;
    }
    return held(bitcast<u32>(divide(divide(divide(energy, samples), level), level)));
}

@compute @workgroup_size(1)
fn scores() {
    let sum = sums[0];
    let samples = f32(frame.width * frame.height);
    let level = held(bitcast<u32>(divide(sum.x, samples)));
    let gradient = score(sum.y, samples, level);
    let laplacian = score(sum.z, samples, level);
    let sharpness = held(bitcast<u32>(seal_add(gradient, laplacian)));
    scores_of_frames[frame.index] = vec4<f32>(gradient, laplacian, sharpness, level);
}
