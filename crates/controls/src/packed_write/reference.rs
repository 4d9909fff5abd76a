//! Samples scaled to sixteen bits.

use isobit::frame::Input;
use isobit::output::Output;

use crate::picture;

/// The scaled picture of every frame.
pub fn outputs(input: &Input) -> Vec<Output> {
    let bits = input.shape().format.depth.bits();
    picture::codes(input, |plane| plane.map(|code| widened(code, bits)))
}

/// A code of `bits` bits in the high end of sixteen.
fn widened(code: u32, bits: u32) -> u32 {
    code << (16 - bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_of_a_code_divides_the_whole_range() {
        for bits in [8, 10, 12, 16] {
            assert_eq!(widened(1, bits) * (1 << bits), 1 << 16);
            assert_eq!(widened((1 << bits) - 1, bits) + widened(1, bits), 1 << 16);
        }
    }
}
