// From stored samples to the bits of an sRGB colour. Follows reference.rs.
fn map_pixel(stored: vec3<u32>) -> vec3<u32> {
    var lab = stored;
    if picture.depth_bits != 32u {
        let max_code = (1u << picture.depth_bits) - 1u;
        let middle = max_code / 2u + 1u;
        for (var plane = 0u; plane < 3u; plane++) {
            let zero = select(middle, 0u, plane == 0u);
            let code = stored[plane];
            var bits = 0u;
            if code != zero {
                bits = rounded(scaled_code(max(code, zero) - min(code, zero), max_code));
            }
            lab[plane] = bits | select(0u, 0x80000000u, code < zero);
        }
    }
    let linear = linear_light(lab);
    var encoded = linear;
    for (var plane = 0u; plane < 3u; plane++) {
        encoded[plane] = transfer_sample(linear[plane], 32u);
    }
    return encoded;
}
