//! Sums of runs of samples.

use isobit::output::Values;

use super::TERMS;
use crate::picture::Picture;

/// The sum of each run of samples, the last of which may be shorter: width, height and values.
pub fn sums(picture: &Picture) -> (u32, u32, Values) {
    let sums: Vec<u32> = picture.codes.chunks(TERMS).map(|run| run.iter().sum()).collect();
    (sums.len() as u32, 1, Values::U32(sums))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_sums_to_triangular_numbers() {
        let ramp = Picture {
            width: 300,
            height: 1,
            codes: (0..300).collect(),
        };
        let (first, all) = (255 * 256 / 2, 299 * 300 / 2);
        assert_eq!(sums(&ramp), (2, 1, Values::U32(vec![first, all - first])));
    }
}
