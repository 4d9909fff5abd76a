// The bits of linear light of L, a and b, given by their bits. Follows mod.rs.
fn linear_light(bits: vec3<u32>) -> vec3<u32> {
    if is_no_colour(bits, MOST_ROOT) {
        return vec3<u32>(0x7fc00000u);
    }
    let lab = settled3(bitcast<vec3<f32>>(bits), LEAST_LIGHT);
    let cones = vec3<f32>(
        cube(row_sum(1.0, ROOT_01, ROOT_02, lab)),
        cube(row_sum(1.0, ROOT_11, ROOT_12, lab)),
        cube(row_sum(1.0, ROOT_21, ROOT_22, lab)),
    );
    return bitcast<vec3<u32>>(vec3<f32>(
        row_sum(RGB_00, RGB_01, RGB_02, cones),
        row_sum(RGB_10, RGB_11, RGB_12, cones),
        row_sum(RGB_20, RGB_21, RGB_22, cones),
    ));
}

fn cube(x: f32) -> f32 {
    let root = settled(x, LEAST_ROOT);
    return seal_mul(seal_mul(root, root), root);
}
