// Never reached: signals are clipped.
const OVERFLOW: u32 = 0x7f800000u;

fn transfer(signal: f32) -> f32 {
    if signal == 0.0 {
        return 0.0;
    }
    let root = pow(signal, 1.0 / 78.84375);
    let numerator = max(root - 0.8359375, 0.0);
    let denominator = 18.8515625 - 18.6875 * root;
    return pow(numerator / denominator, 1.0 / 0.1593017578125);
}
