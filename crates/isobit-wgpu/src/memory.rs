//! Where a plan's buffers lie: guard zones, the poison pattern, and the pool that allocations return to.

use std::sync::LazyLock;

/// The least bytes of the guard zone before a buffer; a multiple of every offset alignment that WebGPU allows (256 at most).
pub(crate) const FRONT: u64 = 256;

/// Bytes of the guard zone behind a buffer: enough for a row or two too many, where a driver discards what lies farther.
pub(crate) const BACK: u64 = 4096;

/// Bytes after which the poison pattern repeats.
pub(crate) const PERIOD: u64 = 1 << 20;

/// The allocation of one buffer: guard zone, data padded to whole words, guard zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Where the data begins.
    pub(crate) start: u64,
    /// Bytes of data.
    pub(crate) bytes: u64,
}

impl Extent {
    /// `bytes` behind a guard zone of a multiple of `alignment`, in the buffer that `before` others precede.
    ///
    /// No two buffers of a plan begin at the same place of the poison pattern. A twin that reads too far in two clips at once
    /// would else see no difference between them.
    pub(crate) const fn new(before: usize, bytes: u64, alignment: u64) -> Self {
        Self {
            start: (FRONT * (before as u64 + 1)).next_multiple_of(alignment),
            bytes,
        }
    }

    /// Where the guard zone behind the data begins; the bytes between the data and here are poisoned as well, but a plan may
    /// read the word that they share with data.
    pub(crate) const fn end(&self) -> u64 {
        self.start + self.bytes.next_multiple_of(4)
    }

    /// Bytes of the whole allocation.
    pub(crate) const fn total(&self) -> u64 {
        self.end() + BACK
    }

    /// Bytes of a binding that begins at the data and reaches to the end of the guard zone.
    pub(crate) const fn bound(&self) -> u64 {
        self.total() - self.start
    }
}

/// Which of the two runs of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// Memory is filled with the pattern; slices run in order.
    First,
    /// Memory is filled with the complement; slices run in reverse.
    Second,
}

impl Run {
    /// Both, in order.
    pub(crate) const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// One period of what memory is filled with before this run.
    ///
    /// The top byte of a word makes it as a float tiny in one run and huge in the other, so that it disturbs a sum as well as
    /// a minimum or a maximum; the rest depends on the position.
    pub(crate) fn poison(self) -> &'static [u8] {
        static PATTERNS: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
            let words = (0..PERIOD as u32 / 4).map(|i| 0xA500_0000 | (i.wrapping_mul(0x9E37_79B1) >> 8));
            let pattern: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            let complement = pattern.iter().map(|byte| !byte).collect();
            [pattern, complement]
        });
        match self {
            Self::First => &PATTERNS[0],
            Self::Second => &PATTERNS[1],
        }
    }

    /// The poison of the allocation's bytes from `offset` on, endlessly.
    pub(crate) fn poison_from(self, offset: u64) -> impl Iterator<Item = u8> {
        let pattern = self.poison();
        let rest = &pattern[(offset % PERIOD) as usize..];
        rest.iter().chain(pattern.iter().cycle()).copied()
    }

    /// Whether `bytes`, which lie at `offset` of an allocation, are all poison.
    pub(crate) fn fills(self, bytes: &[u8], offset: u64) -> bool {
        let pattern = self.poison();
        periods(offset, offset + bytes.len() as u64).all(|(from, at, count)| {
            let at = (at - offset) as usize;
            bytes[at..][..count as usize] == pattern[from as usize..][..count as usize]
        })
    }
}

/// `range` cut where the poison pattern repeats: pairs of an offset in the pattern and a range of the allocation.
pub(crate) fn periods(start: u64, end: u64) -> impl Iterator<Item = (u64, u64, u64)> {
    let mut at = start;
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let offset = at % PERIOD;
            let bytes = (PERIOD - offset).min(end - at);
            let piece = (offset, at, bytes);
            at += bytes;
            piece
        })
    })
}

