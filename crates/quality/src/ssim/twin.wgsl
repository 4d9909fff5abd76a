// The terms of the windows around every sample of a band of rows: moments in rows, moments across them, and of those the
// similarity, with the names of reference.rs. The host adds the terms in order and divides.

const INVOCATIONS: u32 = 64u;
// Samples of a row or of a column that an invocation takes, one after the other.
const RUN: u32 = 32u;
// Taps on each side of the centre.
const RADIUS: u32 = 4u;

struct Band {
    // The first row of windows, and the row behind the last one.
    first: u32,
    end: u32,
    // The first row that their windows reach, and the row behind the last one.
    top: u32,
    bottom: u32,
    // Rows of the plane.
    height: u32,
    // The taps from the outermost to the centre.
    taps: array<vec4<u32>, 2>,
}

// What a window weighs, and the stabilisers times its square: their fraction in units of 2^-32, then their whole part.
struct Weight {
    c1: vec3<u32>,
    weight: u32,
    c2: vec3<u32>,
    // The weight as a Real, of whose significand the low word is zero.
    exponent: u32,
    significand: u32,
}

@group(0) @binding(0) var<uniform> plane: SamplePlane;
@group(0) @binding(1) var<uniform> band: Band;

// What rows reads and writes.
@group(0) @binding(2) var<storage, read> reference: array<u32>;
@group(0) @binding(3) var<storage, read> distorted: array<u32>;
@group(0) @binding(4) var<storage, read_write> out_row_firsts: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> out_row_seconds: array<vec4<u32>>;

// What windows reads and writes.
@group(0) @binding(2) var<storage, read> row_firsts: array<vec2<u32>>;
// The low words of xx, xy and yy, and a byte each of their high words.
@group(0) @binding(3) var<storage, read> row_seconds: array<vec4<u32>>;
// By how many samples the window has on its shorter side, down and across, up to the radius.
@group(0) @binding(4) var<storage, read> weights: array<Weight, 25>;
@group(0) @binding(5) var<storage, read_write> out_terms: array<vec2<u32>>;

// Sums over a window or a part of it: of the codes, and of their squares and product (xx, xy, yy) in two parts, the low 16
// bits and the others. Second moments in rows are below 2^40 and the taps add up to 256, so weighted sums of either part stay
// below 2^32: only the whole needs 64 bits.
struct Sums {
    firsts: vec2<u32>,
    low: vec3<u32>,
    high: vec3<u32>,
}

// The windows that hold a place but not yet all of theirs, in order.
struct Begun {
    a: Sums,
    b: Sums,
    c: Sums,
    d: Sums,
    e: Sums,
    f: Sums,
    g: Sums,
    h: Sums,
}

fn added(a: Sums, b: Sums) -> Sums {
    return Sums(a.firsts + b.firsts, a.low + b.low, a.high + b.high);
}

fn weighed(tap: u32, a: Sums) -> Sums {
    return Sums(tap * a.firsts, tap * a.low, tap * a.high);
}

// Adds the next place to the nine windows that hold it; the first of them is then whole, and returned.
fn slide(begun: ptr<function, Begun>, place: Sums) -> Sums {
    let outermost = weighed(band.taps[0].x, place);
    let outer = weighed(band.taps[0].y, place);
    let inner = weighed(band.taps[0].z, place);
    let innermost = weighed(band.taps[0].w, place);
    let whole = added((*begun).a, outermost);
    (*begun).a = added((*begun).b, outer);
    (*begun).b = added((*begun).c, inner);
    (*begun).c = added((*begun).d, innermost);
    (*begun).d = added((*begun).e, weighed(band.taps[1].x, place));
    (*begun).e = added((*begun).f, innermost);
    (*begun).f = added((*begun).g, inner);
    (*begun).g = added((*begun).h, outer);
    (*begun).h = outermost;
    return whole;
}

// A second moment from its parts.
fn whole(low: u32, high: u32) -> vec2<u32> {
    return wide_add_u32(vec2<u32>(high << 16u, high >> 16u), low);
}

