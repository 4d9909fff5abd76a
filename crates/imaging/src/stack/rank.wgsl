// The sharpest frame so far, and the rank of each. Follows ranks of reference.rs.

const INVOCATIONS: u32 = 64u;

// Four words a frame, of which the third is its score: never negative, so that its bits are in the order of scores.
@group(0) @binding(0) var<storage, read> scores: array<vec4<u32>>;

struct Index {
    frame: u32,
}

@group(0) @binding(1) var<uniform> index: Index;
@group(0) @binding(2) var<storage, read_write> leader: array<u32>;

@compute @workgroup_size(1)
fn lead() {
    if index.frame == 0u || scores[index.frame].z > scores[leader[0]].z {
        leader[0] = index.frame;
    }
}

struct Count {
    frames: u32,
}

@group(0) @binding(1) var<uniform> count: Count;
@group(0) @binding(2) var<storage, read_write> ranks: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn rank(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let frame = grid_invocation(workgroup_id, local, INVOCATIONS);
    if frame >= count.frames {
        return;
    }
    let score = scores[frame].z;
    var before = 0u;
    for (var other = 0u; other < count.frames; other++) {
        let others = scores[other].z;
        if others > score || (others == score && other < frame) {
            before++;
        }
    }
    ranks[frame] = before;
}
