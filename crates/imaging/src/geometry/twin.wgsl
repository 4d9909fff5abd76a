// Crop, rotation and flip in one, and resizing along one axis. Follows reference.rs.

const INVOCATIONS: u32 = 64u;

struct Placement {
    // From distances to the centre of what comes out to those in the picture: column from column and row, row from both.
    matrix: vec4<f32>,
    // The centre of what comes out, and that of the picture that is placed.
    to_centre: vec2<f32>,
    from_centre: vec2<f32>,
    // Width and height of what comes out.
    to: vec2<u32>,
    // The first column and row of the picture that is placed, its width and height.
    corner: vec2<u32>,
    from_size: vec2<u32>,
    // Samples in a row of the raster.
    width: u32,
    // The cubics of the interpolation, the highest power first.
    cubics: array<vec4<f32>, 4>,
}

struct Axis {
    // Samples in a row of the raster, and of what comes out.
    from_width: u32,
    to_width: u32,
    // Samples that come out.
    samples: u32,
    // Weights of each.
    taps: u32,
    // Whether columns are resized, and not rows.
    columns: u32,
}

@group(0) @binding(0) var<storage, read> raster: array<f32>;
@group(0) @binding(1) var<storage, read_write> picture: array<f32>;
@group(0) @binding(2) var<uniform> placement: Placement;
@group(0) @binding(2) var<uniform> axis: Axis;
// For each sample that comes out along the axis, the first that is weighed and the weights.
@group(0) @binding(3) var<storage, read> weights: array<u32>;

// A place in units of 2^-16 of a sample.
fn fixed_place(place: f32) -> i32 {
    return i32(floor(seal_add(seal_mul(place, 65536.0), 0.5)));
}

// The weight of one of four samples.
fn weight(cubic: vec4<f32>, fraction: i32) -> f32 {
    let t = seal_mul(f32(fraction), 1.0 / 65536.0);
    let square = seal_add(seal_mul(cubic.x, t), cubic.y);
    let slope = seal_add(seal_mul(square, t), cubic.z);
    return seal_add(seal_mul(slope, t), cubic.w);
}

// The picture at column column of row y.
fn interpolated(column: i32, y: i32) -> f32 {
    var sum = 0.0;
    if y < 0 || y >= i32(placement.from_size.y) {
        return sum;
    }
    let row = (placement.corner.y + u32(y)) * placement.width;
    for (var i = 0; i < 4; i++) {
        let x = (column >> 16u) + i - 1;
        let part = weight(placement.cubics[i], column & 0xffff);
        if part != 0.0 && x >= 0 && x < i32(placement.from_size.x) {
            sum = seal_add(sum, seal_mul(part, raster[row + placement.corner.x + u32(x)]));
        }
    }
    return held(bitcast<u32>(sum));
}

@compute @workgroup_size(INVOCATIONS)
fn place(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= placement.to.x * placement.to.y {
        return;
    }
    let y = index / placement.to.x;
    let x = index - y * placement.to.x;
    let dx = seal_sub(f32(x), placement.to_centre.x);
    let dy = seal_sub(f32(y), placement.to_centre.y);
    let matrix = placement.matrix;
    let from_left = seal_add(seal_mul(matrix.x, dx), seal_mul(matrix.y, dy));
    let from_top = seal_add(seal_mul(matrix.z, dx), seal_mul(matrix.w, dy));
    let column = fixed_place(seal_add(from_left, placement.from_centre.x));
    let row = fixed_place(seal_add(from_top, placement.from_centre.y));
    var sum = 0.0;
    for (var j = 0; j < 4; j++) {
        let part = weight(placement.cubics[j], row & 0xffff);
        if part != 0.0 {
            sum = seal_add(sum, seal_mul(part, interpolated(column, (row >> 16u) + j - 1)));
        }
    }
    picture[index] = held(bitcast<u32>(sum));
}

@compute @workgroup_size(INVOCATIONS)
fn resize(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= axis.samples {
        return;
    }
    let y = index / axis.to_width;
    let x = index - y * axis.to_width;
    let columns = axis.columns != 0u;
    let table = select(x, y, columns) * (axis.taps + 1u);
    let first = weights[table];
    let start = select(y * axis.from_width + first, first * axis.from_width + x, columns);
    let step = select(1u, axis.from_width, columns);
    var sum = 0.0;
    for (var tap = 0u; tap < axis.taps; tap++) {
        let part = bitcast<f32>(weights[table + 1u + tap]);
        sum = seal_add(sum, seal_mul(part, raster[start + tap * step]));
    }
    picture[index] = held(bitcast<u32>(sum));
}
