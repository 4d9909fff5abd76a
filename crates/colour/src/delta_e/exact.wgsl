// From the stored samples of two pixels to the bits of their difference. Loops, so that a compiler meets each function once.
fn map_pair(a: vec3<u32>, b: vec3<u32>) -> u32 {
    var colours = array<vec3<u32>, 2>(a, b);
    for (var clip = 0u; clip < 2u; clip++) {
        var linear = colours[clip];
        for (var plane = 0u; plane < 3u; plane++) {
            linear[plane] = transfer_sample(linear[plane], picture.depth_bits);
        }
        colours[clip] = lab_bits(linear);
    }
    return difference(colours[0], colours[1]);
}
