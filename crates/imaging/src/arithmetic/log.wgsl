// The natural logarithm of the chunk `math_log` in the device's own arithmetic.

fn math_log(x: f32) -> f32 {
    return log(x);
}
