// Distances in Oklab in plain f32.
fn native_difference(a: vec3<f32>, b: vec3<f32>) -> f32 {
    return distance(native_oklab(a), native_oklab(b));
}
