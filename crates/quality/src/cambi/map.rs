//! Elements of a picture, row by row without padding.

use isobit::output::Values;

/// One element for each sample.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Map<T> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<T>,
}

impl<T: Copy + Default> Map<T> {
    /// The elements that `fill` leaves in each row.
    pub(super) fn from_rows(width: usize, height: usize, mut fill: impl FnMut(usize, &mut [T])) -> Self {
        let mut values = vec![T::default(); width * height];
        let rows = values.chunks_exact_mut(width).enumerate();
        rows.for_each(|(y, row)| fill(y, row));
        Self { width, height, values }
    }

    pub(super) fn row(&self, y: usize) -> &[T] {
        &self.values[y * self.width..][..self.width]
    }
}

impl<T: Copy + Into<u32>> Map<T> {
    /// The elements as words.
    pub(super) fn words(&self) -> Values {
        Values::U32(self.values.iter().map(|&value| value.into()).collect())
    }
}

#[cfg(test)]
impl<T: Copy> Map<T> {
    /// The elements in rows of `width`.
    pub(super) fn of(width: usize, values: &[T]) -> Self {
        Self {
            width,
            height: values.len() / width,
            values: values.to_vec(),
        }
    }
}
