// One scale of adm after another: wavelet, decoupling, masks and sums of cubes over rows, all in integers, except for the
// comparison of angles and the gain, which are soft f64. The host goes on from the sums with scores.rs.
//
// Details are three planes one behind the other, horizontal, vertical and diagonal; a mask is two, around and within.

const INVOCATIONS: u32 = 64u;
const ROW_INVOCATIONS: u32 = 32u;

const LOW: vec4<i32> = vec4<i32>(15826, 27411, 7345, -4240);
const HIGH: vec4<i32> = vec4<i32>(-4240, -7345, 27411, -15826);
const ONE: u32 = 32768u;

const HORIZONTAL: u32 = 0u;
const VERTICAL: u32 = 1u;
const DIAGONAL: u32 = 2u;

// What differs between scales. The words are those of scale_uniform of twin.rs.
struct Scale {
    // Columns and rows.
    size: vec2<u32>,
    // The first of the places and the one behind the last, by column and by row.
    margin_columns: vec2<u32>,
    margin_rows: vec2<u32>,
    interior_columns: vec2<u32>,
    interior_rows: vec2<u32>,
    // Of sums over columns, and over rows.
    filter_shifts: vec2<u32>,
    // The bits of an f64.
    gain_limit: vec2<u32>,
    // What the picture's codes lie about.
    middle: u32,
    // 0 for the finest.
    index: u32,
    // By band.
    weights: vec4<u32>,
    square_shifts: vec4<u32>,
    cube_shifts: vec4<u32>,
    // Of the square and the cube of a detail of the reference; 0 for none.
    denominator_shifts: vec2<u32>,
    // The bits of an f64: the square of the cosine of 1 degree.
    alignment: vec2<u32>,
}

@group(0) @binding(0) var<uniform> scale: Scale;

@group(0) @binding(1) var<uniform> plane: SamplePlane;
@group(0) @binding(2) var<storage, read> picture: array<u32>;
@group(0) @binding(3) var<storage, read_write> approximation: array<i32>;
@group(0) @binding(4) var<storage, read_write> bands: array<i32>;

@group(0) @binding(1) var<storage, read> reference: array<i32>;
@group(0) @binding(2) var<storage, read> distorted: array<i32>;
@group(0) @binding(3) var<storage, read_write> restored: array<i32>;
@group(0) @binding(4) var<storage, read_write> additive: array<i32>;

@group(0) @binding(1) var<storage, read> details: array<i32>;
@group(0) @binding(2) var<storage, read_write> shares_of_details: array<i32>;
@group(0) @binding(2) var<storage, read_write> row_sums: array<Sums>;
@group(0) @binding(3) var<storage, read> masking: array<i32>;

// Sums of cubes, by band.
struct Sums {
    horizontal: vec2<u32>,
    vertical: vec2<u32>,
    diagonal: vec2<u32>,
}

var<workgroup> partial_sums: array<Sums, ROW_INVOCATIONS>;

// One coefficient of each band.
@compute @workgroup_size(INVOCATIONS)
fn decompose(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let at = grid_invocation(workgroup_id, local, INVOCATIONS);
    let samples = scale.size.x * scale.size.y;
    if at >= samples {
        return;
    }
    let y = at / scale.size.x;
    let x = taps(at - y * scale.size.x, plane.width);
    let rows = taps(y, plane.samples / plane.width);
    let first = samples_of_row(rows.x, x);
    let second = samples_of_row(rows.y, x);
    let third = samples_of_row(rows.z, x);
    let fourth = samples_of_row(rows.w, x);
    let low = filtered_down(LOW, first, second, third, fourth);
    let high = filtered_down(HIGH, first, second, third, fourth);
    let coefficients = filtered_along(low, high);
    approximation[at] = coefficients.x;
    bands[at] = coefficients.y;
    bands[samples + at] = coefficients.z;
    bands[2u * samples + at] = coefficients.w;
}

// Four samples of row y of the picture, about zero.
fn samples_of_row(y: u32, x: vec4<u32>) -> vec4<i32> {
    let bytes = y * plane.stride + x * sample_bytes(plane.depth_bits);
    let codes = vec4<u32>(
        packed_sample(picture[bytes.x / 4u], bytes.x, plane.depth_bits),
        packed_sample(picture[bytes.y / 4u], bytes.y, plane.depth_bits),
        packed_sample(picture[bytes.z / 4u], bytes.z, plane.depth_bits),
        packed_sample(picture[bytes.w / 4u], bytes.w, plane.depth_bits),
    );
    return bitcast<vec4<i32>>(codes - scale.middle);
}

