// The bits of L*, a* and b* of linear light, given by its bits. Follows reference.rs.
fn lab_bits(linear: vec3<u32>) -> vec3<u32> {
    if is_no_colour(linear, MOST_LIGHT) {
        return vec3<u32>(0x7fc00000u);
    }
    let light = settled3(bitcast<vec3<f32>>(linear), LEAST_LIGHT);
    var t = vec3<f32>(
        row_sum(CIE_00, CIE_01, CIE_02, light),
        row_sum(CIE_10, CIE_11, CIE_12, light),
        row_sum(CIE_20, CIE_21, CIE_22, light),
    );
    for (var axis = 0u; axis < 3u; axis++) {
        let line = seal_add(seal_mul(CIE_SLOPE, t[axis]), CIE_OFFSET);
        t[axis] = select(line, math_cbrt(t[axis]), t[axis] > CIE_BRANCH);
    }
    return bitcast<vec3<u32>>(vec3<f32>(
        seal_sub(seal_mul(116.0, t.y), 16.0),
        seal_mul(500.0, seal_sub(t.x, t.y)),
        seal_mul(200.0, seal_sub(t.y, t.z)),
    ));
}

// The bits of the CIEDE2000 difference of two colours. Follows ciede2000 of reference.rs. A colour is NaN as a whole or not at
// all, and no number here is subnormal.
fn difference(first_bits: vec3<u32>, second_bits: vec3<u32>) -> u32 {
    if first_bits.x == 0x7fc00000u || second_bits.x == 0x7fc00000u {
        return 0x7fc00000u;
    }
    let first = bitcast<vec3<f32>>(first_bits);
    let second = bitcast<vec3<f32>>(second_bits);
    let chromas = seal_add(math_hypot(first.y, first.z), math_hypot(second.y, second.z));
    let mean_chroma = seal_mul(chromas, 0.5);
    let stretch = seal_sub(1.5, seal_mul(0.5, square_root(seventh(mean_chroma))));
    let a1 = seal_mul(stretch, first.y);
    let b1 = first.z;
    let a2 = seal_mul(stretch, second.y);
    let b2 = second.z;
    let c1 = math_hypot(a1, b1);
    let c2 = math_hypot(a2, b2);
    let h1 = hue(a1, b1);
    let h2 = hue(a2, b2);
    let grey = c1 == 0.0 || c2 == 0.0;

    let left = two_product(a1, b2);
    let right = two_product(b1, a2);
    let cross_product = seal_add(seal_sub(left.x, right.x), seal_sub(left.y, right.y));
    let dot_product = seal_add(seal_mul(a1, a2), seal_mul(b1, b2));
    let turn = seal_sub(h2, h1);
    let cross_magnitude = bitcast<f32>(bitcast<u32>(cross_product) & 0x7fffffffu);
    let opposite = dot_product < 0.0 && cross_magnitude <= seal_mul(OPPOSITE, -dot_product);
    let half_turn = select(HALF_TURN, -HALF_TURN, turn < 0.0);
    var angle = select(math_atan2(cross_product, dot_product), half_turn, opposite);
    angle = select(settled(angle, LEAST_ANGLE), 0.0, grey);
    let wraps = abs(turn) > 3.0 && (angle < 0.0) == (turn > 0.0);

    let dl = seal_sub(second.x, first.x);
    let dc = seal_sub(c2, c1);
    let dh = seal_mul(seal_mul(2.0, square_root(seal_mul(c1, c2))), math_sin(seal_mul(angle, 0.5)));

    let mean_l = seal_mul(seal_add(first.x, second.x), 0.5);
    let mean_c = seal_mul(seal_add(c1, c2), 0.5);
    let sum = seal_add(h1, h2);
    var h = seal_mul(sum, 0.5);
    if grey {
        h = sum;
    } else if wraps {
        h = seal_mul(select(seal_sub(sum, TWO_PI), seal_add(sum, TWO_PI), sum < TWO_PI), 0.5);
    }

    var t = seal_sub(1.0, seal_mul(0.17, math_cos(seal_sub(h, ANGLE_30))));
    t = seal_add(t, seal_mul(0.24, math_cos(seal_mul(2.0, h))));
    t = seal_add(t, seal_mul(0.32, math_cos(seal_add(seal_mul(3.0, h), ANGLE_6))));
    t = seal_sub(t, seal_mul(0.2, math_cos(seal_sub(seal_mul(4.0, h), ANGLE_63))));
    let l_less_50 = seal_sub(mean_l, 50.0);
    let from_50 = seal_mul(l_less_50, l_less_50);
    let sl = seal_add(1.0, divide(seal_mul(0.015, from_50), square_root(seal_add(20.0, from_50))));
    let sc = seal_add(1.0, seal_mul(0.045, mean_c));
    let sh = seal_add(1.0, seal_mul(seal_mul(0.015, mean_c), t));
    let around_blue = seal_mul(seal_sub(h, ANGLE_275), ANGLE_25_INVERSE);
    let distance_to_blue = seal_mul(around_blue, around_blue);
    let rotation = select(math_exp(-distance_to_blue), 0.0, distance_to_blue > 20.0);
    let rt = seal_mul(seal_mul(-2.0, square_root(seventh(mean_c))), math_sin(seal_mul(ANGLE_60, rotation)));

    let l = settled(divide(dl, sl), LEAST_DIFFERENCE);
    let c = settled(divide(dc, sc), LEAST_DIFFERENCE);
    let hue_term = settled(divide(dh, sh), LEAST_DIFFERENCE);
    let squares = seal_add(seal_add(seal_mul(l, l), seal_mul(c, c)), seal_mul(hue_term, hue_term));
    let total = seal_add(squares, seal_mul(seal_mul(rt, c), hue_term));
    return select(bitcast<u32>(square_root(total)), 0u, total <= 0.0);
}

fn seventh(chroma: f32) -> f32 {
    let positive_chroma = settled(chroma, LEAST_CHROMA);
    let c = select(positive_chroma, 1000.0, positive_chroma > 1000.0);
    let square = seal_mul(c, c);
    let seventh_power = seal_mul(seal_mul(square, square), seal_mul(square, c));
    return divide(seventh_power, seal_add(seventh_power, CHROMA_25));
}

fn hue(a: f32, b: f32) -> f32 {
    let angle = select(math_atan2(b, a), 0.0, a == 0.0 && b == 0.0);
    return select(angle, seal_add(angle, TWO_PI), angle < 0.0);
}
