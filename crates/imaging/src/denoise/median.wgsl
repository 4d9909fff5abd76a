// The noise of a raster from the lower median of the magnitudes of its finest layer. Follows estimated of reference.rs.

const INVOCATIONS: u32 = 64u;
const BINS: u32 = 256u;
const NOISE_OF_MEDIAN: f32 = 1.664356;

struct Round {
    // Samples of the raster.
    samples: u32,
    // The lowest of the eight bits that are found.
    shift: u32,
    // Ones where the bits are known.
    known: u32,
}

struct Found {
    // The bits of the median that are known.
    bits: u32,
    // How many of the magnitudes that agree with them come before the median.
    rank: u32,
}

@group(0) @binding(0) var<uniform> round: Round;
@group(0) @binding(1) var<storage, read> fine: array<f32>;
@group(0) @binding(2) var<storage, read> smoothed: array<f32>;
@group(0) @binding(3) var<storage, read> known: array<Found>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

@group(0) @binding(1) var<storage, read_write> bins: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: array<Found>;

@group(0) @binding(0) var<storage, read> median: array<Found>;
@group(0) @binding(1) var<storage, read_write> noise: array<f32>;

@compute @workgroup_size(INVOCATIONS)
fn count(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= round.samples {
        return;
    }
    let magnitude = bitcast<u32>(abs(seal_sub(fine[index], smoothed[index])));
    if ((magnitude ^ known[0].bits) & round.known) == 0u {
        atomicAdd(&counts[(magnitude >> round.shift) % BINS], 1u);
    }
}

@compute @workgroup_size(1)
fn pick() {
    var rank = found[0].rank;
    if round.known == 0u {
        rank = (round.samples - 1u) / 2u;
    }
    var bin = 0u;
    while bin < BINS - 1u && rank >= bins[bin] {
        rank -= bins[bin];
        bin++;
    }
    found[0] = Found(found[0].bits | (bin << round.shift), rank);
    for (var i = 0u; i < BINS; i++) {
        bins[i] = 0u;
    }
}

@compute @workgroup_size(1)
fn estimate() {
    noise[0] = held(bitcast<u32>(seal_mul(bitcast<f32>(median[0].bits), NOISE_OF_MEDIAN)));
}
