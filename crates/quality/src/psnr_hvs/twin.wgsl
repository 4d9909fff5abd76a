// The squared visible errors of the coefficients of each block, in the order of reference.rs: the DCT of columns and of
// rows, what each block hides, the errors. The host adds them one by one, since a running f32 sum has no other order.
//
// All f32 operations are sealed; those that a driver may round in its own way, quotients, roots and conversions of more than
// 24 bits, are rounded by their bits.

const INVOCATIONS: u32 = 64u;

// Samples from a block to the next.
const STEP: u32 = 7u;

// Blocks of a plane that are transformed at a time.
struct Band {
    plane: SamplePlane,
    // Blocks beside each other in the plane.
    across: u32,
    // The number of the first block, counted row by row.
    first: u32,
    // Blocks of the band.
    count: u32,
    unused: u32,
}

struct Weight {
    sensitivity: f32,
    masking: f32,
    // Of the significand of masking.
    reciprocal: f32,
}

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<storage, read> codes: array<u32>;

// The byte of the plane at which a block of the band begins.
fn block_byte(block: u32) -> u32 {
    let number = band.first + block;
    let down = number / band.across;
    let across = number - down * band.across;
    return STEP * (down * band.plane.stride + across * sample_bytes(band.plane.depth_bits));
}

// The code at a row and column behind a byte of the plane.
fn code(byte: u32, row: u32, column: u32) -> u32 {
    let at = byte + row * band.plane.stride + column * sample_bytes(band.plane.depth_bits);
    return packed_sample(codes[at / 4u], at, band.plane.depth_bits);
}

// a / 2, rounded towards zero.
fn half(a: i32) -> i32 {
    return (a + select(0, 1, a < 0)) >> 1u;
}

// a * factor / 2^bits, rounded to the nearest, upwards from the middle.
fn multiple(a: i32, factor: i32, bits: u32) -> i32 {
    return (a * factor + (1 << (bits - 1u))) >> bits;
}

// The orthonormal type-II DCT of eight integers, rounded, by lifting.
fn dct8(x: array<i32, 8>) -> array<i32, 8> {
    let difference0 = x[0] - x[7];
    let half0 = half(difference0);
    let sum0 = x[0] - half0;
    let sum1 = x[1] + x[6];
    let half1 = half(sum1);
    let difference1 = x[6] - half1;
    let difference2 = x[2] - x[5];
    let sum2 = x[2] - half(difference2);
    let sum3 = x[3] + x[4];
    let half3 = half(sum3);
    let difference3 = half3 - x[4];

    var y0 = sum0 + half3;
    var y6 = y0 - sum3;
    var y2 = half1 - sum2;
    var y4 = y2 - sum1;
    y0 -= multiple(y4, 13573, 15u);
    y4 += multiple(y0, 11585, 14u);
    y0 -= multiple(y4, 13573, 15u);
    y6 -= multiple(y2, 21895, 15u);
    y2 += multiple(y6, 15137, 14u);
    y6 -= multiple(y2, 21895, 15u);

    var y3 = difference2 + multiple(difference1, 19195, 15u);
    var y5 = difference1 + multiple(y3, 11585, 14u);
    y3 -= multiple(y5, 7489, 13u);
    var y7 = half(y5) - difference3;
    y5 -= y7;
    y3 = half0 - y3;
    var y1 = difference0 - y3;
    y7 += multiple(y1, 3227, 15u);
    y1 -= multiple(y7, 6393, 15u);
    y7 += multiple(y1, 3227, 15u);
    y5 += multiple(y3, 2485, 13u);
    y3 -= multiple(y5, 18205, 15u);
    y5 += multiple(y3, 2485, 13u);
    return array<i32, 8>(y0, y1, y2, y3, y4, y5, y6, y7);
}

// One invocation a column of a block: its DCT, column by column.
@group(0) @binding(2) var<storage, read_write> columns: array<i32>;

@compute @workgroup_size(INVOCATIONS)
fn transform_columns(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= 8u * band.count {
        return;
    }
    let corner = block_byte(index / 8u);
    var samples: array<i32, 8>;
    for (var row = 0u; row < 8u; row++) {
        samples[row] = i32(code(corner, row, index % 8u));
    }
    var frequencies = dct8(samples);
    for (var frequency = 0u; frequency < 8u; frequency++) {
        columns[8u * index + frequency] = frequencies[frequency];
    }
}

// One invocation a vertical frequency of a block: the DCT along the row.
@group(0) @binding(1) var<storage, read> transformed_columns: array<i32>;
@group(0) @binding(2) var<storage, read_write> transformed: array<i32>;

@compute @workgroup_size(INVOCATIONS)
fn transform_rows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= 8u * band.count {
        return;
    }
    var row: array<i32, 8>;
    for (var column = 0u; column < 8u; column++) {
        row[column] = transformed_columns[64u * (index / 8u) + 8u * column + index % 8u];
    }
    var frequencies = dct8(row);
    for (var frequency = 0u; frequency < 8u; frequency++) {
        transformed[8u * index + frequency] = frequencies[frequency];
    }
}

// The quarter of the block that a sample lies in, by column of quarters, then by row.
fn quarter(row: u32, column: u32) -> u32 {
    return row / 4u + column / 4u * 2u;
}

