//! The samples of a plane as they are shown.

use crate::picture::Picture;

/// The plane itself.
pub fn shown(picture: &Picture) -> Picture {
    shown_with(picture, |y| y)
}

/// The plane with row `row(y)` in place of row `y`.
pub fn shown_with(picture: &Picture, row: impl Fn(u32) -> u32) -> Picture {
    let rows: Vec<_> = picture.rows().collect();
    let codes = (0..picture.height).flat_map(|y| rows[row(y) as usize]).copied();
    Picture {
        codes: codes.collect(),
        ..*picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_asked_for() {
        let picture = Picture {
            width: 2,
            height: 3,
            codes: vec![1, 2, 3, 4, 5, 6],
        };
        assert_eq!(shown(&picture), picture);
        assert_eq!(shown_with(&picture, |y| 2 * y % 3).codes, [1, 2, 5, 6, 3, 4]);
    }
}
