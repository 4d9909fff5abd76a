// Never reached: light is clipped.
const OVERFLOW: u32 = 0x7f800000u;

fn transfer(light: f32) -> f32 {
    var root = 0.0;
    if light > 0.0 {
        root = pow(light, 0.1593017578125);
    }
    let numerator = 0.8359375 + 18.8515625 * root;
    let denominator = 1.0 + 18.6875 * root;
    return pow(numerator / denominator, 78.84375);
}
