// f32 arithmetic that no compiler can fuse or rewrite, and exact sums and products built on it. Follows seal.rs.

// x, by a way that a compiler cannot see through: isobit_grid.z is zero, but only at run time.
fn seal(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ isobit_grid.z);
}

// a + b, rounded once.
fn seal_add(a: f32, b: f32) -> f32 {
    return seal(a + b);
}

// a - b, rounded once.
fn seal_sub(a: f32, b: f32) -> f32 {
    return seal(a - b);
}

// a * b, rounded once.
fn seal_mul(a: f32, b: f32) -> f32 {
    return seal(a * b);
}

// The rounded sum of a and b, then its error; |a| >= |b|, or a is zero.
fn fast_two_sum(a: f32, b: f32) -> vec2<f32> {
    let sum = seal(a + b);
    return vec2<f32>(sum, seal(b - seal(sum - a)));
}

// The rounded sum of a and b, then its error.
fn two_sum(a: f32, b: f32) -> vec2<f32> {
    let sum = seal(a + b);
    let b_part = seal(sum - a);
    let a_part = seal(sum - b_part);
    return vec2<f32>(sum, seal(seal(a - a_part) + seal(b - b_part)));
}

// a in two parts of at most 12 significant bits each.
fn split(a: f32) -> vec2<f32> {
    let high = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
    return vec2<f32>(high, seal(a - high));
}

// The rounded product of a and b, then its error.
fn two_product(a: f32, b: f32) -> vec2<f32> {
    let product = seal(a * b);
    let a_split = split(a);
    let b_split = split(b);
    var rest = seal(product - seal(a_split.x * b_split.x));
    rest = seal(rest - seal(a_split.y * b_split.x));
    rest = seal(rest - seal(a_split.x * b_split.y));
    return vec2<f32>(product, seal(seal(a_split.y * b_split.y) - rest));
}

// a + b of a pair and a number.
fn pair_add_f32(a: vec2<f32>, b: f32) -> vec2<f32> {
    let sum = two_sum(a.x, b);
    return fast_two_sum(sum.x, seal(a.y + sum.y));
}

// a + b of pairs.
fn pair_add(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let high = two_sum(a.x, b.x);
    let low = two_sum(a.y, b.y);
    let sum = fast_two_sum(high.x, seal(high.y + low.x));
    return fast_two_sum(sum.x, seal(low.y + sum.y));
}

// a - b of pairs.
fn pair_sub(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return pair_add(a, bitcast<vec2<f32>>(bitcast<vec2<u32>>(b) ^ vec2<u32>(0x80000000u)));
}

// a * b of a pair and a number.
fn pair_mul_f32(a: vec2<f32>, b: f32) -> vec2<f32> {
    let product = two_product(a.x, b);
    return fast_two_sum(product.x, seal(product.y + seal(a.y * b)));
}

// a * b of pairs.
fn pair_mul(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let product = two_product(a.x, b.x);
    let cross = seal(seal(a.x * b.y) + seal(a.y * b.x));
    return fast_two_sum(product.x, seal(product.y + cross));
}
