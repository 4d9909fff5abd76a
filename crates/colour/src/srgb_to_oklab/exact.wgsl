// From stored samples to the bits of L, a and b. Follows reference.rs.
fn map_pixel(stored: vec3<u32>) -> vec3<u32> {
    var linear = stored;
    for (var plane = 0u; plane < 3u; plane++) {
        linear[plane] = transfer_sample(stored[plane], picture.depth_bits);
    }
    return oklab(linear);
}