/// Unused allocations, kept because making one costs more than filling it.
#[derive(Debug)]
pub(crate) struct Pool {
    device: wgpu::Device,
    usage: wgpu::BufferUsages,
    label: &'static str,
    free: Vec<wgpu::Buffer>,
}

/// Bytes that a pool keeps unused at most.
const POOL: u64 = 64 << 20;

impl Pool {
    /// A pool of buffers of one usage.
    pub(crate) const fn new(device: wgpu::Device, usage: wgpu::BufferUsages, label: &'static str) -> Self {
        Self {
            device,
            usage,
            label,
            free: Vec::new(),
        }
    }

    /// A buffer of at least `bytes`, of undefined contents: the smallest that is free, unless it is far too large.
    pub(crate) fn take(&mut self, bytes: u64) -> wgpu::Buffer {
        let fitting = self
            .free
            .iter()
            .enumerate()
            .filter(|(_, buffer)| (bytes..=bytes * 2 + 4096).contains(&buffer.size()));
        match fitting.min_by_key(|(_, buffer)| buffer.size()) {
            Some((index, _)) => self.free.remove(index),
            None => self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: bytes,
                usage: self.usage,
                mapped_at_creation: false,
            }),
        }
    }

    /// Takes a buffer back, and lets go of the oldest where too much lies unused.
    pub(crate) fn give(&mut self, buffer: wgpu::Buffer) {
        self.free.push(buffer);
        let mut unused: u64 = self.free.iter().map(wgpu::Buffer::size).sum();
        while unused > POOL {
            unused -= self.free.remove(0).size();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_data_is_aligned_and_fenced() {
        for alignment in [4, 16, 64, 256] {
            let extent = Extent::new(0, 7, alignment);
            assert_eq!((extent.start, extent.end(), extent.total()), (256, 264, 264 + BACK));
            assert_eq!(extent.bound(), 8 + BACK);
        }
    }

    #[test]
    fn what_lies_behind_two_buffers_of_one_size_differs() {
        let behind = |before| {
            let extent = Extent::new(before, 16, 256);
            Run::First
                .poison_from(extent.end())
                .take(BACK as usize)
                .collect::<Vec<_>>()
        };
        for (first, second) in [(0, 1), (0, 3), (2, 7)] {
            let (first, second) = (behind(first), behind(second));
            let words = first.as_chunks::<4>().0.iter().zip(second.as_chunks::<4>().0);
            assert!(words.into_iter().all(|(a, b)| a != b));
        }
    }

    #[test]
    fn the_two_patterns_share_no_byte_and_no_word_repeats_nearby() {
        let [first, second] = Run::BOTH.map(Run::poison);
        assert!(first.iter().zip(second).all(|(a, b)| a ^ b == 0xFF));
        let words: Vec<_> = first.as_chunks::<4>().0.iter().collect();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn poison_continues_beyond_its_period() {
        let bytes: Vec<u8> = Run::Second.poison_from(PERIOD - 3).take(PERIOD as usize + 9).collect();
        assert!(bytes[3..] == Run::Second.poison_from(0).take(bytes.len() - 3).collect::<Vec<_>>());
        assert!(Run::Second.fills(&bytes, 5 * PERIOD - 3));
        assert!(!Run::Second.fills(&bytes, 4));
        assert!(!Run::First.fills(&bytes, PERIOD - 3));
    }

    proptest! {
        #[test]
        fn periods_cover_a_range_once(start in 0..3 * PERIOD, bytes in 0..4 * PERIOD) {
            let mut at = start;
            for (offset, piece, bytes) in periods(start, start + bytes) {
                prop_assert_eq!(piece, at);
                prop_assert_eq!(offset, at % PERIOD);
                prop_assert!(bytes > 0 && offset + bytes <= PERIOD);
                at += bytes;
            }
            prop_assert_eq!(at, start + bytes);
        }
    }
}
