// The taps of a normal distribution as wide as the brightest star. Follows measured of psf.rs and gaussian of convolve.rs.

const INVOCATIONS: u32 = 64u;
const REACH: u32 = 9u;
const LEAST_SIGMA: f32 = 0.5;
const GREATEST_SIGMA: f32 = 3.0;
const UNMEASURED: f32 = 1.5;
const WINDOW: u32 = 6u;
const PEDESTAL: f32 = 0.25;
const VARIANCE_OF_MOMENT: f32 = 1.2359885;
// 2^-26.
const LEAST_RELATIVE_WEIGHT: f32 = 0x1p-26f;

struct Extent {
    width: u32,
    height: u32,
    guard: f32,
}

struct Star {
    // The brightest sample.
    peak: atomic<u32>,
    // The index of the first of them, its bits inverted so that it is the greatest.
    place: atomic<u32>,
}

struct Found {
    peak: f32,
    place: u32,
}

struct Tap {
    x: i32,
    y: i32,
    weight: f32,
}

@group(0) @binding(0) var<uniform> extent: Extent;
@group(0) @binding(1) var<storage, read> observed: array<f32>;
@group(0) @binding(2) var<storage, read_write> star: Star;

@group(0) @binding(2) var<storage, read> found: array<Found>;
@group(0) @binding(3) var<storage, read_write> rows: array<Tap>;
@group(0) @binding(4) var<storage, read_write> columns: array<Tap>;

// Observed samples are not negative, and so in the order of their bits.
@compute @workgroup_size(INVOCATIONS)
fn peak(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.width * extent.height {
        atomicMax(&star.peak, bitcast<u32>(observed[index]));
    }
}

@compute @workgroup_size(INVOCATIONS)
fn place(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index < extent.width * extent.height && bitcast<u32>(observed[index]) == atomicLoad(&star.peak) {
        atomicMax(&star.place, ~index);
    }
}

// The standard deviation of a normal distribution as wide as the brightest star.
fn measured() -> f32 {
    let centre = ~found[0].place;
    let y = centre / extent.width;
    let x = centre - y * extent.width;
    let left = max(x, WINDOW) - WINDOW;
    let right = min(x + WINDOW + 1u, extent.width);
    let top = max(y, WINDOW) - WINDOW;
    let bottom = min(y + WINDOW + 1u, extent.height);
    let highest = found[0].peak;
    var least = highest;
    for (var j = top; j < bottom; j++) {
        for (var i = left; i < right; i++) {
            let sample = observed[j * extent.width + i];
            if sample < least {
                least = sample;
            }
        }
    }
    let pedestal = seal_add(least, seal_mul(PEDESTAL, seal_sub(highest, least)));
    var weights = 0.0;
    var moments = 0.0;
    for (var j = top; j < bottom; j++) {
        for (var i = left; i < right; i++) {
            let excess = seal_sub(observed[j * extent.width + i], pedestal);
            if excess > 0.0 {
                let dx = max(i, x) - min(i, x);
                let dy = max(j, y) - min(j, y);
                weights = seal_add(weights, excess);
                moments = seal_add(moments, seal_mul(excess, f32(dx * dx + dy * dy)));
            }
        }
    }
    if weights == 0.0 {
        return UNMEASURED;
    }
    let moment = held(bitcast<u32>(divide(moments, weights)));
    let sigma = square_root(seal_mul(moment, VARIANCE_OF_MOMENT));
    if sigma > GREATEST_SIGMA {
        return UNMEASURED;
    }
    if sigma < LEAST_SIGMA {
        return LEAST_SIGMA;
    }
    return sigma;
}

@compute @workgroup_size(1)
fn measure() {
    let sigma = measured();
    let twice_variance = seal_mul(2.0, seal_mul(sigma, sigma));
    var relative: array<f32, REACH>;
    var side = 0.0;
    for (var i = 0u; i < REACH; i++) {
        let distance = REACH - i;
        let weight = math_exp(-divide(f32(distance * distance), twice_variance));
        relative[i] = select(weight, 0.0, weight < LEAST_RELATIVE_WEIGHT);
        side = seal_add(side, relative[i]);
    }
    let total = seal_add(1.0, seal_mul(2.0, side));
    for (var i = 0u; i < REACH; i++) {
        let distance = i32(REACH - i);
        let weight = divide(relative[i], total);
        rows[i] = Tap(distance, 0i, weight);
        columns[i] = Tap(0i, distance, weight);
    }
}
