// Never reached: light is clipped.
const OVERFLOW: u32 = 0x7f800000u;

fn transfer(light: f32) -> f32 {
    if light <= 1.0 / 12.0 {
        return sqrt(3.0 * light);
    }
    return 0.17883277 * log(12.0 * light - 0.28466892) + 0.5599107;
}