// Where the four taps of a filter fall for coefficient index of a line. The start is mirrored at its first sample, the end
// behind its last one.
fn taps(index: u32, length: u32) -> vec4<u32> {
    let middle = 2u * index;
    let first = select(middle - 1u, 1u, index == 0u);
    return vec4<u32>(first, middle, mirrored(middle + 1u, length), mirrored(middle + 2u, length));
}

fn mirrored(tap: u32, length: u32) -> u32 {
    return select(2u * length - 1u - tap, tap, tap < length);
}

// Four columns filtered, scaled down by 2^shift, 16 at most, and rounded, halves up. The halves of the samples, the lower one
// signed, keep both sums within 32 bits, at 54,822 · 32,768 each.
fn filtered_down(taps: vec4<i32>, a: vec4<i32>, b: vec4<i32>, c: vec4<i32>, d: vec4<i32>) -> vec4<i32> {
    let upper = taps.x * upper_half(a) + taps.y * upper_half(b) + taps.z * upper_half(c) + taps.w * upper_half(d);
    let lower = taps.x * lower_half(a) + taps.y * lower_half(b) + taps.z * lower_half(c) + taps.w * lower_half(d);
    return joined(upper, lower, scale.filter_shifts.x);
}

// The coefficients that follow from four columns low-passed and high-passed: approximation, horizontal, vertical and diagonal.
fn filtered_along(low: vec4<i32>, high: vec4<i32>) -> vec4<i32> {
    let upper = sums_of_products(upper_half(low), upper_half(high));
    let lower = sums_of_products(lower_half(low), lower_half(high));
    return joined(upper, lower, scale.filter_shifts.y);
}

fn sums_of_products(low: vec4<i32>, high: vec4<i32>) -> vec4<i32> {
    return vec4<i32>(
        sum_of_products(LOW, low),
        sum_of_products(LOW, high),
        sum_of_products(HIGH, low),
        sum_of_products(HIGH, high),
    );
}

