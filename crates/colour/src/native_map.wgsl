// A stored sample through transfer, in plain f32: extended oddly, or CLIPPED to the range from 0 to 1.
//
// Infinity and NaN are told apart and passed on as bits, since WGSL lets a compiler assume that neither occurs.

const SIGN: u32 = 0x80000000u;
const INFINITY: u32 = 0x7f800000u;
const QUIET: u32 = 0x00400000u;

fn mapped_bits(stored: u32) -> u32 {
    let x = sample_bits(stored);
    let sign = x & SIGN;
    let magnitude = x & ~SIGN;
    if magnitude > INFINITY {
        return x | QUIET;
    }
    if CLIPPED {
        let clipped = select(min(magnitude, 0x3f800000u), 0u, sign != 0u);
        return bitcast<u32>(transfer(bitcast<f32>(clipped)));
    }
    if magnitude >= OVERFLOW {
        return sign | INFINITY;
    }
    return sign | bitcast<u32>(transfer(bitcast<f32>(magnitude)));
}

// The bits of the f32 that a stored sample means.
fn sample_bits(stored: u32) -> u32 {
    if plane.depth_bits == 32u {
        return stored;
    }
    let max_code = (1u << plane.depth_bits) - 1u;
    return bitcast<u32>(f32(stored) / f32(max_code));
}
