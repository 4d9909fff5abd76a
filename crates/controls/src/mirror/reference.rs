//! Horizontal blur of codes with mirrored borders.

use super::RADIUS;
use crate::picture::Picture;

const WEIGHTS: [u32; 5] = [1, 4, 6, 4, 1];
const SHIFT: u32 = 4;

/// The blurred plane, each sample rounded to the nearest code, ties up.
pub fn blurred(picture: &Picture) -> Picture {
    blurred_with(picture, mirror)
}

/// The same with column `x` of rows of `width` samples taken from column `column(x, width)`.
pub fn blurred_with(picture: &Picture, column: impl Fn(i32, u32) -> u32) -> Picture {
    let blur = |row: &[u32], x: i32| {
        let taps = (0..).zip(WEIGHTS).map(|(tap, weight)| {
            let source = column(x + tap - RADIUS as i32, picture.width);
            weight * row[source as usize]
        });
        (taps.sum::<u32>() + (1 << (SHIFT - 1))) >> SHIFT
    };
    let rows = picture
        .rows()
        .flat_map(|row| (0..picture.width as i32).map(|x| blur(row, x)));
    Picture {
        codes: rows.collect(),
        ..*picture
    }
}

/// The column that stands for column `x`: mirrored about the first and the last sample, neither of them repeated.
fn mirror(x: i32, width: u32) -> u32 {
    let folded = x.unsigned_abs();
    if folded < width { folded } else { 2 * width - 2 - folded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(codes: &[u32]) -> Picture {
        Picture {
            width: codes.len() as u32,
            height: 1,
            codes: codes.to_vec(),
        }
    }

    #[test]
    fn an_impulse_shows_the_weights_and_its_mirror_image() {
        assert_eq!(blurred(&row(&[0, 0, 0, 16, 0, 0, 0])).codes, [0, 1, 4, 6, 4, 1, 0]);
        // The impulse beside the edge is seen twice by the edge sample, the edge sample itself once by each.
        assert_eq!(blurred(&row(&[0, 0, 0, 0, 16, 0])).codes, [0, 0, 1, 4, 7, 8]);
        assert_eq!(blurred(&row(&[16, 0, 0, 0, 0, 0])).codes, [6, 4, 1, 0, 0, 0]);
    }

    proptest! {
        #[test]
        fn a_flat_row_stays_flat_and_a_reversed_one_reversed(codes in prop::collection::vec(0u32..65536, 3..20)) {
            let flat = row(&vec![codes[0]; codes.len()]);
            prop_assert_eq!(&blurred(&flat), &flat);
            let mut reversed = codes.clone();
            reversed.reverse();
            let mut expected = blurred(&row(&codes)).codes;
            expected.reverse();
            prop_assert_eq!(blurred(&row(&reversed)).codes, expected);
        }
    }
}
