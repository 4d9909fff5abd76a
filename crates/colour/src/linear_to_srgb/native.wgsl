// No finite f32 has an sRGB value beyond the range of f32: these are the bits of infinity.
const OVERFLOW: u32 = 0x7f800000u;

fn transfer(magnitude: f32) -> f32 {
    // The f32 nearest to 0.0031308 lies above it, so this `<` is the `<=` of the reference.
    if magnitude < 0.0031308 {
        return 12.92 * magnitude;
    }
    return 1.055 * pow(magnitude, 1.0 / 2.4) - 0.055;
}