// The variances of the quarters of a block, relative to that of the whole.
fn contrast(corner: u32) -> f32 {
    var totals = vec4<u32>(0u);
    for (var row = 0u; row < 8u; row++) {
        for (var column = 0u; column < 8u; column++) {
            totals[quarter(row, column)] += code(corner, row, column);
        }
    }
    let mean = seal_mul(f32(totals.x + totals.y + totals.z + totals.w), 0.015625);
    var means = vec4<f32>(totals);
    var whole = 0.0;
    var quarters = vec4<f32>(0.0);
    for (var row = 0u; row < 8u; row++) {
        for (var column = 0u; column < 8u; column++) {
            let sample = f32(code(corner, row, column));
            let apart = seal_sub(sample, mean);
            whole = seal_add(whole, seal_mul(apart, apart));
            let at = quarter(row, column);
            let apart_in_quarter = seal_sub(sample, seal_mul(means[at], 0.0625));
            quarters[at] = seal_add(quarters[at], seal_mul(apart_in_quarter, apart_in_quarter));
        }
    }
    if whole > 0.0 {
        // 16 / 15 and 64 / 63
        var sum = seal_add(seal_mul(quarters.x, 1.0666667), seal_mul(quarters.y, 1.0666667));
        sum = seal_add(sum, seal_mul(quarters.z, 1.0666667));
        sum = seal_add(sum, seal_mul(quarters.w, 1.0666667));
        return divide(sum, seal_mul(whole, 1.0158731));
    }
    return 0.0;
}

// The f32 nearest to an integer, which WGSL need not find where the integer has more than 24 bits: the sum of its halves,
// both exact.
fn nearest(integer: u32) -> f32 {
    return seal_add(seal_mul(f32(integer >> 16u), 65536.0), f32(integer & 0xffffu));
}

// What is hidden of an error by masking, over a weight: the quotient, rounded once.
//
// As in divide, but for the estimate of the quotient of both significands: a product with the reciprocal is off by two units
// at most, on any driver, and so is always repaired.
fn threshold(masking: f32, weight: Weight) -> f32 {
    let x = bitcast<u32>(masking);
    let y = bitcast<u32>(weight.masking);
    let p = (x & 0x7fffffu) | 0x800000u;
    let q = (y & 0x7fffffu) | 0x800000u;
    let below_one = p < q;
    let estimate = bitcast<u32>(seal_mul(bitcast<f32>(p + 0x3f000000u), weight.reciprocal));
    var quotient = estimate - select(0x3f000000u, 0x3e800000u, below_one) - 4u;
    var rest = (p << select(23u, 24u, below_one)) - quotient * q;
    let by_four = rest >= 4u * q;
    quotient += select(0u, 4u, by_four);
    rest -= select(0u, 4u * q, by_four);
    let by_two = rest >= 2u * q;
    quotient += select(0u, 2u, by_two);
    rest -= select(0u, 2u * q, by_two);
    let by_one = rest >= q;
    quotient += select(0u, 1u, by_one);
    rest -= select(0u, q, by_one);
    let rounded = quotient + select(0u, 1u, 2u * rest > q);
    let exponent = (x >> 23u) - (y >> 23u) + select(126u, 125u, below_one);
    return bitcast<f32>(select((exponent << 23u) + rounded, 0u, x == 0u));
}

// One invocation a block: what its texture hides.
@group(0) @binding(2) var<storage, read> coefficients: array<i32>;
@group(0) @binding(3) var<storage, read> weights: array<Weight, 64>;
@group(0) @binding(4) var<storage, read_write> maskings: array<f32>;

@compute @workgroup_size(INVOCATIONS)
fn masking(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let block = grid_invocation(workgroup_id, local, INVOCATIONS);
    if block >= band.count {
        return;
    }
    var energy = 0.0;
    for (var index = 1u; index < 64u; index++) {
        let coefficient = coefficients[64u * block + index];
        let square = nearest(u32(coefficient * coefficient));
        energy = seal_add(energy, seal_mul(square, weights[index].masking));
    }
    let root = square_root(seal_mul(energy, contrast(block_byte(block))));
    maskings[block] = seal_mul(root, 0.03125);
}

// One invocation a coefficient: its squared visible error.
@group(0) @binding(1) var<storage, read> coefficients_reference: array<i32>;
@group(0) @binding(2) var<storage, read> coefficients_distorted: array<i32>;
@group(0) @binding(4) var<storage, read> masking_reference: array<f32>;
@group(0) @binding(5) var<storage, read> masking_distorted: array<f32>;
@group(0) @binding(6) var<storage, read_write> errors: array<f32>;

@compute @workgroup_size(INVOCATIONS)
fn terms(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let at = grid_invocation(workgroup_id, local, INVOCATIONS);
    if at >= 64u * band.count {
        return;
    }
    let index = at % 64u;
    var error = nearest(u32(abs(coefficients_reference[at] - coefficients_distorted[at])));
    if index != 0u {
        let r = masking_reference[at / 64u];
        let d = masking_distorted[at / 64u];
        let hidden = threshold(select(r, d, d > r), weights[index]);
        error = select(seal_sub(error, hidden), 0.0, error < hidden);
    }
    let weighted = seal_mul(error, weights[index].sensitivity);
    errors[at] = seal_mul(weighted, weighted);
}
