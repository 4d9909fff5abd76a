//! The energy of each row.

use isobit::output::Values;

use crate::picture::Picture;

/// The sum of squares of each row in f32: width, height and values.
pub fn energies(picture: &Picture) -> (u32, u32, Values) {
    (1, picture.height, Values::F32(picture.rows().map(energy).collect()))
}

/// The squares of codes of at most 16 bits, each rounded to f32, added one after another.
fn energy(row: &[u32]) -> f32 {
    let mut sum = 0.0;
    for &code in row {
        let value = code as f32;
        sum += value * value;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_sums_are_exact_and_large_ones_depend_on_the_order() {
        assert_eq!(energy(&[3, 4, 12]), 169.0);
        let large = 1 << 12;
        assert_eq!(energy(&[large, 1, 1]), 16_777_216.0);
        assert_eq!(energy(&[1, 1, large]), 16_777_218.0);
    }

    proptest! {
        #[test]
        fn the_sum_is_near_the_true_one(row in prop::collection::vec(0u32..65536, 1..128)) {
            let exact: u64 = row.iter().map(|&code| u64::from(code).pow(2)).sum();
            let bound = exact as f64 * row.len() as f64 * f64::from(f32::EPSILON / 2.0) * 1.01;
            prop_assert!((f64::from(energy(&row)) - exact as f64).abs() <= bound);
        }
    }
}
