//! How many pairs of numbers lie how far apart, in buckets that double in width.

use serde::{Deserialize, Serialize};

/// Counts of pairs by their distance in representable numbers: 0, 1, 2, 3 to 4, 5 to 8, and so on, doubling.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UlpHistogram(Vec<u64>);

impl UlpHistogram {
    /// The counts, bucket by bucket; the last one is not zero.
    pub fn buckets(&self) -> &[u64] {
        &self.0
    }

    /// All pairs that were counted; pairs with NaN are not.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The least and the greatest distance that bucket `index` counts.
    pub const fn range(index: usize) -> (u64, u64) {
        match index {
            0 => (0, 0),
            1 => (1, 1),
            2..65 => ((1 << (index - 2)) + 1, 1 << (index - 1)),
            _ => ((1 << 63) + 1, u64::MAX),
        }
    }

    /// Counts a pair that lies `distance` apart.
    pub(super) fn add(&mut self, distance: u64) {
        self.count(bucket(distance), 1);
    }

    /// Counts pairs of equal numbers.
    pub(super) fn add_equal(&mut self, pairs: u64) {
        if pairs > 0 {
            self.count(0, pairs);
        }
    }

    /// Adds the counts of another part.
    pub fn merge(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (count, more) in self.0.iter_mut().zip(&other.0) {
            *count += more;
        }
    }

    fn count(&mut self, bucket: usize, pairs: u64) {
        if self.0.len() <= bucket {
            self.0.resize(bucket + 1, 0);
        }
        self.0[bucket] += pairs;
    }
}

/// The bucket that counts `distance`: its binary logarithm, rounded up, after one bucket for zero.
const fn bucket(distance: u64) -> usize {
    match distance {
        0 => 0,
        _ => 1 + (u64::BITS - (distance - 1).leading_zeros()) as usize,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn buckets_double() {
        let ranges = [0, 1, 2, 3, 4, 64, 65].map(UlpHistogram::range);
        let top = 1 << 63;
        assert_eq!(
            ranges,
            [
                (0, 0),
                (1, 1),
                (2, 2),
                (3, 4),
                (5, 8),
                ((1 << 62) + 1, top),
                (top + 1, u64::MAX)
            ]
        );
    }

    #[test]
    fn merging_adds_bucket_by_bucket() {
        let of = |distances: &[u64]| {
            let mut histogram = UlpHistogram::default();
            distances.iter().for_each(|&distance| histogram.add(distance));
            histogram
        };
        let mut short = of(&[0, 1]);
        short.merge(&of(&[1, 4, 4]));
        assert_eq!(short, of(&[0, 1, 1, 4, 4]));
        assert_eq!((short.buckets(), short.total()), (&[1, 2, 0, 2][..], 5));
    }

    proptest! {
        #[test]
        fn a_distance_is_in_the_range_of_its_bucket(distance: u64, shift in 0u32..64) {
            for distance in [distance, distance >> shift] {
                let (least, greatest) = UlpHistogram::range(bucket(distance));
                prop_assert!(least <= distance && distance <= greatest);
            }
        }
    }
}