fn sum_of_products(a: vec4<i32>, b: vec4<i32>) -> i32 {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

fn upper_half(a: vec4<i32>) -> vec4<i32> {
    return (a + 32768) >> vec4<u32>(16u);
}

fn lower_half(a: vec4<i32>) -> vec4<i32> {
    return a - (upper_half(a) << vec4<u32>(16u));
}

// (upper · 2^16 + lower) / 2^shift.
fn joined(upper: vec4<i32>, lower: vec4<i32>, shift: u32) -> vec4<i32> {
    let rounded = (lower + ((1i << shift) >> 1u)) >> vec4<u32>(shift);
    return (upper << vec4<u32>(16u - shift)) + rounded;
}

// Tells restored details from additive ones.
@compute @workgroup_size(INVOCATIONS)
fn decouple(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let at = grid_invocation(workgroup_id, local, INVOCATIONS);
    let samples = scale.size.x * scale.size.y;
    if at >= samples {
        return;
    }
    let places = vec3<u32>(at, at + samples, at + 2u * samples);
    var r = vec3<i32>(0);
    var a = vec3<i32>(0);
    if in_margin(at) {
        let o = vec3<i32>(reference[places.x], reference[places.y], reference[places.z]);
        let t = vec3<i32>(distorted[places.x], distorted[places.y], distorted[places.z]);
        let is_aligned = aligned(o, t);
        r = vec3<i32>(restore(o.x, t.x, is_aligned), restore(o.y, t.y, is_aligned), restore(o.z, t.z, is_aligned));
        a = t - r;
    }
    restored[places.x] = r.x;
    restored[places.y] = r.y;
    restored[places.z] = r.z;
    additive[places.x] = a.x;
    additive[places.y] = a.y;
    additive[places.z] = a.z;
}

// Whether place number at is pooled, or next to one that is.
fn in_margin(at: u32) -> bool {
    let y = at / scale.size.x;
    let x = at - y * scale.size.x;
    let columns = scale.margin_columns;
    let rows = scale.margin_rows;
    return x >= columns.x && x < columns.y && y >= rows.x && y < rows.y;
}

// Whether the horizontal and vertical details of both pictures point into the same direction, to 1 degree.
fn aligned(o: vec3<i32>, t: vec3<i32>) -> bool {
    let product = rounded(dot_product(o, t));
    let bound = soft64_mul(scale.alignment, rounded(dot_product(o, o)));
    let lengths = soft64_mul(bound, rounded(dot_product(t, t)));
    return product.y < 0x80000000u && soft64_less_equal(lengths, soft64_mul(product, product));
}

fn dot_product(a: vec3<i32>, b: vec3<i32>) -> vec2<u32> {
    return wide_add(signed_product(a.x, b.x), signed_product(a.y, b.y));
}

// a · b, whole and signed.
fn signed_product(a: i32, b: i32) -> vec2<u32> {
    let product = wide_mul(bitcast<u32>(a), bitcast<u32>(b));
    // As unsigned, a negative factor is 2^32 too large.
    let excess = select(0u, bitcast<u32>(b), a < 0) + select(0u, bitcast<u32>(a), b < 0);
    return vec2<u32>(product.x, product.y - excess);
}

// The bits of the f64 that equals the f32 nearest to a.
fn rounded(a: vec2<u32>) -> vec2<u32> {
    return soft64_from_f32(soft_from_i64(a));
}

// What of a distorted detail t is the reference's detail o: as much of it, from none to all, as t has, or where the directions
// are aligned all of t up to a gain.
fn restore(o: i32, t: i32, is_aligned: bool) -> i32 {
    let gain = gain(o, t);
    let upper = (o + 32768) >> 16u;
    let lower = o - (upper << 16u);
    let restored = 2 * gain * upper + ((gain * lower + 16384) >> 15u);
    if !is_aligned || gain == 0 || o == 0 {
        return restored;
    }
    let enhanced = soft64_mul(soft64_from_i32(restored), scale.gain_limit);
    let whole = soft64_from_i32(t);
    let within = (o > 0 && soft64_less(enhanced, whole)) || (o < 0 && soft64_less(whole, enhanced));
    return select(t, soft64_to_i32(enhanced), within);
}

// t/o from 0 to 1 in units of 2^-15: a product with the reciprocal of the 15 leading bits of o.
fn gain(o: i32, t: i32) -> i32 {
    if o == 0 {
        return i32(ONE);
    }
    if t == 0 || (o < 0) != (t < 0) {
        return 0;
    }
    let magnitude = u32(abs(o));
    let excess = 17u - min(countLeadingZeros(magnitude), 17u);
    let leading = (magnitude + ((1u << excess) >> 1u)) >> excess;
    let reciprocal = 0x40000000u / leading;
    let product = wide_add_u32(wide_mul(reciprocal, u32(abs(t))), 1u << (14u + excess));
    let quotient = wide_shift_right(product, 15u + excess);
    return i32(select(min(quotient.x, ONE), ONE, quotient.y != 0u));
}

// What details put up against the visibility of others in their place and around it.
@compute @workgroup_size(INVOCATIONS)
fn mask(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let at = grid_invocation(workgroup_id, local, INVOCATIONS);
    let samples = scale.size.x * scale.size.y;
    if at >= samples {
        return;
    }
    var around_and_within = vec2<i32>(0);
    if in_margin(at) {
        let horizontal = shares(weighed(details[at], HORIZONTAL));
        let vertical = shares(weighed(details[samples + at], VERTICAL));
        around_and_within = horizontal + vertical + shares(weighed(details[2u * samples + at], DIAGONAL));
    }
    shares_of_details[at] = around_and_within.x;
    shares_of_details[samples + at] = around_and_within.y;
}

// A thirtieth and a fifteenth of the magnitude of a weighed detail.
fn shares(weighed: i32) -> vec2<i32> {
    let magnitude = u32(abs(weighed));
    if scale.index == 0u {
        return vec2<i32>(
            low_half(i32((4369u * magnitude + 2048u) >> 12u)),
            low_half(i32((8738u * magnitude + 2048u) >> 12u)),
        );
    }
    return vec2<i32>(share(143165577u, magnitude), share(286331153u, magnitude));
}

// The product in units of 2^32. Half a unit is taken away, where adding it would round: nothing masks by -1.
fn share(factor: u32, magnitude: u32) -> i32 {
    let product = wide_mul(factor, magnitude);
    return i32(product.y) - select(1, 0, product.x >= 0x80000000u);
}

// a cut to 16 bits, signed.
fn low_half(a: i32) -> i32 {
    return (a << 16u) >> 16u;
}

// A detail times its weight: at scale 0 with 6 bits below the point and 16 in all, at the others in units of its own.
fn weighed(detail: i32, band: u32) -> i32 {
    let weight = i32(scale.weights[band]);
    if scale.index == 0u {
        let product = weight * detail;
        return low_half(select((product + 16384) >> 15u, (product + 65535) >> 17u, band == DIAGONAL));
    }
    let product = wide_add_u32(signed_product(weight, detail), 1u << 27u);
    return bitcast<i32>(wide_shift_right(product, 28u).x);
}

// What the visible part of details adds up to, cubed, in one row that is pooled.
@compute @workgroup_size(ROW_INVOCATIONS)
fn visible_cubes(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = grid_workgroup(workgroup_id);
    let y = scale.interior_rows.x + row;
    let rows = neighbours(y, scale.size.y);
    let samples = scale.size.x * scale.size.y;
    let above = rows.x * scale.size.x;
    let here = y * scale.size.x;
    let below = rows.y * scale.size.x;
    var sums = Sums();
    for (var x = scale.interior_columns.x + local; x < scale.interior_columns.y; x += ROW_INVOCATIONS) {
        let columns = neighbours(x, scale.size.x);
        let threshold = masking[above + columns.x] + masking[above + x] + masking[above + columns.y]
            + masking[here + columns.x] + masking[here + columns.y]
            + masking[below + columns.x] + masking[below + x] + masking[below + columns.y]
            + masking[samples + here + x];
        let horizontal = visible_cube(details[here + x], threshold, HORIZONTAL);
        let vertical = visible_cube(details[samples + here + x], threshold, VERTICAL);
        let diagonal = visible_cube(details[2u * samples + here + x], threshold, DIAGONAL);
        sums = added(sums, Sums(horizontal, vertical, diagonal));
    }
    store_sums(row, local, sums);
}

// The places before and behind index: the first is mirrored, the last repeated.
fn neighbours(index: u32, length: u32) -> vec2<u32> {
    return vec2<u32>(select(index - 1u, 1u, index == 0u), min(index + 1u, length - 1u));
}

// The cube of what of a detail exceeds a threshold, scaled down twice; the square is cut to 32 bits.
fn visible_cube(detail: i32, threshold: i32, band: u32) -> vec2<u32> {
    let visible = visible(detail, threshold, band);
    let square_shift = scale.square_shifts[band];
    let square = wide_shift_right(wide_add_u32(signed_product(visible, visible), 1u << (square_shift - 1u)), square_shift);
    let cube_shift = scale.cube_shifts[band];
    let cube = wide_add_u32(signed_product(bitcast<i32>(square.x), visible), 1u << (cube_shift - 1u));
    return wide_shift_right_signed(cube, cube_shift);
}

// By how much the weighed magnitude of a detail exceeds a threshold. At scale 0 the product is not scaled down, the threshold
// is scaled up instead, and both may wrap.
fn visible(detail: i32, threshold: i32, band: u32) -> i32 {
    if scale.index == 0u {
        let product = i32(scale.weights[band]) * detail;
        return max(abs(product) - (threshold << select(10u, 12u, band == DIAGONAL)), 0);
    }
    return max(abs(weighed(detail, band)) - threshold, 0);
}

// What the reference's details add up to, cubed, in one row that is pooled.
@compute @workgroup_size(ROW_INVOCATIONS)
fn cubes(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = grid_workgroup(workgroup_id);
    let samples = scale.size.x * scale.size.y;
    let here = (scale.interior_rows.x + row) * scale.size.x;
    var sums = Sums();
    for (var x = scale.interior_columns.x + local; x < scale.interior_columns.y; x += ROW_INVOCATIONS) {
        let horizontal = reference_cube(details[here + x]);
        let vertical = reference_cube(details[samples + here + x]);
        sums = added(sums, Sums(horizontal, vertical, reference_cube(details[2u * samples + here + x])));
    }
    store_sums(row, local, sums);
}

// The cube of a detail of the reference, at scale 0 whole.
fn reference_cube(detail: i32) -> vec2<u32> {
    let magnitude = u32(abs(detail));
    let square = wide_mul(magnitude, magnitude);
    if scale.index == 0u {
        return wide_mul(square.x, magnitude);
    }
    // A whole unit is added, where half a one would round.
    let unit = 1u << scale.denominator_shifts.x;
    let scaled = wide_shift_right(wide_add_u32(square, unit), scale.denominator_shifts.x);
    let product = wide_add_u32(wide_mul(scaled.x, magnitude), 1u << (scale.denominator_shifts.y - 1u));
    return wide_shift_right(product, scale.denominator_shifts.y);
}

// Adds up what the invocations of a workgroup have summed, and stores it as that row's. All must call it.
fn store_sums(row: u32, local: u32, sums: Sums) {
    partial_sums[local] = sums;
    workgroupBarrier();
    if local == 0u {
        var sum = sums;
        for (var other = 1u; other < ROW_INVOCATIONS; other++) {
            sum = added(sum, partial_sums[other]);
        }
        row_sums[row] = sum;
    }
}

fn added(a: Sums, b: Sums) -> Sums {
    return Sums(
        wide_add(a.horizontal, b.horizontal),
        wide_add(a.vertical, b.vertical),
        wide_add(a.diagonal, b.diagonal),
    );
}
