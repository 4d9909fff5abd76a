//! Samples cut down to eight bits.

use isobit::frame::Input;
use isobit::output::Output;

use crate::picture;

/// The cut picture of every frame.
pub fn outputs(input: &Input) -> Vec<Output> {
    let bits = input.shape().format.depth.bits();
    picture::codes(input, |plane| plane.map(|code| leading(code, bits)))
}

/// The eight most significant bits of a code of `bits` bits.
fn leading(code: u32, bits: u32) -> u32 {
    code >> (bits - 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_range_becomes_the_whole_byte() {
        for bits in [8, 10, 12, 16] {
            for byte in 0..=255 {
                let (first, past) = (byte << (bits - 8), (byte + 1) << (bits - 8));
                assert_eq!((leading(first, bits), leading(past - 1, bits)), (byte, byte));
            }
        }
    }
}
