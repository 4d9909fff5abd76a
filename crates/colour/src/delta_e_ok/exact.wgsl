fn lab_bits(linear: vec3<u32>) -> vec3<u32> {
    return oklab(linear);
}

// The bits of the distance of two colours in Oklab. Follows reference.rs. A colour is NaN as a whole or not at all.
fn difference(a: vec3<u32>, b: vec3<u32>) -> u32 {
    if a.x == 0x7fc00000u || b.x == 0x7fc00000u {
        return 0x7fc00000u;
    }
    let x = bitcast<vec3<f32>>(a);
    let y = bitcast<vec3<f32>>(b);
    var length = seal_sub(x.x, y.x);
    for (var axis = 1u; axis < 3u; axis++) {
        length = math_hypot(length, seal_sub(x[axis], y[axis]));
    }
    return bitcast<u32>(length);
}
