// Sums and products of the chunk `seal` in the device's own arithmetic.

fn seal(x: f32) -> f32 {
    return x;
}

fn seal_add(a: f32, b: f32) -> f32 {
    return a + b;
}

fn seal_sub(a: f32, b: f32) -> f32 {
    return a - b;
}

fn seal_mul(a: f32, b: f32) -> f32 {
    return a * b;
}
