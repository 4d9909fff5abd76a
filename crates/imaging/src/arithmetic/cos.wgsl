// The cosine of the chunk `math_cos` in the device's own arithmetic.

fn math_cos(x: f32) -> f32 {
    return cos(x);
}
