// A row's products, added from left to right.
fn row_sum(row: vec3<f32>, light: vec3<f32>) -> f32 {
    let rg = seal_add(seal_mul(row.x, light.x), seal_mul(row.y, light.y));
    return seal_add(rg, seal_mul(row.z, light.z));
}
