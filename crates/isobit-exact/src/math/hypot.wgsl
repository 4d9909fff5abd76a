// The length of a vector. Follows hypot.rs.

fn math_hypot(x: f32, y: f32) -> f32 {
    let x_magnitude = bitcast<u32>(x) & ~MATH_SIGN;
    let y_magnitude = bitcast<u32>(y) & ~MATH_SIGN;
    let greater = max(x_magnitude, y_magnitude);
    let lesser = min(x_magnitude, y_magnitude);
    // Significands from 1 to 2, the lesser one scaled down; below 2^-30 of the greater it does not show.
    let greater_extended = math_extended(greater);
    let lesser_extended = math_extended(lesser);
    let below = (greater_extended >> 23u) - (lesser_extended >> 23u);
    let down = bitcast<f32>(u32(127i - min(below, 30i)) << 23u);
    let a = bitcast<f32>((u32(greater_extended) & 0x007fffffu) | MATH_ONE);
    let b = seal(bitcast<f32>((u32(lesser_extended) & 0x007fffffu) | MATH_ONE) * down);
    let a_square = two_product(a, a);
    let b_square = two_product(b, b);
    let sum = fast_two_sum(a_square.x, b_square.x);
    let sum_low = seal(sum.y + seal(a_square.y + b_square.y));

    // The inverse root to single precision, then one step towards the root from the exact square of an approximation.
    let half = seal(sum.x * MATH_HALF);
    var inverse = bitcast<f32>(0x5f3759dfu - (bitcast<u32>(sum.x) >> 1u));
    inverse = seal(inverse * seal(1.5 - seal(seal(half * inverse) * inverse)));
    inverse = seal(inverse * seal(1.5 - seal(seal(half * inverse) * inverse)));
    inverse = seal(inverse * seal(1.5 - seal(seal(half * inverse) * inverse)));
    let root = seal(sum.x * inverse);
    let square = two_product(root, root);
    let missing = seal(seal(seal(sum.x - square.x) - square.y) + sum_low);
    let length = fast_two_sum(root, seal(missing * seal(inverse * MATH_HALF)));
    var result = math_scaled(length.x, length.y, (greater_extended >> 23u) - 127i);
    result = select(result, greater, lesser == 0u);
    result = select(result, MATH_NAN, greater > MATH_INFINITY);
    result = select(result, MATH_INFINITY, lesser == MATH_INFINITY || greater == MATH_INFINITY);
    return bitcast<f32>(result);
}
