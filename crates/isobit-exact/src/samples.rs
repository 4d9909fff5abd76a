//! Samples packed as they are stored, read on the device as `array<u32>`: four 8-bit samples, two 16-bit ones or one f32
//! to a word, the first in the low bits. A stride is any whole number of samples, so a row may begin inside a word.

use crate::chunk::Chunk;

/// `SamplePlane`, `sample_bytes`, `sample_byte`, `SamplePlace`, `sample_place`, `sample_after` and `packed_sample`.
pub const CHUNK: Chunk = Chunk {
    name: "samples",
    needs: &[],
    source: include_str!("samples.wgsl"),
};

/// The words of the uniform `SamplePlane`: width, samples, stride in bytes, bits of a sample.
///
/// `depth_bits` is 8, 10, 12 or 16, or 32 for f32. `None` where a byte or sample of the plane lies beyond the reach of the
/// device's 32-bit offsets, one workgroup's overhang included.
pub fn sample_plane(width: u32, height: u32, stride: usize, depth_bits: u32) -> Option<[u32; 4]> {
    const REACH: u64 = 1 << 31;
    let bytes = u64::try_from(stride).ok()?.checked_mul(u64::from(height))?;
    let samples = u64::from(width) * u64::from(height);
    (bytes <= REACH).then_some([width, samples as u32, stride as u32, depth_bits])
}

/// The bytes that a stored sample of `depth_bits` takes.
pub const fn sample_bytes(depth_bits: u32) -> u32 {
    depth_bits.div_ceil(8)
}

/// The byte of a plane at which sample number `index` begins, counted row by row without padding.
///
/// `plane` holds the words of [`sample_plane`].
pub const fn sample_byte(plane: [u32; 4], index: u32) -> u32 {
    let [width, _, stride, depth_bits] = plane;
    let y = index / width;
    let x = index - y * width;
    y * stride + x * sample_bytes(depth_bits)
}

/// A place that moves through a plane sample by sample, row after row: no division but the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplePlace {
    /// The column.
    pub x: u32,
    /// The byte at which the sample begins.
    pub byte: u32,
}

/// The place of sample number `index`, counted row by row without padding.
pub const fn sample_place(plane: [u32; 4], index: u32) -> SamplePlace {
    SamplePlace {
        x: index % plane[0],
        byte: sample_byte(plane, index),
    }
}

/// The place behind `place`.
pub const fn sample_after(plane: [u32; 4], place: SamplePlace) -> SamplePlace {
    let [width, _, stride, depth_bits] = plane;
    let bytes = sample_bytes(depth_bits);
    if place.x + 1 < width {
        return SamplePlace {
            x: place.x + 1,
            byte: place.byte + bytes,
        };
    }
    SamplePlace {
        x: 0,
        byte: place.byte + bytes + (stride - width * bytes),
    }
}

/// The stored bits of the sample that begins at byte `byte` of a plane, given the word that holds that byte.
pub const fn packed_sample(word: u32, byte: u32, depth_bits: u32) -> u32 {
    let mask = u32::MAX >> (32 - 8 * sample_bytes(depth_bits));
    (word >> (8 * (byte % 4))) & mask
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_sample_is_the_bytes_it_is_stored_in(bytes: [u8; 8], at in 0..8u32, depth in prop::sample::select(&[8u32, 10, 12, 16, 32])) {
            let size = sample_bytes(depth);
            let byte = at / size * size;
            let first = byte as usize / 4 * 4;
            let word = u32::from_le_bytes([bytes[first], bytes[first + 1], bytes[first + 2], bytes[first + 3]]);
            let stored = &bytes[byte as usize..][..size as usize];
            let expected = stored.iter().rev().fold(0, |value, &b| value << 8 | u32::from(b));
            prop_assert_eq!(packed_sample(word, byte, depth), expected);
        }
    }

    proptest! {
        #[test]
        fn a_walk_meets_every_sample_in_order(width in 1..20u32, height in 1..6u32, padding in 0..4u32, depth in prop::sample::select(&[8u32, 10, 16, 32]), first: prop::sample::Index) {
            let size = sample_bytes(depth);
            let stride = (width + padding) * size;
            let plane = sample_plane(width, height, stride as usize, depth).unwrap();
            let first = first.index(plane[1] as usize) as u32;
            let mut place = sample_place(plane, first);
            for index in first..plane[1] {
                let (x, y) = (index % width, index / width);
                prop_assert_eq!(place, SamplePlace { x, byte: y * stride + x * size });
                place = sample_after(plane, place);
            }
        }
    }

    #[test]
    fn a_plane_beyond_32_bit_offsets_is_refused() {
        assert_eq!(sample_plane(358, 354, 400, 8), Some([358, 358 * 354, 400, 8]));
        assert_eq!(sample_plane(1, 1 << 16, 1 << 15, 8), Some([1, 1 << 16, 1 << 15, 8]));
        assert_eq!(sample_plane(1, 1 << 16, (1 << 15) + 2, 16), None);
        assert_eq!(sample_plane(u32::MAX, u32::MAX, usize::MAX, 8), None);
    }
}
