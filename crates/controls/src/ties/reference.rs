//! Codes narrowed by two bits.

use isobit::frame::Input;
use isobit::output::Output;

use crate::picture;

/// The narrowed picture of every frame.
pub fn outputs(input: &Input) -> Vec<Output> {
    let largest = (1 << (input.shape().format.depth.bits() - 2)) - 1;
    picture::codes(input, |plane| plane.map(|code| narrowed(code).min(largest)))
}

/// A quarter of `code`, rounded to the nearest integer, to the even one where two are equally near.
pub fn narrowed(code: u32) -> u32 {
    let (quotient, remainder) = (code / 4, code % 4);
    let up = match remainder {
        2 => quotient % 2 == 1,
        _ => remainder > 2,
    };
    quotient + u32::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_that_of_ieee() {
        for code in 0..=0xffff {
            assert_eq!(
                f64::from(narrowed(code)),
                (f64::from(code) / 4.0).round_ties_even(),
                "{code}"
            );
        }
    }
}
