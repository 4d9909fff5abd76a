//! What two runs of a frame left in a buffer, compared with the poison that each began with. Touches no device.

use isobit::execution::{BufferFault, FaultKind};

use crate::memory::{Extent, Run};

/// What both runs left in one allocation, whole or in part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Images<'a> {
    /// The zone before the data.
    pub(crate) front: [&'a [u8]; 2],
    /// The data; empty for a buffer whose contents are nobody's concern.
    pub(crate) data: [&'a [u8]; 2],
    /// The zone behind the data.
    pub(crate) back: [&'a [u8]; 2],
}

/// The faults of one buffer in one frame, at most one of each kind.
///
/// A byte is untouched where it holds the poison of either run, and unstable where the runs differ otherwise. An element is
/// unstable where any of its bytes is, since a value added to poison keeps some of it, and else untouched where any of its
/// bytes is. A byte of a guard zone counts where it changed in any run.
pub(crate) fn faults(
    frame: usize,
    name: &str,
    element: usize,
    extent: &Extent,
    images: &Images<'_>,
) -> Vec<BufferFault> {
    let [mut before, mut untouched, mut unstable, mut after] = [Tally::default(); 4];
    for distance in changed(images.front, 0) {
        before.add(extent.start - 1 - distance);
    }
    for distance in changed(images.back, extent.end()) {
        after.add(distance);
    }
    let [first, second] = images.data;
    // Poison is never equal to its complement: equal images hold nothing untouched.
    if first != second {
        let poison = Run::First.poison_from(extent.start);
        let bytes: Vec<_> = first
            .iter()
            .zip(second)
            .zip(poison)
            .map(|((&a, &b), poison)| Byte::of(a, b, poison))
            .collect();
        for (index, bytes) in (0..).zip(bytes.chunks(element)) {
            match bytes.iter().max() {
                Some(Byte::Untouched) => untouched.add(index),
                Some(Byte::Unstable) => unstable.add(index),
                _ => {}
            }
        }
    }
    [
        (FaultKind::GuardBefore, before),
        (FaultKind::Untouched, untouched),
        (FaultKind::Unstable, unstable),
        (FaultKind::GuardAfter, after),
    ]
    .into_iter()
    .filter(|(_, tally)| tally.count > 0)
    .map(|(kind, tally)| BufferFault {
        frame,
        buffer: name.to_owned(),
        kind,
        count: tally.count,
        first: tally.first,
    })
    .collect()
}

/// What two runs say about a byte, the graver the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Byte {
    Same,
    Untouched,
    Unstable,
}

impl Byte {
    const fn of(first: u8, second: u8, poison: u8) -> Self {
        if first == poison && second == !poison {
            Self::Untouched
        } else if first == second {
            Self::Same
        } else {
            Self::Unstable
        }
    }
}

/// How many, and the least of them.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    first: u64,
}

impl Tally {
    fn add(&mut self, index: u64) {
        self.first = if self.count == 0 { index } else { self.first.min(index) };
        self.count += 1;
    }
}

