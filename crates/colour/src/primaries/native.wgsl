// A row's products, added as the compiler likes.
fn row_sum(row: vec3<f32>, light: vec3<f32>) -> f32 {
    return dot(row, light);
}
