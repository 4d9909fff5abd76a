// The contrasts of a picture at each scale. Follows reference.rs; the host pools them with pool and combine of reference.rs.

const INVOCATIONS: u32 = 64u;

// Samples on either side of one that its mask looks at.
const MASK_REACH: u32 = 3u;
// In place of a code that is not counted.
const UNCOUNTED: u32 = 0xffffu;
// A row that no picture has.
const OUTSIDE: u32 = 0xffffffffu;

struct Picture {
    // Samples in a row.
    width: u32,
    // Rows.
    height: u32,
    // 1 where 2×2 samples are averaged, else 0.
    anti_dither: u32,
    // Banding is looked for where more of the 7×7 samples around are flat.
    flat_limit: u32,
}

struct Scale {
    // Samples in a row.
    width: u32,
    // Rows.
    height: u32,
    // Samples in a row of the picture that this one is taken from.
    finer_width: u32,
    // From one taken row to the next, and from one column to the next.
    finer_step: u32,
    // The same of the mask.
    mask_width: u32,
    mask_step: u32,
    // Samples on either side of one that its window holds.
    reach: u32,
    // Steps that are looked for.
    steps: u32,
    // The darkest code in which banding is seen.
    darkest: u32,
    // The brightest code whose pixels are counted.
    brightest_counted: u32,
    // Rows that one invocation slides its window over.
    strip_rows: u32,
    // Invocations that have counts of their own.
    invocations: u32,
}

struct Step {
    // How strongly it counts.
    weight: u32,
    // The brightest code from which it can be seen.
    brightest: u32,
}

// The picture that is analysed.

@group(0) @binding(0) var<uniform> picture: Picture;
@group(0) @binding(1) var<uniform> plane: SamplePlane;
@group(0) @binding(2) var<storage, read> luma: array<u32>;
@group(0) @binding(3) var<storage, read> columns: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read_write> preprocessed: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn preprocess(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= picture.width * picture.height {
        return;
    }
    let x = index % picture.width;
    let y = index / picture.width;
    var code = ten_bits(x, y);
    if picture.anti_dither == 1u {
        let right = min(x + 1u, picture.width - 1u);
        let below = min(y + 1u, picture.height - 1u);
        code = (code + ten_bits(right, y) + ten_bits(x, below) + ten_bits(right, below)) >> 2u;
    }
    preprocessed[index] = code;
}

// A sampled code in 10 bits, rounded half up.
fn ten_bits(x: u32, y: u32) -> u32 {
    let byte = rows[y] * plane.stride + columns[x] * sample_bytes(plane.depth_bits);
    let code = packed_sample(luma[byte / 4u], byte, plane.depth_bits);
    if plane.depth_bits <= 10u {
        return code << (10u - plane.depth_bits);
    }
    let shift = plane.depth_bits - 10u;
    return (code + (1u << (shift - 1u))) >> shift;
}

// Where banding is looked for.

@group(0) @binding(1) var<storage, read> image: array<u32>;
@group(0) @binding(2) var<storage, read_write> flat_counts: array<u32>;

// The flat samples among the seven around one in its row.
@compute @workgroup_size(INVOCATIONS)
fn flat_in_rows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= picture.width * picture.height {
        return;
    }
    let x = index % picture.width;
    let y = index / picture.width;
    let row = y * picture.width;
    let below = min(y + 1u, picture.height - 1u) * picture.width;
    let first = x - min(x, MASK_REACH);
    let end = min(x + MASK_REACH + 1u, picture.width);
    var count = 0u;
    var code = image[row + first];
    for (var column = first; column < end; column++) {
        let right = image[row + min(column + 1u, picture.width - 1u)];
        count += select(0u, 1u, code == right && code == image[below + column]);
        code = right;
    }
    flat_counts[index] = count;
}

@group(0) @binding(1) var<storage, read> flat_in_row: array<u32>;
@group(0) @binding(2) var<storage, read_write> looked_at: array<u32>;

// 1 where more of the 7×7 samples around are flat than the limit, else 0.
@compute @workgroup_size(INVOCATIONS)
fn mask(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= picture.width * picture.height {
        return;
    }
    let x = index % picture.width;
    let y = index / picture.width;
    let end = min(y + MASK_REACH + 1u, picture.height);
    var count = 0u;
    for (var row = y - min(y, MASK_REACH); row < end; row++) {
        count += flat_in_row[row * picture.width + x];
    }
    looked_at[index] = select(0u, 1u, count > picture.flat_limit);
}

// The picture at one scale, and of its codes those that are counted.

@group(0) @binding(0) var<uniform> scale: Scale;
@group(0) @binding(1) var<storage, read> finer: array<u32>;
@group(0) @binding(2) var<storage, read> whole_mask: array<u32>;
@group(0) @binding(3) var<storage, read_write> filtered: array<u32>;
@group(0) @binding(4) var<storage, read_write> counted: array<u32>;

