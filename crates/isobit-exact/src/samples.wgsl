// Samples packed as they are stored. Follows samples.rs; the words of SamplePlane are those of its function sample_plane.

struct SamplePlane {
    // Samples in a row.
    width: u32,
    // Samples of the plane, padding excluded.
    samples: u32,
    // Bytes from one row to the next.
    stride: u32,
    // Bits of a sample: 8, 10, 12 or 16, or 32 for f32.
    depth_bits: u32,
}

// The bytes that a stored sample of depth_bits takes.
fn sample_bytes(depth_bits: u32) -> u32 {
    return (depth_bits + 7u) / 8u;
}

// The byte of a plane at which sample number index begins, counted row by row without padding.
fn sample_byte(plane: SamplePlane, index: u32) -> u32 {
    let y = index / plane.width;
    let x = index - y * plane.width;
    return y * plane.stride + x * sample_bytes(plane.depth_bits);
}

// A place that moves through a plane sample by sample, row after row: no division but the first.
struct SamplePlace {
    x: u32,
    byte: u32,
}

// The place of sample number index, counted row by row without padding.
fn sample_place(plane: SamplePlane, index: u32) -> SamplePlace {
    return SamplePlace(index % plane.width, sample_byte(plane, index));
}

// The place behind place.
fn sample_after(plane: SamplePlane, place: SamplePlace) -> SamplePlace {
    let bytes = sample_bytes(plane.depth_bits);
    if place.x + 1u < plane.width {
        return SamplePlace(place.x + 1u, place.byte + bytes);
    }
    return SamplePlace(0u, place.byte + bytes + (plane.stride - plane.width * bytes));
}

// The stored bits of the sample that begins at byte number byte of a plane, given the word that holds that byte.
fn packed_sample(word: u32, byte: u32, depth_bits: u32) -> u32 {
    let mask = 0xffffffffu >> (32u - 8u * sample_bytes(depth_bits));
    return (word >> (8u * (byte % 4u))) & mask;
}
