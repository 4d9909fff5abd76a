//! The specification of `srgb_to_linear`.

/// Linear light of an sRGB value; 1.0 is the white of both.
///
/// IEC 61966-2-1, extended oddly below zero and unchanged beyond 1. NaN stays NaN; zeros and infinities are kept, sign
/// included. The branch is decided in f64, and the power is `libm::pow`, the same code on every platform.
pub fn srgb_to_linear(encoded: f64) -> f64 {
    let magnitude = encoded.abs();
    let linear = if magnitude <= 0.04045 {
        magnitude / 12.92
    } else {
        libm::pow((magnitude + 0.055) / 1.055, 2.4)
    };
    linear.copysign(encoded)
}
