// A function of one stored sample: what it does with the values that a formula does not speak of. Follows transfer.rs.

// From a stored sample to the bits of an f32.
fn transfer_sample(stored: u32, depth_bits: u32) -> u32 {
    var sign = 0u;
    var x = Scaled(vec2<f32>(1.0, 0.0), 0);
    if depth_bits == 32u {
        sign = stored & 0x80000000u;
        let magnitude = stored & 0x7fffffffu;
        if magnitude > 0x7f800000u {
            return stored | 0x00400000u;
        }
        if CLIPPED {
            if sign != 0u || magnitude == 0u {
                return AT_ZERO;
            }
            x = scaled_bits(min(magnitude, 0x3f800000u));
        } else {
            if magnitude == 0u || magnitude == 0x7f800000u {
                return stored;
            }
            x = scaled_bits(magnitude);
        }
    } else {
        let max_code = (1u << depth_bits) - 1u;
        if stored == 0u {
            return AT_ZERO;
        }
        x = scaled_code(select(stored, min(stored, max_code), CLIPPED), max_code);
    }
    return sign | positive(x);
}
