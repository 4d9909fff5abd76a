// A stored sample through the exact function of transfer.wgsl.
fn mapped_bits(stored: u32) -> u32 {
    return transfer_sample(stored, plane.depth_bits);
}
