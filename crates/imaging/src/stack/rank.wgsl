// The sharpest frame so far, and the rank of each. Follows ranks of reference.rs.

const INVOCATIONS: u32 = 64u;

// Four words a frame, of which the third is its score: never negative, so that its bits are in the order of scores.
@group(0) @binding(0) var<storage, read> scores: array<vec4<u32>>;

// Whether frame a comes before frame b.
fn sharper(a: u32, b: u32) -> bool {
    return scores[a].z > scores[b].z || (scores[a].z == scores[b].z && a < b);
}

struct Index {
    frame: u32,
}

@group(0) @binding(1) var<uniform> index: Index;
@group(0) @binding(2) var<storage, read_write> leader: array<u32>;

@compute @workgroup_size(1)
fn lead() {
    if index.frame == 0u || sharper(index.frame, leader[0]) {
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
    var before = 0u;
    for (var other = 0u; other < count.frames; other++) {
        before += u32(sharper(other, frame));
    }
    ranks[frame] = before;
}
