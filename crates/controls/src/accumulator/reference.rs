//! The energy of each row in integers.

use isobit::output::Values;

use crate::picture::Picture;

/// The sum of squares of each row of codes of at most 12 bits and at most 256 samples: width, height and values.
pub fn energies(picture: &Picture) -> (u32, u32, Values) {
    let energies = picture
        .rows()
        .map(|row| row.iter().map(|code| code * code).sum())
        .collect();
    (1, picture.height, Values::U32(energies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_summed_by_itself() {
        let picture = Picture {
            width: 3,
            height: 2,
            codes: vec![1, 2, 3, 0, 4, 4095],
        };
        assert_eq!(energies(&picture), (1, 2, Values::U32(vec![14, 16 + 4095 * 4095])));
    }

    #[test]
    fn the_largest_row_fits() {
        let picture = Picture {
            width: 256,
            height: 1,
            codes: vec![4095; 256],
        };
        let largest = 256 * 4095u64.pow(2);
        assert_eq!(energies(&picture), (1, 1, Values::U32(vec![largest as u32])));
        assert!(largest <= u64::from(u32::MAX));
    }
}
