//! Twice each sample and one more.

use isobit::frame::Input;
use isobit::output::Output;

use crate::picture;

/// The raised picture of every frame.
pub fn outputs(input: &Input) -> Vec<Output> {
    picture::codes(input, |plane| plane.map(|code| raised(doubled(code))))
}

pub const fn doubled(code: u32) -> u32 {
    code * 2
}

pub const fn raised(code: u32) -> u32 {
    code + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_are_the_odd_numbers() {
        assert_eq!([0, 1, 255].map(|code| raised(doubled(code))), [1, 3, 511]);
    }
}