// The moments in rows, a run of samples of one row after the other.
@compute @workgroup_size(INVOCATIONS)
fn rows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let run = grid_invocation(workgroup_id, local, INVOCATIONS);
    let runs = (plane.width + RUN - 1u) / RUN;
    let row = run / runs;
    if row >= band.bottom - band.top {
        return;
    }
    let line = (band.top + row) * plane.stride;
    let begin = (run - row * runs) * RUN;
    let end = min(begin + RUN, plane.width);
    var begun = Begun();
    // Before the first sample, a place wraps to one far beyond the last.
    for (var x = begin - RADIUS; x != begin + RADIUS; x++) {
        slide(&begun, sample(line, x));
    }
    for (var x = begin; x < end; x++) {
        let sums = slide(&begun, sample(line, x + RADIUS));
        let index = row * plane.width + x;
        let xx = whole(sums.low.x, sums.high.x);
        let xy = whole(sums.low.y, sums.high.y);
        let yy = whole(sums.low.z, sums.high.z);
        out_row_firsts[index] = sums.firsts;
        out_row_seconds[index] = vec4<u32>(xx.x, xy.x, yy.x, xx.y | (xy.y << 8u) | (yy.y << 16u));
    }
}

// The moments of the sample in column x, nothing beyond the border, of the row that begins at byte line.
fn sample(line: u32, x: u32) -> Sums {
    let byte = line + min(x, plane.width - 1u) * sample_bytes(plane.depth_bits);
    let inside = select(0u, 0xffffu, x < plane.width);
    let r = packed_sample(reference[byte / 4u], byte, plane.depth_bits) & inside;
    let d = packed_sample(distorted[byte / 4u], byte, plane.depth_bits) & inside;
    let products = vec3<u32>(r * r, r * d, d * d);
    return Sums(vec2<u32>(r, d), products & vec3<u32>(0xffffu), products >> vec3<u32>(16u));
}

// The terms of windows, a run of samples of one column after the other.
@compute @workgroup_size(INVOCATIONS)
fn windows(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let run = grid_invocation(workgroup_id, local, INVOCATIONS);
    let line = run / plane.width;
    let x = run - line * plane.width;
    let begin = band.first + line * RUN;
    let end = min(begin + RUN, band.end);
    if begin >= end {
        return;
    }
    let across = shorter_side(x, plane.width);
    var begun = Begun();
    for (var y = begin - RADIUS; y != begin + RADIUS; y++) {
        slide(&begun, row(y, x));
    }
    for (var y = begin; y < end; y++) {
        let sums = slide(&begun, row(y + RADIUS, x));
        let weight = weights[(RADIUS + 1u) * shorter_side(y, band.height) + across];
        out_terms[(y - band.first) * plane.width + x] = term(weight, sums);
    }
}

// The moments in row y around column x, nothing beyond the border.
fn row(y: u32, x: u32) -> Sums {
    let index = (clamp(y, band.top, band.bottom - 1u) - band.top) * plane.width + x;
    let inside = select(0u, 1u, y < band.height);
    let seconds = row_seconds[index] * inside;
    let low = seconds.xyz;
    let high = (vec3<u32>(seconds.w) >> vec3<u32>(0u, 8u, 16u)) & vec3<u32>(0xffu);
    return Sums(
        row_firsts[index] * inside,
        low & vec3<u32>(0xffffu),
        (low >> vec3<u32>(16u)) | (high << vec3<u32>(16u)),
    );
}

// How many of length places lie on the shorter side of one, up to the radius.
fn shorter_side(place: u32, length: u32) -> u32 {
    return min(min(place, length - 1u - place), RADIUS);
}

