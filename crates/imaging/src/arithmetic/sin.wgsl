// The sine of the chunk `math_sin` in the device's own arithmetic.

fn math_sin(x: f32) -> f32 {
    return sin(x);
}
