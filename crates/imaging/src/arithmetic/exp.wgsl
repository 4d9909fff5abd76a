// The exponential of the chunk `math_exp` in the device's own arithmetic.

fn math_exp(x: f32) -> f32 {
    return exp(x);
}