// The similarity of a window times its weight, as f64.
//
// Each operation of f64 is one of whole numbers here, with its rounding, and without a branch: software adapters compute all
// the branches that f64 takes in general. Only the contrast may be below zero. A variance may not: unless all samples are
// equal, and it is zero, it is at least 4 · 4620, and what roundings before it take off is below 2^13.
fn term(weight: Weight, sums: Sums) -> vec2<u32> {
    let xx = kept(scaled(whole(sums.low.x, sums.high.x), weight.weight));
    let xy = kept(scaled(whole(sums.low.y, sums.high.y), weight.weight));
    let yy = kept(scaled(whole(sums.low.z, sums.high.z), weight.weight));
    let mxx = kept(vec3<u32>(wide_mul(sums.firsts.x, sums.firsts.x), 0u));
    let mxy = kept(vec3<u32>(wide_mul(sums.firsts.x, sums.firsts.y), 0u));
    let myy = kept(vec3<u32>(wide_mul(sums.firsts.y, sums.firsts.y), 0u));

    let similar_means = nearest(stabilised(weight.c1, sum(mxy, mxy)));
    let means = nearest(stabilised(weight.c1, kept(sum(mxx, myy))));

    let opposed = wide_less(xy.xy, mxy.xy);
    let covariance = kept(select(difference(xy, mxy), difference(mxy, xy), opposed));
    let doubled = sum(covariance, covariance);
    let contrast = stabilised(weight.c2, select(doubled, vec3<u32>(wide_negate(doubled.xy), 0xffffffffu), opposed));
    let negative = contrast.w >= 0x80000000u;
    let similar_contrasts = nearest(select(contrast, negated(contrast), negative));

    let variance = kept(difference(xx, mxx));
    let variances = kept(difference(kept(sum(variance, yy)), myy));
    let contrasts = nearest(stabilised(weight.c2, variances));

    let real_weight = Real(vec2<u32>(0u, weight.significand), weight.exponent);
    let similar = product(product(real_weight, similar_means), similar_contrasts);
    let term = quotient(similar, product(means, contrasts));
    let sign = select(0u, 0x80000000u, negative);
    return select(vec2<u32>(term.x, term.y | sign), vec2<u32>(0u), all(contrast == vec4<u32>(0u)));
}

// A number above zero: 2^exponent times the significand, which has 63 bits, the lowest ten of them zero.
struct Real {
    significand: vec2<u32>,
    exponent: u32,
}

// a · factor, where factor is at most 2^16.
fn scaled(a: vec2<u32>, factor: u32) -> vec3<u32> {
    let low = (a & vec2<u32>(0xffffu)) * factor;
    let high = (a >> vec2<u32>(16u)) * factor;
    let first = wide_add(vec2<u32>(low.x, 0u), vec2<u32>(high.x << 16u, high.x >> 16u));
    let second = wide_add(vec2<u32>(low.y, 0u), vec2<u32>(high.y << 16u, high.y >> 16u));
    return vec3<u32>(first.x, wide_add_u32(second, first.y));
}

// a + b.
fn sum(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
    let low = wide_add(a.xy, b.xy);
    return vec3<u32>(low, a.z + b.z + select(0u, 1u, wide_less(low, a.xy)));
}

// a - b, modulo 2^64.
fn difference(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
    return vec3<u32>(wide_sub(a.xy, b.xy), 0u);
}

// A whole number below 2^65 rounded to 53 bits, ties to even.
fn kept(a: vec3<u32>) -> vec3<u32> {
    // Ones from the highest bit of a on, without those of the 53 bits that are kept.
    var excess = (a.z << 12u) | (a.y >> 20u);
    excess |= excess >> 1u;
    excess |= excess >> 2u;
    excess |= excess >> 4u;
    excess = (excess | (excess >> 8u)) >> 1u;
    let odd = (a.x & (excess + 1u) & ~1u) != 0u;
    let raised = sum(a, vec3<u32>((excess >> 1u) + select(0u, 1u, odd), 0u, 0u));
    return vec3<u32>(raised.x & ~excess, raised.yz);
}

// A stabiliser and a whole number, in units of 2^-32.
fn stabilised(c: vec3<u32>, a: vec3<u32>) -> vec4<u32> {
    return vec4<u32>(c.x, sum(vec3<u32>(c.yz, 0u), a));
}

