// Division of the chunk `divide` in the device's own arithmetic.

fn divide(a: f32, b: f32) -> f32 {
    return a / b;
}
