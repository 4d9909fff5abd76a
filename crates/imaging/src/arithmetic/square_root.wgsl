// The square root of the chunk `square_root` in the device's own arithmetic.

fn square_root(x: f32) -> f32 {
    return sqrt(x);
}
