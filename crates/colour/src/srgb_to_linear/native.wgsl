// The bits of the smallest f32 whose linear light is beyond the range of f32.
const OVERFLOW: u32 = 0x5a2a23c6u;

fn transfer(magnitude: f32) -> f32 {
    // The f32 nearest to 0.04045 lies below it and the next one above, so this is the branch of the reference.
    if magnitude <= 0.04045 {
        return magnitude / 12.92;
    }
    return pow((magnitude + 0.055) / 1.055, 2.4);
}
