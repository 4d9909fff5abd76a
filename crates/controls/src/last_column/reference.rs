//! The negative of a plane.

use isobit::frame::Input;
use isobit::output::Output;

use crate::picture::{self, Picture};

/// The inverted picture of every frame.
pub fn outputs(input: &Input) -> Vec<Output> {
    let bits = input.shape().format.depth.bits();
    picture::codes(input, |plane| inverted(plane, bits))
}

/// Each code of `bits` bits subtracted from the largest one.
fn inverted(picture: &Picture, bits: u32) -> Picture {
    let largest = (1 << bits) - 1;
    picture.map(|code| largest - code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn inversion_is_the_complement_of_the_bits(bits in 8u32..=16, codes in prop::collection::vec(any::<u16>(), 1..9)) {
            let codes: Vec<u32> = codes.iter().map(|&code| u32::from(code) % (1 << bits)).collect();
            let picture = Picture { width: codes.len() as u32, height: 1, codes };
            for (&code, &inverse) in picture.codes.iter().zip(&inverted(&picture, bits).codes) {
                prop_assert_eq!((code ^ inverse, code & inverse), ((1 << bits) - 1, 0));
            }
        }
    }
}