/// The bytes of a zone, counted from its beginning, that hold no poison after either run.
fn changed(zone: [&[u8]; 2], offset: u64) -> Vec<u64> {
    if Run::BOTH.iter().zip(zone).all(|(run, bytes)| run.fills(bytes, offset)) {
        return Vec::new();
    }
    let [first, second] = zone;
    let bytes = first.iter().zip(second).zip(Run::First.poison_from(offset));
    let wrong = |((first, second), poison): ((&u8, &u8), u8)| *first != poison || *second != !poison;
    (0..)
        .zip(bytes)
        .filter(|&(_, bytes)| wrong(bytes))
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An allocation of 16 bytes of data as the two runs find it.
    struct Memory {
        extent: Extent,
        runs: [Vec<u8>; 2],
    }

    impl Memory {
        fn poisoned() -> Self {
            let extent = Extent::new(0, 16, 256);
            let runs = Run::BOTH.map(|run| run.poison_from(0).take(extent.total() as usize).collect());
            Self { extent, runs }
        }

        /// Writes bytes at a distance from the beginning of the data in both runs.
        fn write(&mut self, at: i64, first: &[u8], second: &[u8]) {
            let at = (self.extent.start as i64 + at) as usize;
            self.runs[0][at..][..first.len()].copy_from_slice(first);
            self.runs[1][at..][..second.len()].copy_from_slice(second);
        }

        fn written() -> Self {
            let mut memory = Self::poisoned();
            memory.write(0, &[7; 16], &[7; 16]);
            memory
        }

        fn faults(&self, element: usize) -> Vec<(FaultKind, u64, u64)> {
            let part = |start: u64, end: u64| [0, 1].map(|run: usize| &self.runs[run][start as usize..end as usize]);
            let extent = &self.extent;
            let images = Images {
                front: part(0, extent.start),
                data: part(extent.start, extent.end()),
                back: part(extent.end(), extent.total()),
            };
            let faults = faults(3, "out", element, extent, &images);
            assert!(faults.iter().all(|fault| fault.frame == 3 && fault.buffer == "out"));
            faults
                .into_iter()
                .map(|fault| (fault.kind, fault.count, fault.first))
                .collect()
        }
    }

    #[test]
    fn a_buffer_written_alike_has_no_fault() {
        assert_eq!(Memory::written().faults(4), []);
    }

    #[test]
    fn an_element_is_untouched_where_any_of_its_bytes_is() {
        assert_eq!(Memory::poisoned().faults(8), [(FaultKind::Untouched, 2, 0)]);
        let mut memory = Memory::poisoned();
        memory.write(0, &[7; 11], &[7; 11]);
        assert_eq!(memory.faults(1), [(FaultKind::Untouched, 5, 11)]);
        assert_eq!(memory.faults(4), [(FaultKind::Untouched, 2, 2)]);
    }

    #[test]
    fn a_value_that_equals_the_poison_by_chance_is_not_untouched() {
        let mut memory = Memory::poisoned();
        let chance: Vec<u8> = Run::First.poison_from(memory.extent.start).take(16).collect();
        memory.write(0, &chance, &chance);
        assert_eq!(memory.faults(4), []);
    }

    #[test]
    fn values_that_differ_between_the_runs_are_unstable() {
        let mut memory = Memory::written();
        memory.write(6, &[1], &[2]);
        assert_eq!(memory.faults(2), [(FaultKind::Unstable, 1, 3)]);
    }

    #[test]
    fn a_value_added_to_poison_is_unstable_whatever_it_leaves() {
        let mut memory = Memory::written();
        let start = memory.extent.start;
        let sums = Run::BOTH.map(|run| {
            let word: Vec<u8> = run.poison_from(start).take(4).collect();
            (u32::from_le_bytes([word[0], word[1], word[2], word[3]]).wrapping_add(3)).to_le_bytes()
        });
        memory.write(0, &sums[0], &sums[1]);
        assert_eq!(memory.faults(4), [(FaultKind::Unstable, 1, 0)]);
    }

    #[test]
    fn writes_into_the_guard_zones_are_counted_from_the_data() {
        let mut memory = Memory::written();
        memory.write(-8, &[0; 4], &[0; 4]);
        memory.write(20, &[0; 8], &[0; 8]);
        assert_eq!(
            memory.faults(4),
            [(FaultKind::GuardBefore, 4, 4), (FaultKind::GuardAfter, 8, 4)]
        );
    }

    #[test]
    fn a_write_in_one_run_alone_is_found() {
        let mut memory = Memory::written();
        let poison: Vec<u8> = Run::First.poison_from(memory.extent.end()).take(1).collect();
        let mut wrong = memory.runs[1][memory.extent.end() as usize];
        wrong ^= 1;
        memory.write(16, &poison, &[wrong]);
        assert_eq!(memory.faults(4), [(FaultKind::GuardAfter, 1, 0)]);
    }
}
