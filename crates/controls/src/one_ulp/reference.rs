//! Codes as fractions of their range.

use isobit::frame::Input;
use isobit::output::{Output, Values};

use super::METRIC;
use crate::picture;

/// The fractions of every frame's picture.
pub fn outputs(input: &Input) -> Vec<Output> {
    let bits = input.shape().format.depth.bits();
    picture::outputs(input, METRIC, |plane| {
        let fractions = plane.codes.iter().map(|&code| fraction(code, bits)).collect();
        (plane.width, plane.height, Values::F32(fractions))
    })
}

/// One more than a code of `bits` bits, divided by the number of codes: above zero and at most one, and never rounded.
fn fraction(code: u32, bits: u32) -> f32 {
    (code + 1) as f32 / (1 << bits) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_fraction_is_rounded() {
        for bits in [8, 10, 12, 16] {
            for code in 0..1u32 << bits {
                let back = f64::from(fraction(code, bits)) * f64::from(1 << bits);
                assert_eq!(back, f64::from(code + 1));
            }
        }
    }
}
