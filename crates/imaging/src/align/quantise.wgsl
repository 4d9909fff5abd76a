// Quantised luminance, and its halving. Follows pyramid of align.rs.

const INVOCATIONS: u32 = 64u;

struct Quantised {
    samples: u32,
    // The frame whose level counts.
    frame: u32,
    // The frame is passed over unless this word of choice is below the limit, or is the frame itself where the limit is 0.
    word: u32,
    limit: u32,
}

@group(0) @binding(0) var<storage, read> luminance: array<f32>;
@group(0) @binding(1) var<uniform> quantised: Quantised;
// Four words a frame, of which the last is the mean level.
@group(0) @binding(2) var<storage, read> scores: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> choice: array<u32>;
@group(0) @binding(4) var<storage, read_write> quantities: array<i32>;

@compute @workgroup_size(INVOCATIONS)
fn quantise(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    let word = choice[quantised.word];
    let chosen = word < quantised.limit || (quantised.limit == 0u && word == quantised.frame);
    if index >= quantised.samples || !chosen {
        return;
    }
    let level = scores[quantised.frame].w;
    var scale = 0.0;
    if level != 0.0 {
        scale = divide(64.0, level);
    }
    // Bits of a magnitude are in the order of magnitudes.
    let bits = bitcast<u32>(seal_mul(luminance[index], scale));
    let clamped = (bits & 0x80000000u) | min(bits & 0x7fffffffu, 0x447fc000u);
    quantities[index] = i32(floor(seal_add(bitcast<f32>(clamped), 0.5)));
}

struct Halved {
    width: u32,
    samples: u32,
    // Of the finer level.
    finer_width: u32,
}

@group(0) @binding(0) var<storage, read> finer: array<i32>;
@group(0) @binding(1) var<uniform> halved: Halved;
@group(0) @binding(2) var<storage, read_write> coarser: array<i32>;

@compute @workgroup_size(INVOCATIONS)
fn halve(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= halved.samples {
        return;
    }
    let y = index / halved.width;
    let above = 2u * y * halved.finer_width + 2u * (index - y * halved.width);
    let below = above + halved.finer_width;
    coarser[index] = (finer[above] + finer[above + 1u] + finer[below] + finer[below + 1u]) >> 2u;
}
