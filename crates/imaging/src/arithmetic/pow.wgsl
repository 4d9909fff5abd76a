// The power of the chunk `math_pow` in the device's own arithmetic.

fn math_pow(x: f32, y: f32) -> f32 {
    return pow(x, y);
}