@compute @workgroup_size(INVOCATIONS)
fn filter_modes(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= scale.width * scale.height {
        return;
    }
    let x = index % scale.width;
    let y = index / scale.width;
    var code = decimated(x, y);
    if y > 0u && y + 1u < scale.height {
        code = mode_of_3(mode_in_row(x, y - 1u), mode_in_row(x, y), mode_in_row(x, y + 1u));
    }
    filtered[index] = code;
    let looked_at = whole_mask[y * scale.mask_step * scale.mask_width + x * scale.mask_step] == 1u;
    counted[index] = select(UNCOUNTED, code, looked_at && code <= scale.brightest_counted);
}

fn decimated(x: u32, y: u32) -> u32 {
    return finer[y * scale.finer_step * scale.finer_width + x * scale.finer_step];
}

fn mode_in_row(x: u32, y: u32) -> u32 {
    let code = decimated(x, y);
    if x == 0u || x + 1u == scale.width {
        return code;
    }
    return mode_of_3(decimated(x - 1u, y), code, decimated(x + 1u, y));
}

// The value that at least two have, or else the least.
fn mode_of_3(a: u32, b: u32, c: u32) -> u32 {
    if a == b || a == c {
        return a;
    }
    return select(min(a, min(b, c)), b, b == c);
}

// The contrasts. An invocation slides the window of one column down a strip of rows. It counts in a column of counts of its
// own, the counts of two codes to a word: a window holds fewer than 2^16 pixels.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> steps: array<Step>;
@group(0) @binding(3) var<storage, read> reciprocals: array<f32>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> contrasts: array<f32>;

@compute @workgroup_size(INVOCATIONS)
fn find_contrasts(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let invocation = grid_invocation(workgroup_id, local, INVOCATIONS);
    if invocation >= scale.invocations {
        return;
    }
    let x = invocation % scale.width;
    let first = invocation / scale.width * scale.strip_rows;
    let end = min(first + scale.strip_rows, scale.height);
    for (var y = first - min(first, scale.reach); y < min(first + scale.reach, scale.height); y++) {
        slide(invocation, x, OUTSIDE, y);
    }
    for (var y = first; y < end; y++) {
        // A row above the picture is as far outside as one below it: the difference wraps.
        slide(invocation, x, select(OUTSIDE, y - scale.reach - 1u, y > first), y + scale.reach);
        let index = y * scale.width + x;
        contrasts[index] = contrast(invocation, codes[index]);
    }
}

// Moves the window of column x down by a row.
fn slide(invocation: u32, x: u32, leaving_row: u32, entering_row: u32) {
    let end = min(x + scale.reach + 1u, scale.width);
    for (var column = x - min(x, scale.reach); column < end; column++) {
        let leaving = code_at(column, leaving_row);
        let entering = code_at(column, entering_row);
        if leaving == entering {
            continue;
        }
        if leaving != UNCOUNTED {
            counts[word_of(invocation, leaving)] -= unit_of(leaving);
        }
        if entering != UNCOUNTED {
            counts[word_of(invocation, entering)] += unit_of(entering);
        }
    }
}

// The code at a place; nothing is counted outside the picture, where it would be the last row's.
fn code_at(x: u32, y: u32) -> u32 {
    let code = codes[min(y, scale.height - 1u) * scale.width + x];
    return select(code, UNCOUNTED, y >= scale.height);
}

// The word that holds the count of code.
fn word_of(invocation: u32, code: u32) -> u32 {
    return code / 2u * scale.invocations + invocation;
}

// One pixel of code, in its half of the word.
fn unit_of(code: u32) -> u32 {
    return select(1u, 0x10000u, code % 2u == 1u);
}

fn count_of(invocation: u32, code: u32) -> u32 {
    let word = counts[word_of(invocation, code)];
    return select(word & 0xffffu, word >> 16u, code % 2u == 1u);
}

// The strongest contrast of a pixel of code over the steps that can be seen; 0 if code is not counted.
fn contrast(invocation: u32, code: u32) -> f32 {
    var strongest = 0.0;
    if code == UNCOUNTED {
        return strongest;
    }
    let same = count_of(invocation, code);
    for (var step = 1u; step <= scale.steps; step++) {
        let by = steps[step - 1u];
        if code > by.brightest || code + scale.steps + step <= scale.darkest {
            continue;
        }
        var other = count_of(invocation, code + step);
        if code >= step {
            other = max(other, count_of(invocation, code - step));
        }
        let product = bitcast<f32>(soft_from_u32(by.weight * same * other));
        strongest = max(strongest, seal_mul(product, reciprocals[same + other]));
    }
    return strongest;
}