// -a, modulo 2^128.
fn negated(a: vec4<u32>) -> vec4<u32> {
    let low = wide_negate(a.xy);
    return vec4<u32>(low, wide_add_u32(~a.zw, select(0u, 1u, (low.x | low.y) == 0u)));
}

// 2^exponent times a significand of 63 bits, rounded to 53 of them, ties to even.
fn real(significand: vec2<u32>, exponent: u32) -> Real {
    let raised = wide_add_u32(significand, 511u + ((significand.x >> 10u) & 1u));
    let carried = raised.y >> 31u;
    return Real(vec2<u32>(raised.x & ~1023u, raised.y - 0x40000000u * carried), exponent + carried);
}

// A whole number above zero, rounded to 53 bits.
fn nearest(a: vec4<u32>) -> Real {
    var words = select(a, vec4<u32>(0u, a.xyz), a.w == 0u);
    var exponent = select(65u, 33u, a.w == 0u);
    exponent -= select(0u, 32u, words.w == 0u);
    words = select(words, vec4<u32>(0u, words.xyz), words.w == 0u);
    exponent -= select(0u, 32u, words.w == 0u);
    words = select(words, vec4<u32>(0u, words.xyz), words.w == 0u);
    let zeros = countLeadingZeros(words.w);
    let top = (words.w << zeros) | ((words.z >> 1u) >> (31u - zeros));
    let middle = (words.z << zeros) | ((words.y >> 1u) >> (31u - zeros));
    let lost = (middle & 1u) | (words.y << zeros) | words.x;
    return real(vec2<u32>((middle >> 1u) | (top << 31u) | select(0u, 1u, lost != 0u), top >> 1u), exponent - zeros);
}

// a · b.
fn product(a: Real, b: Real) -> Real {
    let whole = wide_mul_full(a.significand, b.significand);
    let lost = select(0u, 1u, (whole.x | whole.y) != 0u);
    return normal(vec2<u32>(whole.z | lost, whole.w), a.exponent + b.exponent + 64u);
}

// 2^exponent times a number of 61 or 62 bits, of which the lowest is set where anything was lost below it.
fn normal(a: vec2<u32>, exponent: u32) -> Real {
    let short = (a.y & 0x20000000u) == 0u;
    let first = select(a, wide_add(a, a), short);
    return real(wide_add(first, first), exponent - select(1u, 2u, short));
}

// The bits of a / b as f64.
fn quotient(a: Real, b: Real) -> vec2<u32> {
    let doubled = wide_less(a.significand, b.significand);
    let divisor = vec2<u32>((b.significand.x >> 10u) | (b.significand.y << 22u), b.significand.y >> 10u);
    var rest = vec2<u32>((a.significand.x >> 10u) | (a.significand.y << 22u), a.significand.y >> 10u);
    rest = wide_sub(select(rest, wide_add(rest, rest), doubled), divisor);
    // A leading one, then five digits of 11 bits: three bits more than are kept. The highest 16 bits of both numbers say what
    // a digit is, or one less.
    let reciprocal = 0x80000000u / ((b.significand.y >> 15u) + 1u);
    var digits = vec2<u32>(1u, 0u);
    for (var digit = 0u; digit < 5u; digit++) {
        rest = vec2<u32>(rest.x << 11u, (rest.y << 11u) | (rest.x >> 21u));
        let estimate = ((rest.y >> 16u) * reciprocal) >> 20u;
        rest = wide_sub(rest, scaled(divisor, estimate).xy);
        let more = !wide_less(rest, divisor);
        rest = select(rest, wide_sub(rest, divisor), more);
        digits = vec2<u32>(
            (digits.x << 11u) | (estimate + select(0u, 1u, more)),
            (digits.y << 11u) | (digits.x >> 21u),
        );
    }
    // No quotient of two significands lies in the middle between two others.
    let raised = wide_add_u32(digits, 4u);
    // The highest bit counts the exponent up.
    let exponent = a.exponent - b.exponent + select(1022u, 1021u, doubled);
    return vec2<u32>((raised.x >> 3u) | (raised.y << 29u), (exponent << 20u) + (raised.y >> 3u));
}
