//! Halved codes.

/// Half of a code, rounded down.
pub fn halved(code: u32) -> u32 {
    code / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_whole_and_not_too_large() {
        for code in 0..=0xffff {
            assert!([0, 1].contains(&(code - 2 * halved(code))));
        }
    }
}
