//! The specification of `linear_to_srgb`.

/// The sRGB value of linear light; 1.0 is the white of both.
///
/// IEC 61966-2-1, extended oddly below zero and unchanged beyond 1. NaN stays NaN; zeros and infinities are kept, sign
/// included. The branch is decided in f64, and the power is `libm::pow`, the same code on every platform.
pub fn linear_to_srgb(linear: f64) -> f64 {
    let magnitude = linear.abs();
    let encoded = if magnitude <= 0.003_130_8 {
        12.92 * magnitude
    } else {
        1.055 * libm::pow(magnitude, 1.0 / 2.4) - 0.055
    };
    encoded.copysign(linear)
}
