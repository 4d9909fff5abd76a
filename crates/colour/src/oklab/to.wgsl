// The bits of L, a and b of linear light, given by its bits. Follows mod.rs.
fn oklab(linear: vec3<u32>) -> vec3<u32> {
    if is_no_colour(linear, MOST_LIGHT) {
        return vec3<u32>(0x7fc00000u);
    }
    let light = settled3(bitcast<vec3<f32>>(linear), LEAST_LIGHT);
    var roots = vec3<f32>(
        row_sum(LMS_00, LMS_01, LMS_02, light),
        row_sum(LMS_10, LMS_11, LMS_12, light),
        row_sum(LMS_20, LMS_21, LMS_22, light),
    );
    for (var cone = 0u; cone < 3u; cone++) {
        roots[cone] = math_cbrt(roots[cone]);
    }
    return bitcast<vec3<u32>>(vec3<f32>(
        row_sum(LAB_00, LAB_01, LAB_02, roots),
        row_sum(LAB_10, LAB_11, LAB_12, roots),
        row_sum(LAB_20, LAB_21, LAB_22, roots),
    ));
}
